package rules

import (
	"slices"
	"strings"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/privacy"
	"learnloop.dev/stats"
)

// The rows of what was imported.
const (
	importsRow = "imports" // int64: chunks that count; of a rule
	sourceRows = "source/" // source, by installation; of the summary
)

// source is what came from one installation.
type source struct {
	Origin string `json:"origin"`
	Chunks int64  `json:"chunks"`
	Tally  Tally  `json:"tally"`
}

// countImported folds what an installation counted about a rule. Everything is added to
// what is counted here but what needs the single decisions: people, hours, remarks.
func countImported(rows learn.Rows, f *events.Fact[events.DataImported], by int64) {
	d := addition{Fact: f, rows: rows, by: by, rule: ruleKey(string(f.Data.RuleID)), token: events.Token(string(f.Data.RuleID))}
	*learn.At[int64](rows, d.rule, importsRow) += by
	s := learn.At[source](rows, summaryKey(), sourceRows+learn.RowPart(f.Data.Origin))
	s.Origin, s.Chunks = f.Data.Origin, s.Chunks+by
	if f.Data.Counts != nil {
		s.Tally = s.Tally.plus(d.countRule(f.Data.Counts), by)
	}
	if s.Chunks == 0 {
		*s = source{}
	}
	for _, p := range f.Data.Patterns {
		d.countPattern(p)
	}
}

// addition is a chunk on its way into the rows, or out of them.
type addition struct {
	*events.Fact[events.DataImported]
	rows  learn.Rows
	by    int64
	rule  learn.Key
	token string
}

// countRule adds the counts of a rule and returns how many there are of what.
func (d addition) countRule(c *events.ImportedRule) (all Tally) {
	key, confidence := summaryKey(), calibrationIn(c)
	for _, in := range c.Cells {
		own := cell{
			Rule: string(d.Data.RuleID), Category: in.Category, Bulk: in.Bulk, Graded: in.Graded, Hits: in.Hits,
			Tally: Tally{in.Accepted, in.Modified, in.Rejected, in.Skipped},
		}
		if own.Tally == (Tally{}) {
			continue // there is no such cell
		}
		addCell(d.rows, d.token, own, d.by)
		d.span(categoryKey(in.Category), c)
		all = all.plus(own.Tally, 1)
	}
	r := learn.At[graded](d.rows, d.rule, totalRow)
	was := r.Tally
	r.Tally = r.Tally.plus(all, d.by)
	r.Confidence.Merge(confidence, d.by)
	rankRule(d.rows, d.token, was, r.Tally)
	total := learn.At[overall](d.rows, key, totalRow)
	total.Tally = total.Tally.plus(all, d.by)
	total.Imported = total.Imported.plus(all, d.by)
	total.Confidence.Merge(confidence, d.by)
	d.span(d.rule, c)
	d.span(key, c)
	return all
}

// span keeps the days of the first and the last decision.
func (d addition) span(key learn.Key, c *events.ImportedRule) {
	for _, text := range [...]string{c.First, c.Last} {
		if at, err := time.Parse(time.DateOnly, text); err == nil {
			learn.EndsOf(d.rows, key, spanSet).Add(day(at), d.by)
		}
	}
}

func (d addition) countPattern(in events.ImportedPattern) {
	tally := Tally{Accepted: in.Accepted, Modified: in.Modified, Rejected: in.Rejected}
	if in.Pattern == "" || tally == (Tally{}) {
		return
	}
	shown := &events.FixDerived{Pattern: in.Pattern, Original: in.OriginalPattern, Suggested: in.SuggestedPattern, Mode: in.Mode}
	addPattern(d.rows, d.rule, sighting{shown, tally}, d.by)
}

// squaresPerError is how many units of stats.Calibration.Squares make a squared error.
const squaresPerError = squareUnit

// calibrationIn are the stated confidences behind imported counts.
func calibrationIn(c *events.ImportedRule) (all stats.Calibration) {
	for _, b := range c.Confidence {
		if b.Bin < 0 || b.Bin >= stats.Bins {
			continue // the schema lets none pass
		}
		all.N[b.Bin] += b.N
		all.Kept[b.Bin] += b.Kept
		all.Sum[b.Bin] += b.Sum
	}
	all.Squares = c.Errors*squaresPerError + c.ErrorRest
	for _, in := range c.Cells {
		all.Hits += in.Hits
	}
	return all
}

// calibrationOut writes stated confidences down as counts that are exported.
func calibrationOut(c *stats.Calibration, to *events.ImportedRule) {
	for bin, n := range c.N {
		if n != 0 {
			to.Confidence = append(to.Confidence, events.ImportedBin{Bin: int64(bin), N: n, Kept: c.Kept[bin], Sum: c.Sum[bin]})
		}
	}
	to.Errors, to.ErrorRest = c.Squares/squaresPerError, c.Squares%squaresPerError
}

// prepareImport names the patterns of an import as they are named here, and hides what
// the text mode does not allow to be kept. Own exports bring their names with them. So
// do patterns whose texts are not whole: the texts of several are the same.
func prepareImport(lens learn.Lens, f *events.DataImported) {
	own := f.Origin == Installation(lens.Blind)
	for i := range f.Patterns {
		p := &f.Patterns[i]
		switch whole := !masked(p.OriginalPattern) && !masked(p.SuggestedPattern); {
		case own:
		case whole:
			p.OriginalPattern, p.SuggestedPattern = normal(p.OriginalPattern), normal(p.SuggestedPattern)
			p.Pattern = lens.Blind("pattern", p.OriginalPattern, p.SuggestedPattern)
		default:
			p.Pattern = lens.Blind("imported pattern", f.Origin, p.Pattern)
		}
		shown := lens.Mode.Mask(privacy.Fix{Original: p.OriginalPattern, Suggested: p.SuggestedPattern})
		p.OriginalPattern = shortened(learn.Visible(shown.Original), longestPattern)
		p.SuggestedPattern = shortened(learn.Visible(shown.Suggested), longestPattern)
		p.Mode = string(moreCareful(privacy.Mode(p.Mode), lens.Mode))
	}
}

// Installation is the name by which an installation's exports call it, of its keyed hash.
func Installation(blind func(label string, parts ...string) string) string {
	return blind("installation")
}

// masked reports whether a text has marks or was cut, so that others may look the same.
func masked(text string) bool {
	return strings.ContainsRune(text, '[') || strings.HasSuffix(text, "…")
}

// careful lists the text modes from the most careful one on.
func careful() []privacy.Mode { return []privacy.Mode{privacy.Strict, privacy.Pattern, privacy.Full} }

func moreCareful(a, b privacy.Mode) privacy.Mode {
	modes := careful()
	return modes[max(0, min(slices.Index(modes, a), slices.Index(modes, b)))]
}

// traceImport names the lines of a key's context that imported counts stand behind.
func traceImport(key learn.Key, f *events.DataImported) []string {
	of := labelsOf(key.Kind)
	behind := key.Kind == kindSummary || key.Kind == kindRule && key.ID == string(f.RuleID)
	if f.Counts != nil {
		behind = behind || key.Kind == kindCategory &&
			slices.ContainsFunc(f.Counts.Cells, func(c events.ImportedCell) bool { return c.Category == key.ID })
	}
	if !behind {
		return nil
	}
	var list []string
	if f.Counts != nil {
		list = slices.Concat(of.all, of.decided)
		for _, name := range of.rules {
			list = append(list, name+"/"+string(f.RuleID))
		}
		if len(f.Counts.Confidence) > 0 {
			list = append(list, of.graded...)
		}
	}
	if key.Kind == kindRule {
		for _, p := range f.Patterns {
			list = append(list, "accepted_patterns/"+p.Pattern, "rejected_patterns/"+p.Pattern)
		}
	}
	return list
}
