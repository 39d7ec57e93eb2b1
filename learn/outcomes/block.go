package outcomes

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/inorder"
	"learnloop.dev/learn"
	"learnloop.dev/stats"
)

// Block is the table of tasks that published figures are compared with.
type Block struct {
	Tasks      int64                       `json:"tasks"`
	Subtasks   int64                       `json:"subtasks"`
	Status     map[events.TaskStatus]int64 `json:"task_status"`
	ByModel    map[string]Row              `json:"by_model"`
	ByType     map[string]TypeRow          `json:"by_type"`
	Best       map[string]Best             `json:"best_model_per_type_n20"`
	Failing    []Failure                   `json:"model_failure_over_40pct_n20"`
	Retries    map[string]RetryRow         `json:"retry_pattern_types"`
	SkipTier   []string                    `json:"tier_skip_types_avg_over_1_5"`
	TopReasons []ReasonCount               `json:"top_failure_reasons"`
}

// Row is how runs went. Rates have six digits, means four; null of nothing.
type Row struct {
	N                  int64    `json:"n"`
	Successes          int64    `json:"successes"`
	SuccessRate        *float64 `json:"success_rate"`
	AvgRetries         *float64 `json:"avg_retries"`
	AvgDurationSeconds *float64 `json:"avg_duration_seconds"`
	AvgTokens          *float64 `json:"avg_tokens"`
}

// TypeRow is how runs of a type went, all and by model.
type TypeRow struct {
	All    Row            `json:"all"`
	Models map[string]Row `json:"models"`
}

// Best compares the models with at least 20 runs of a type that has two such.
type Best struct {
	Best      []string `json:"best"`
	Rate      float64  `json:"rate"`
	Worst     []string `json:"worst"`
	WorstRate float64  `json:"worst_rate"`
}

// Failure is a type, a model, its rate of failure (four digits), and its runs.
type Failure = [4]any

// ReasonCount is a reason and how often it was given.
type ReasonCount = [2]any

// RetryRow is how often runs of a type were tried again.
type RetryRow struct {
	Escalated        int64    `json:"escalated"`
	AvgRetriesNeeded *float64 `json:"avg_retries_needed"`
}

// Corrections is the table of what people said.
type Corrections struct {
	N     int64            `json:"n"`
	ByTag map[string]int64 `json:"by_tag"`
}

// Summary is a partition's part of both tables.
type Summary struct {
	Tasks       Block       `json:"task_outcome"`
	Corrections Corrections `json:"user_corrections"`
}

// mostTopReasons is how many reasons a Block lists.
const mostTopReasons = 15

// sums are what a Block is made of.
type sums struct {
	models, types map[string]record
	both          map[string]map[string]record
	reasons       map[string]int64
}

// summaryOf sums up rows, but for what is stale by those that are known.
func summaryOf(rows, known learn.Rows) Summary {
	t := learn.Peek[totals](rows, allKey(), totalRow)
	s := sums{map[string]record{}, map[string]record{}, map[string]map[string]record{}, map[string]int64{}}
	for _, l := range seen(rows, KindTask) {
		if !listedOf(known, typeKey(l.ID)).stale(known) {
			s.add(rows, typeKey(l.ID))
		}
	}
	b := Block{
		Tasks: t.Completed + t.Failed + t.Cancelled, Subtasks: t.Subtasks, Status: t.byStatus(),
		ByModel: map[string]Row{}, ByType: map[string]TypeRow{}, Best: map[string]Best{}, Failing: []Failure{},
		Retries: map[string]RetryRow{}, SkipTier: []string{}, TopReasons: []ReasonCount{},
	}
	for model, r := range s.models {
		b.ByModel[model] = r.row()
	}
	for _, id := range slices.Sorted(maps.Keys(s.types)) {
		b.addType(id, s.types[id], s.both[id])
	}
	b.rank(s.reasons)
	return Summary{b, correctionsOf(rows, known)}
}

func (t totals) byStatus() map[events.TaskStatus]int64 {
	by := map[events.TaskStatus]int64{events.Completed: t.Completed, events.Failed: t.Failed, events.Cancelled: t.Cancelled}
	maps.DeleteFunc(by, func(_ events.TaskStatus, n int64) bool { return n == 0 })
	return by
}

func (s sums) add(rows learn.Rows, key learn.Key) {
	by := map[string]record{}
	for _, st := range stints(rows, key) {
		r := st.record()
		s.models[st.Model] = s.models[st.Model].plus(r)
		s.types[key.ID] = s.types[key.ID].plus(r)
		by[st.Model] = by[st.Model].plus(r)
	}
	s.both[key.ID] = by
	for label, n := range learn.Scan[int64](rows, key, whySet+"=") {
		s.reasons[label[len(whySet)+1:]] += n
	}
}

func (r record) row() Row {
	return Row{r.Runs, r.Successes, rate(r.success()), mean(r.Retries, r.Runs),
		seconds(r.Micros, r.Timed), mean(r.Tokens, r.Counted)}
}

func (b *Block) addType(id string, r record, by map[string]record) {
	t := TypeRow{r.row(), map[string]Row{}}
	for _, model := range slices.Sorted(maps.Keys(by)) {
		m := by[model]
		t.Models[model] = m.row()
		if m.fails() {
			b.Failing = append(b.Failing, Failure{id, model, *mean(m.Runs-m.Successes, m.Runs), m.Runs})
		}
	}
	b.ByType[id] = t
	if best, ok := compared(by); ok {
		b.Best[id] = best
	}
	if r.Escalated > 0 {
		b.Retries[id] = RetryRow{r.Escalated, mean(r.Retries, r.Escalated)}
	}
	if r.skipsTier() {
		b.SkipTier = append(b.SkipTier, id)
	}
}

// compared finds the best and the worst of the models with enough runs, those of the
// same rate together; false when fewer than two have.
func compared(by map[string]record) (best Best, ok bool) {
	n := 0
	for _, model := range slices.Sorted(maps.Keys(by)) {
		if by[model].Runs < many {
			continue
		}
		n++
		share, _ := by[model].success().Rate()
		r := stats.Round(share, rateDigits)
		switch {
		case len(best.Best) == 0 || r > best.Rate:
			best.Best, best.Rate = []string{model}, r
		case r == best.Rate:
			best.Best = append(best.Best, model)
		}
		switch {
		case len(best.Worst) == 0 || r < best.WorstRate:
			best.Worst, best.WorstRate = []string{model}, r
		case r == best.WorstRate:
			best.Worst = append(best.Worst, model)
		}
	}
	return best, n >= 2
}

// rank lists the most frequent reasons, ties by text.
func (b *Block) rank(reasons map[string]int64) {
	labels := inorder.Sorted(maps.Keys(reasons), func(x, y string) int {
		return cmp.Or(cmp.Compare(reasons[y], reasons[x]), cmp.Compare(x, y))
	})
	for _, label := range labels[:min(len(labels), mostTopReasons)] {
		b.TopReasons = append(b.TopReasons, ReasonCount{label, reasons[label]})
	}
}

func correctionsOf(rows, known learn.Rows) Corrections {
	c := Corrections{ByTag: map[string]int64{}}
	for _, l := range seen(rows, kindTag) {
		if listedOf(known, tagKey(l.ID)).stale(known) {
			continue
		}
		c.ByTag[l.ID] = l.N
		for _, s := range learn.Scan[said](rows, tagKey(l.ID), saidRows) {
			if s.Tag == l.ID {
				c.N++
			}
		}
	}
	return c
}

// MergeSummaries joins the parts of the partitions: all but one of them are empty.
func MergeSummaries(parts ...Summary) Summary {
	for _, p := range parts {
		if p.Tasks.Tasks > 0 || p.Corrections.N > 0 {
			return p
		}
	}
	nothing := Model().Open(new(learn.Memory))
	return summaryOf(nothing, nothing)
}

// Window is a half-open period of event time; without ends it is all time.
type Window struct {
	From time.Time `json:"from,omitzero"`
	To   time.Time `json:"to,omitzero"`
}

// answerSummary reads the rows, or for a period folds its records into rows of their own.
func answerSummary(q learn.Question) (any, error) {
	w, err := learn.ReadArgs[Window](q, "the period")
	if err != nil {
		return nil, err
	}
	sel := learn.Select{From: w.From, To: w.To}
	if sel.From.IsZero() && sel.To.IsZero() {
		return summaryOf(q.Rows, q.Rows), nil
	}
	rows := Model().Open(new(learn.Memory))
	for name, seq := range learn.Scan[int64](q.Rows, allKey(), cutRows) {
		*learn.At[int64](rows, allKey(), name) = seq
	}
	for _, kind := range []events.Kind{events.TaskFinished.Kind, events.TaskCorrected.Kind} {
		sel.Kind = kind
		for rec := range q.Records.Each(sel) {
			again(rows, rec)
		}
	}
	return summaryOf(rows, q.Rows), nil
}

// again folds what nothing wiped since of a record, into rows that know what was.
func again(rows learn.Rows, rec events.Recorded) {
	switch f := rec.(type) {
	case *events.Fact[events.Task]:
		if f.Group == events.Outcomes {
			report{f, rows, 1, true, dayOf(f.Time), GoalKey(f.Data.Goal)}.fold()
		}
	case *events.Fact[events.TaskCorrection]:
		if !wiped(rows, everything, "", f.Seq) {
			alone(f).without(rows, f.Seq).put(rows, true)
		}
	}
}
