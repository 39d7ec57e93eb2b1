package outcomes

import (
	"slices"

	"learnloop.dev/events"
	"learnloop.dev/learn"
)

// report is a finished task on its way into the rows, or out of them.
type report struct {
	*events.Fact[events.Task]
	rows learn.Rows
	by   int64 // 1 counts it, −1 takes it back
	late bool  // what it left may have been wiped since
	day  int64
	goal string
}

// gone reports whether what the task left was wiped.
func (r report) gone(what events.LearnedPattern, key string) bool {
	return r.late && wiped(r.rows, what, key, r.Seq)
}

// finish folds a task into what is known about its steps, its goal and its plan.
func finish(rows learn.Rows, f *events.Fact[events.Task], by int64) {
	report{f, rows, by, by < 0, dayOf(f.Time), GoalKey(f.Data.Goal)}.fold()
}

func (r report) fold() {
	if r.gone(everything, "") {
		return
	}
	f, rows, by := r.Fact, r.rows, r.by
	t := learn.At[totals](rows, allKey(), totalRow)
	t.add(f.Data.Status, by)
	t.Subtasks += by * int64(len(f.Data.Subtasks))
	for i := range f.Data.Subtasks {
		if f.Data.Subtasks[i].Success != nil {
			r.step(&f.Data.Subtasks[i])
		}
	}
	r.aim()
	r.reuse()
	r.steer()
}

// step counts a step that was run. Its id is its type.
func (r report) step(s *events.Subtask) {
	key, d := typeKey(string(s.ID)), doer{kept(s.ModelUsed, longestName), s.ModelTier}
	if r.late && (wiped(r.rows, events.SubtaskSuccess, key.ID, r.Seq) || wiped(r.rows, events.ModelFailure, joined(key, d.Model), r.Seq)) {
		return
	}
	r.run(key, d, s)
	r.reasons(key, d, s)
	r.features(key, d, s)
}

// joined is the key of a pattern of a type and a model or a feature of it.
func joined(key learn.Key, name string) string { return key.ID + "/" + name }

// reasons counts why a run failed, for the type and for the model.
func (r report) reasons(key learn.Key, d doer, s *events.Subtask) {
	why := learn.TopOf(r.rows, key, whySet)
	for _, reason := range s.FailureReasons {
		if reason = kept(reason, longestReason); reason != "" {
			why.Bump(reason, r.by)
			*learn.At[int64](r.rows, key, whoseRows+learn.RowPart(d.Model)+"/"+reason) += r.by
		}
	}
}

// run counts what a model did.
func (r report) run(key learn.Key, d doer, s *events.Subtask) {
	sighting(r.rows, key, r.day, r.by)
	r.stint(key, d, s)
	if took, ok := micros(s); ok {
		sketch{r.rows, key, lastingRows + d.name()}.add(took, r.by)
	}
	if n, ok := tokens(s); ok {
		sketch{r.rows, key, tokenRows + d.name()}.add(n, r.by)
	}
}

func (r report) stint(key learn.Key, d doer, s *events.Subtask) {
	period := floor(r.day, fortnight)
	name := stint{Model: d.Model, Tier: d.Tier, Period: period}
	row := learn.At[stint](r.rows, key, stintRows+name.name())
	row.Model, row.Tier, row.Period = d.Model, d.Tier, period
	row.Days.add(r.day, r.by)
	if !*s.Success {
		row.Failed.add(r.day, r.by)
	}
	if retries := min(max(s.RetryCount, 0), maxRetries); retries > 0 && !r.gone(events.RetryPattern, key.ID) {
		row.Retries += r.by * retries
		row.Retried.add(r.day, r.by)
		if retries >= raisedFrom {
			row.Raised += r.by
		}
	}
	if took, ok := micros(s); ok {
		row.Timed += r.by
		row.Micros += r.by * took
	}
	if n, ok := tokens(s); ok {
		row.Counted += r.by
		row.Tokens += r.by * n
	}
	if row.Days.sum() == 0 {
		*row = stint{}
	}
}

// featured is how runs of a model went whose prompt had a feature, within a fortnight.
type featured struct {
	Feature   string   `json:"feature"`
	Model     string   `json:"model"`
	Period    int64    `json:"period"`
	Days      calendar `json:"days"` // runs
	Successes int64    `json:"successes,omitzero"`
}

// file adds the runs to the row that has those of the feature, the model and the
// fortnight in a part of the rows, or takes them out.
func (f featured) file(rows learn.Rows, key learn.Key, part string, by int64) {
	row := learn.At[featured](rows, key, part+learn.RowPart(f.Feature)+"/"+learn.RowPart(f.Model)+"/"+ordered(f.Period))
	row.Feature, row.Model, row.Period = f.Feature, f.Model, f.Period
	for day, n := range f.Days {
		row.Days[day] += by * n
	}
	row.Successes += by * f.Successes
	if row.Days.sum() == 0 {
		*row = featured{}
	}
}

// features counts the features of the prompt, each once. What a deleted pattern rested
// on is not told of the feature, nor taken for runs without it.
func (r report) features(key learn.Key, d doer, s *events.Subtask) {
	period := floor(r.day, fortnight)
	for i, name := range s.PromptFeatures {
		if slices.Contains(s.PromptFeatures[:i], name) {
			continue
		}
		name = kept(name, longestName)
		part := featureRows
		if r.late && wiped(r.rows, events.PromptEffective, joined(key, name), r.Seq) {
			part = forgoneRows
		}
		f := featured{Feature: name, Model: d.Model, Period: period}
		f.Days.add(r.day, 1)
		if *s.Success {
			f.Successes = 1
		}
		f.file(r.rows, key, part, r.by)
	}
}

// picked is how often a model was chosen for a type.
type picked struct {
	Model string `json:"model"`
	Tier  int64  `json:"tier,omitzero"`
	N     int64  `json:"n"`
}

// choose counts that a model was chosen.
func choose(rows learn.Rows, f *events.Fact[events.RouteChoice], by int64) {
	key := typeKey(string(f.Data.Type))
	if by < 0 && (wiped(rows, everything, "", f.Seq) || wiped(rows, events.SubtaskSuccess, key.ID, f.Seq)) {
		return
	}
	d := doer{kept(f.Data.Model, longestName), f.Data.Tier}
	row := learn.At[picked](rows, key, chosenRows+d.name())
	row.Model, row.Tier, row.N = d.Model, d.Tier, row.N+by
	beside(rows, key, by)
	if row.N == 0 {
		*row = picked{}
	}
}
