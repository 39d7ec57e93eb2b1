package rules

import (
	"cmp"
	"strings"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/inorder"
	"learnloop.dev/learn"
	"learnloop.dev/learn/portable"
	"learnloop.dev/privacy"
)

// exported is a rule on its way out.
type exported struct {
	*exporter
	id      string
	rows    learn.Rows
	cells   []cell
	imports []*events.Fact[events.DataImported] // that the rows hold, too
}

// open reads a rule: its rows, or for a period its records folded into rows of their own.
func (x *exporter) open(id string) exported {
	r := exported{exporter: x, id: id, rows: x.q.Rows, cells: x.cells[id]}
	if !x.From.IsZero() || !x.To.IsZero() {
		r.rows = foldRule(x.q.Records, learn.Select{From: x.From, To: x.To, Key: id}, time.Time{})
		r.cells = cells(r.rows)
		return r
	}
	if learn.Peek[int64](x.q.Rows, ruleKey(id), importsRow) > 0 {
		r.imports = importsOf(x.q.Records, id)
	}
	return r
}

// foldRule folds the records of a rule, and where a time is given those alone that were
// stored before it.
func foldRule(records learn.Records, sel learn.Select, before time.Time) learn.Rows {
	rows := Model().Open(new(learn.Memory))
	sel.Kind = events.FeedbackFix.Kind
	for rec := range records.InLogOrder(sel) {
		f, ok := rec.(*events.Fact[events.FixFeedback])
		if ok && (before.IsZero() || f.Recorded.Before(before)) {
			count(rows, f, 1)
		}
	}
	return rows
}

// importsOf are the imported chunks about a rule, by installation and chunk.
func importsOf(records learn.Records, id string) (list []*events.Fact[events.DataImported]) {
	for rec := range records.InLogOrder(learn.Select{Kind: events.ControlImported.Kind, Key: id}) {
		if f, ok := rec.(*events.Fact[events.DataImported]); ok && string(f.Data.RuleID) == id {
			list = append(list, f)
		}
	}
	inorder.Sort(list, func(a, b *events.Fact[events.DataImported]) int {
		return cmp.Or(strings.Compare(a.Data.Origin, b.Data.Origin), cmp.Compare(a.Data.Chunk, b.Data.Chunk))
	})
	return list
}

// foreign are the imports of other installations. Its own ones are its own counts.
func (r exported) foreign() (list []*events.Fact[events.DataImported]) {
	for _, f := range r.imports {
		if f.Data.Origin != r.Own {
			list = append(list, f)
		}
	}
	return list
}

func (r exported) place(origin string, asOf time.Time) portable.Place {
	return portable.Place{RuleID: events.ID(r.id), Source: origin, AsOf: asOf}
}

// patterns lists the patterns of the rule by source and name.
func (r exported) patterns() (list []portable.Pattern) {
	others := map[string]Tally{}
	for _, f := range r.foreign() {
		for _, p := range f.Data.Patterns {
			t := Tally{Accepted: p.Accepted, Modified: p.Modified, Rejected: p.Rejected}
			others[p.Pattern] = others[p.Pattern].plus(t, 1)
			list = append(list, r.pattern(r.place(f.Data.Origin, f.Stamp), p.Pattern, t, shownAs{p.OriginalPattern, p.SuggestedPattern, privacy.Mode(p.Mode)}))
		}
	}
	for row, p := range learn.Scan[pattern](r.rows, ruleKey(r.id), patternRows) {
		hash := strings.TrimPrefix(row, patternRows)
		if own := p.Tally.plus(others[hash], -1); own != (Tally{}) {
			list = append(list, r.pattern(r.place(r.Own, time.Time{}), hash, own, p.as(r.Text)))
		}
	}
	inorder.Sort(list, func(a, b portable.Pattern) int { return a.Key().Compare(b.Key()) })
	return list
}

// shownAs is how a pattern is shown, and in which mode.
type shownAs struct {
	original, suggested string
	mode                privacy.Mode
}

// as is how a pattern leaves: as whole as it is kept, or in the most careful form there is.
func (p *pattern) as(whole bool) shownAs {
	w, mode := p.shown(), privacy.Full
	switch {
	case whole && p.Full.N > 0:
		w = p.Full
	case p.Strict.N > 0:
		mode = privacy.Strict
	case p.Masked.N > 0:
		mode = privacy.Pattern
	}
	return shownAs{w.Original, w.Suggested, mode}
}

// pattern is one as it leaves.
func (r exported) pattern(at portable.Place, hash string, t Tally, s shownAs) portable.Pattern {
	if s.mode == privacy.Full && !r.Text {
		masked := privacy.Pattern.Mask(privacy.Fix{Original: s.original, Suggested: s.suggested})
		s = shownAs{masked.Original, masked.Suggested, privacy.Pattern}
	}
	p := portable.Pattern{Place: at, Count: t.Decided(), SuccessRate: orZero(t.acceptance()), ImportedPattern: events.ImportedPattern{
		Pattern: hash, OriginalPattern: s.original, SuggestedPattern: s.suggested, Mode: string(s.mode),
		Accepted: t.Accepted, Modified: t.Modified, Rejected: t.Rejected,
	}}
	p.PatternType = (&pattern{Tally: t}).kind()
	return p
}

// rules lists the counts of the rule by source.
func (r exported) rules() (list []portable.Rule) {
	own := counts{cells: map[cellName]cell{}}
	own.take(r.cells, 1)
	own.confidence = learn.Peek[graded](r.rows, ruleKey(r.id), totalRow).Confidence
	patterns := map[string]int64{}
	for _, p := range r.patterns() {
		patterns[p.Source]++
	}
	for _, f := range r.foreign() {
		if f.Data.Counts == nil {
			continue
		}
		own.take(cellsIn(&f.Data), -1)
		own.confidence.Merge(calibrationIn(f.Data.Counts), -1)
		list = append(list, r.rule(r.place(f.Data.Origin, f.Stamp), *f.Data.Counts, patterns[f.Data.Origin]))
	}
	if out := own.out(); len(out.Cells) > 0 {
		out.First, out.Last = r.span()
		list = append(list, r.rule(r.place(r.Own, time.Time{}), out, patterns[r.Own]))
	}
	inorder.Sort(list, func(a, b portable.Rule) int { return a.Key().Compare(b.Key()) })
	return list
}

// span are the days of the first and the last decision that were made here.
func (r exported) span() (first, last string) {
	rows := r.rows
	if len(r.foreign()) > 0 { // their days stand among the others
		rows = foldRule(r.q.Records, learn.Select{Key: r.id}, time.Time{})
		for _, f := range r.imports {
			if f.Data.Origin == r.Own {
				countImported(rows, f, 1)
			}
		}
	}
	s := spanOf(rows, ruleKey(r.id))
	return date(s.First), date(s.Last)
}

func (r exported) rule(at portable.Place, c events.ImportedRule, patterns int64) portable.Rule {
	var t Tally
	for _, in := range c.Cells {
		t = t.plus(Tally{in.Accepted, in.Modified, in.Rejected, in.Skipped}, 1)
	}
	return portable.Rule{Place: at, ImportedRule: c, FeedbackCount: t.Total(), AcceptanceRate: rate(t.acceptance()), Patterns: patterns}
}
