package rules

import (
	"cmp"
	"maps"
	"strings"
	"time"

	"learnloop.dev/inorder"
	"learnloop.dev/learn"
	"learnloop.dev/stats"
)

// The questions the model answers, one part per partition.
const (
	AskStatistics  = "statistics"  // Filter → Part
	AskCalibration = "calibration" // nothing → stats.Calibration, to be added up
	AskPrior       = "prior"       // nothing → stats.Calibration, the last one heard of
	AskDays        = "days"        // Filter, or nothing → []Day
	AskPerson      = "person"      // PersonArgs → PersonPart
	AskTransfer    = "transfer"    // TransferArgs → TransferPart
	AskHeld        = "held"        // HeldArgs → []Held
	AskShare       = "share"       // ShareArgs → Share
)

func answers() map[string]learn.Answer {
	return map[string]learn.Answer{
		AskStatistics: answerStatistics,
		AskCalibration: func(q learn.Question) (any, error) {
			return learn.Peek[overall](q.Rows, summaryKey(), totalRow).Confidence, nil
		},
		AskPrior: func(q learn.Question) (any, error) {
			return learn.Peek[prior](q.Rows, summaryKey(), priorRow).Global, nil
		},
		AskDays:     answerDays,
		AskPerson:   answerPerson,
		AskTransfer: answerTransfer,
		AskHeld:     answerHeld,
		AskShare:    answerShare,
	}
}

// How much statistics list of patterns and remarks.
const (
	mostListed     = 20 // rules: those with the most feedback; others when they are named
	listedPatterns = 15 // of a rule, accepted and rejected
	listedRemarks  = 3
)

// Part is one partition's part of the statistics, in integers; Merge joins them.
type Part struct {
	Filter      Filter                  `json:"filter"`
	Cells       []cell                  `json:"cells,omitzero"`
	Confidence  stats.Calibration       `json:"confidence"`
	Reliability stats.Reliability       `json:"reliability"`
	Users       map[string]int64        `json:"users,omitzero"`
	Imported    Tally                   `json:"imported,omitzero"`
	Sources     []source                `json:"sources,omitzero"`
	Edges       Edges                   `json:"edges"`
	LongestText int64                   `json:"longest_text"`
	Patterns    map[string]rulePatterns `json:"patterns,omitzero"`
	Remarks     map[string][]Remark     `json:"remarks,omitzero"`
	Previous    stats.Share             `json:"previous"` // the two weeks of the trend
	Recent      stats.Share             `json:"recent"`
}

// rulePatterns are the patterns of one rule, best first.
type rulePatterns struct {
	Feedback int64        `json:"feedback"` // about the rule
	Count    patternCount `json:"count"`
	Accepted []decided    `json:"accepted,omitzero"`
	Rejected []decided    `json:"rejected,omitzero"`
}

// answerStatistics reads the rows where nothing is filtered, and otherwise folds
// the records that pass into rows of their own.
func answerStatistics(q learn.Question) (any, error) {
	filter, err := readFilter(q.Args)
	if err != nil {
		return nil, err
	}
	rows := q.Rows
	if !filter.everything() {
		rows = Model().Open(new(learn.Memory))
		for f := range filter.records(q.Records, filter.From, filter.To) {
			count(rows, f, 1)
		}
		for f := range filter.imports(q.Records) {
			countImported(rows, f, 1)
		}
	}
	part := partOf(rows)
	part.Filter = filter
	part.Previous, part.Recent = weeks(q, filter)
	return part, nil
}

func partOf(rows learn.Rows) Part {
	key := summaryKey()
	all := learn.Peek[overall](rows, key, totalRow)
	p := Part{
		Cells:       cells(rows),
		Confidence:  all.Confidence,
		Reliability: all.Reliability,
		Edges:       all.Edges,
		Imported:    all.Imported,
		Users:       map[string]int64{},
		Patterns:    map[string]rulePatterns{},
		Remarks:     map[string][]Remark{},
	}
	p.LongestText, _ = learn.EndsOf(rows, key, lengthSet).Greatest()
	for _, s := range learn.Scan[source](rows, key, sourceRows) {
		p.Sources = append(p.Sources, s)
	}
	for _, own := range learn.Scan[personal](rows, key, personRows) {
		p.Users[own.Person] += own.Tally.Total()
	}
	feedback := map[string]int64{}
	for _, c := range p.Cells {
		feedback[c.Rule] += c.Tally.Total()
	}
	for _, id := range loudest(feedback) {
		p.list(rows, id, feedback[id])
	}
	return p
}

// cells lists all cells of a partition.
func cells(rows learn.Rows) []cell {
	var all []cell
	for _, l := range learn.Scan[listed](rows, summaryKey(), listRows) {
		for _, c := range learn.Scan[cell](rows, categoryKey(l.Category), cellRows) {
			all = append(all, c)
		}
	}
	return all
}

// loudest are the rules with the most feedback, ties by name.
func loudest(feedback map[string]int64) []string {
	ids := inorder.Sorted(maps.Keys(feedback), func(a, b string) int {
		return cmp.Or(cmp.Compare(feedback[b], feedback[a]), strings.Compare(a, b))
	})
	return ids[:min(len(ids), mostListed)]
}

// list adds the patterns and remarks of a rule with sufficient feedback.
func (p *Part) list(rows learn.Rows, id string, feedback int64) {
	if feedback < enough {
		return
	}
	key := ruleKey(id)
	p.Patterns[id] = rulePatterns{
		Feedback: feedback,
		Count:    learn.Peek[patternCount](rows, key, patternsRow),
		Accepted: bestPatterns(rows, key, keptSet, listedPatterns),
		Rejected: bestPatterns(rows, key, turnedSet, listedPatterns),
	}
	if said := remarks(rows, key, whySet, listedRemarks); len(said) > 0 {
		p.Remarks[id] = said
	}
}

// weeks are the decisions of the week before the end and of the week before that.
func weeks(q learn.Question, filter Filter) (previous, recent stats.Share) {
	end := filter.end()
	if end.IsZero() {
		return previous, recent
	}
	before, last := stats.Weeks(end)
	if filter.narrows() {
		return scanned(q, filter, before), scanned(q, filter, last)
	}
	return hourly(q, before), hourly(q, last)
}

// scanned counts the decisions of a window record by record.
func scanned(q learn.Question, filter Filter, w stats.Window) stats.Share {
	var t Tally
	for f := range filter.records(q.Records, w.From, w.To) {
		t.add(f.Data.Decision, 1)
	}
	return t.acceptance()
}

// hourly counts the decisions of a window by whole hours, and record by record
// at its edges.
func hourly(q learn.Question, w stats.Window) stats.Share {
	first, last := w.From.Truncate(time.Hour), w.To.Truncate(time.Hour)
	var t Tally
	for at := first; at.Before(last); at = at.Add(time.Hour) {
		t = t.plus(learn.Peek[hour](q.Rows, summaryKey(), hourRow(at)).Tally, 1)
	}
	share := t.acceptance()
	early := scanned(q, Filter{}, stats.Window{From: first, To: w.From})
	late := scanned(q, Filter{}, stats.Window{From: last, To: w.To})
	return stats.Share{X: share.X - early.X + late.X, N: share.N - early.N + late.N}
}
