package api

import (
	"context"
	"fmt"
	"time"

	"learnloop.dev/learn/conversations"
	"learnloop.dev/learn/experiments"
	"learnloop.dev/learn/learnings"
	"learnloop.dev/learn/outcomes"
	"learnloop.dev/learn/rules"
	"learnloop.dev/learn/samples"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// StatisticsArgs narrow statistics down; without any everything counts.
type StatisticsArgs struct {
	Caller         `json:"-"`
	From           time.Time `json:"from,omitzero" query:"from" doc:"Event time from which on feedback counts, RFC 3339."`
	To             time.Time `json:"to,omitzero" query:"to" doc:"Event time before which feedback counts."`
	Rules          []string  `json:"rules,omitzero" query:"rules,explode" nullable:"false" doc:"Raw rule ids; repeat the argument for several."`
	Categories     []string  `json:"categories,omitzero" query:"categories,explode" nullable:"false" doc:"Categories; repeat the argument for several."`
	ExcludeSkipped bool      `json:"exclude_skipped,omitzero" query:"exclude_skipped" doc:"Leaves skipped suggestions out."`
	ExcludeBulk    bool      `json:"exclude_bulk,omitzero" query:"exclude_bulk" doc:"Leaves bulk operations out."`
}

func (a *StatisticsArgs) check() error { return checkPeriod(a.From, a.To) }

// sameStatistics names what is asked for, and whether people are shown.
func (a *API) sameStatistics(in *StatisticsArgs) (string, error) {
	data, err := json.Marshal(in, json.Deterministic(true))
	return fmt.Sprint(a.operator(in.Caller), " ", string(data)), err
}

// checkPeriod refuses one that ends before it begins.
func checkPeriod(from, to time.Time) error {
	if !to.IsZero() && !from.Before(to) {
		return wrong(Invalid, "/to", "a time after from")
	}
	return nil
}

// Statistics are what source document 000 calls LearningStatistics, and beside
// them one block per model.
type Statistics struct{ value Document }

// MarshalJSONTo writes the statistics.
func (s *Statistics) MarshalJSONTo(e *jsontext.Encoder) error { return s.value.MarshalJSONTo(e) }

// Schema describes them: the top-level fields are those of rule feedback.
func (*Statistics) Schema(huma.Registry) *huma.Schema {
	return anyObject("Totals, rates with bounds, trend, by rule and by category; and a block of each model under its name.")
}

// section is what one model adds: a block under its name, or without a name the
// fields at the top.
type section struct {
	name   string
	answer func(context.Context, *API, *StatisticsArgs) (any, error)
}

// sections lists who adds to the statistics.
func sections() []section {
	return []section{
		{"", feedback}, // holds its own block, fix_feedback
		{"coia", learned},
		{"mplp", sampled},
		{"ab", compared},
		{"", ofTasks}, // holds its own blocks, task_outcome and user_corrections
		{"conversation", conversed},
	}
}

// feedback is the statistics of rule feedback, in which only operators see people.
func feedback(ctx context.Context, a *API, in *StatisticsArgs) (any, error) {
	f := rules.Filter{
		From: in.From, To: in.To, AsOf: a.deps.Now().UTC(), Rules: in.Rules, Categories: in.Categories,
		ExcludeSkipped: in.ExcludeSkipped, ExcludeBulk: in.ExcludeBulk,
	}
	parts, err := askModel[rules.Part](ctx, a.asker, question{Model: rules.Name, Ask: rules.AskStatistics}, f)
	if err != nil {
		return nil, err
	}
	s := rules.Merge(parts...)
	if !a.operator(in.Caller) {
		s.FixFeedback.ByUser = nil
	}
	s.FixFeedback.ByUser, err = a.labelled(ctx, s.FixFeedback.ByUser)
	return s, err
}

// conversed is the block of conversations.
func conversed(ctx context.Context, a *API, in *StatisticsArgs) (any, error) {
	s, err := a.conversations(ctx, conversations.Window{From: in.From, To: in.To})
	if err != nil {
		return nil, err
	}
	return s.Block(), nil
}

// conversations is what is known of everybody's conversations of a period.
func (a *API) conversations(ctx context.Context, w conversations.Window) (conversations.Summary, error) {
	parts, err := askModel[conversations.Summary](ctx, a.asker, question{Model: conversations.Name, Ask: conversations.AskSummary}, w)
	return conversations.MergeSummaries(parts...), err
}

// Learned is the block of learnings.
type Learned struct {
	learnings.Block
	Lift *Lift `json:"lift,omitzero"` // of injection, once tasks tell of it
}

// learned is of all time: an entry is no event.
func learned(ctx context.Context, a *API, _ *StatisticsArgs) (any, error) {
	parts, err := askModel[learnings.Block](ctx, a.asker, question{Model: learnings.Name, Ask: learnings.AskBlock}, nil)
	if err != nil {
		return nil, err
	}
	l := Learned{Block: learnings.MergeBlocks(parts...)}
	if len(l.Periods) > 0 {
		l.Lift, l.Periods = liftOfLoop(l.Periods), nil
	}
	return l, nil
}

// sampled is the block of learning samples, of the period that is asked for.
func sampled(ctx context.Context, a *API, in *StatisticsArgs) (any, error) {
	t, err := a.sampleTallies(ctx, samples.Filter{From: in.From, To: in.To})
	return t.Block(), err
}

// compared are the arms of every experiment, of all time: a test cannot be cut out of a
// period.
func compared(ctx context.Context, a *API, _ *StatisticsArgs) (any, error) {
	parts, err := askModel[map[string]experiments.Block](ctx, a.asker, question{Model: experiments.Name, Ask: experiments.AskBlocks}, nil)
	return experiments.MergeBlocks(parts...), err
}

// ofTasks are the blocks of finished tasks and of what people said about them.
func ofTasks(ctx context.Context, a *API, in *StatisticsArgs) (any, error) {
	parts, err := askModel[outcomes.Summary](ctx, a.asker, question{Model: outcomes.Name, Ask: outcomes.AskSummary},
		outcomes.Window{From: in.From, To: in.To})
	if err != nil {
		return nil, err
	}
	return outcomes.MergeSummaries(parts...), nil
}

// statistics asks the analyzers section by section and joins the answers.
func (a *API) statistics(ctx context.Context, in *StatisticsArgs) (*Statistics, error) {
	if err := a.licensed(kindRule); err != nil {
		return nil, err
	}
	all := map[string]jsontext.Value{}
	for _, s := range sections() {
		answer, err := s.answer(ctx, a, in)
		if err != nil {
			return nil, err
		}
		if err := s.join(all, answer); err != nil {
			return nil, fmt.Errorf("join statistics: %w", err)
		}
	}
	data, err := json.Marshal(all, json.Deterministic(true))
	if err != nil {
		return nil, fmt.Errorf("join statistics: %w", err)
	}
	return &Statistics{data}, nil
}

// join adds a section to the others.
func (s section) join(all map[string]jsontext.Value, answer any) error {
	data, err := json.Marshal(answer, json.Deterministic(true))
	if err != nil {
		return err
	}
	if s.name != "" {
		all[s.name] = data
		return nil
	}
	return json.Unmarshal(data, &all)
}
