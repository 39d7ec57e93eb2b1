package rules

import (
	"time"

	"learnloop.dev/learn"
	"learnloop.dev/stats"
)

// The questions the model answers, one part per partition.
const (
	AskStatistics  = "statistics"  // Filter → Part
	AskTexts       = "texts"       // TextsArgs → Texts
	AskCalibration = "calibration" // nothing → stats.Calibration, to be added up
	AskPrior       = "prior"       // nothing → stats.Calibration, the last one heard of
	AskDays        = "days"        // Filter, or nothing → []Day
	AskPerson      = "person"      // PersonArgs → PersonPart
	AskComing      = "coming"      // ComingArgs → ComingPart
	AskTransfer    = "transfer"    // TransferArgs → TransferPart
	AskHeld        = "held"        // HeldArgs → []Held
	AskShare       = "share"       // ShareArgs → Share
)

func answers() map[string]learn.Answer {
	return map[string]learn.Answer{
		AskStatistics: answerStatistics,
		AskTexts:      answerTexts,
		AskCalibration: func(q learn.Question) (any, error) {
			return learn.Peek[overall](q.Rows, summaryKey(), totalRow).Confidence, nil
		},
		AskPrior: func(q learn.Question) (any, error) {
			return learn.Peek[prior](q.Rows, summaryKey(), priorRow).Global, nil
		},
		AskDays:     answerDays,
		AskPerson:   answerPerson,
		AskComing:   answerComing,
		AskTransfer: answerTransfer,
		AskHeld:     answerHeld,
		AskShare:    answerShare,
	}
}

// Part is one partition's part of the statistics, in integers; Merge joins them.
type Part struct {
	Filter      Filter            `json:"filter"`
	Cells       []cell            `json:"cells,omitzero"`
	Confidence  stats.Calibration `json:"confidence"`
	Reliability stats.Reliability `json:"reliability"`
	Users       map[string]int64  `json:"users,omitzero"`
	Imported    Tally             `json:"imported,omitzero"`
	Sources     []source          `json:"sources,omitzero"`
	Edges       Edges             `json:"edges"`
	LongestText int64             `json:"longest_text"`
	Previous    stats.Share       `json:"previous"` // the two weeks of the trend
	Recent      stats.Share       `json:"recent"`
}

func answerStatistics(q learn.Question) (any, error) {
	filter, err := readFilter(q.Args)
	if err != nil {
		return nil, err
	}
	part := partOf(filter.rows(q))
	part.Filter = filter
	part.Previous, part.Recent = weeks(q, filter)
	return part, nil
}

// rows are those of the partition where nothing is filtered, and otherwise of their own,
// of the records that pass.
func (f Filter) rows(q learn.Question) learn.Rows {
	if f.everything() {
		return q.Rows
	}
	rows := Model().Open(new(learn.Memory))
	for fact := range f.records(q.Records, f.From, f.To) {
		count(rows, fact, 1)
	}
	for fact := range f.imports(q.Records) {
		countImported(rows, fact, 1)
	}
	return rows
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
	}
	p.LongestText, _ = learn.EndsOf(rows, key, lengthSet).Greatest()
	for _, s := range learn.Scan[source](rows, key, sourceRows) {
		p.Sources = append(p.Sources, s)
	}
	for _, own := range learn.Scan[personal](rows, key, personRows) {
		p.Users[own.Person] += own.Tally.Total()
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
