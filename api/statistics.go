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
type Statistics struct {
	rules.Statistics                              // holds its own block, fix_feedback
	Learnings        Learned                      `json:"coia"`
	Samples          map[string]samples.Figures   `json:"mplp"`
	Experiments      map[string]experiments.Block `json:"ab"`
	outcomes.Summary                              // holds its own blocks, task_outcome and user_corrections
	Conversations    conversations.Overview       `json:"conversation"`
}

// text writes the tables of rules faster than the rest.
func (s *Statistics) text() ([]byte, error) {
	bare := *s
	bare.ByRule, bare.FixFeedback.ByRule = nil, nil
	data, err := json.Marshal(&bare, json.Deterministic(true))
	if err != nil {
		return nil, err
	}
	return s.Tables(data), nil
}

// Schema describes them: the top-level fields are those of rule feedback.
func (*Statistics) Schema(huma.Registry) *huma.Schema {
	return anyObject("Totals, rates with bounds, trend, by rule and by category; and a block of each model under its name.")
}

// feedback is the statistics of rule feedback, in which only operators see people.
func (a *API) feedback(ctx context.Context, in *StatisticsArgs) (s rules.Statistics, err error) {
	f := rules.Filter{
		From: in.From, To: in.To, AsOf: a.deps.Now().UTC(), Rules: in.Rules, Categories: in.Categories,
		ExcludeSkipped: in.ExcludeSkipped, ExcludeBulk: in.ExcludeBulk,
	}
	parts, err := askModel[rules.Part](ctx, a.asker, question{Model: rules.Name, Ask: rules.AskStatistics}, f)
	if err != nil {
		return s, err
	}
	var texts []rules.Texts
	if loudest := rules.Loudest(parts); len(loudest) > 0 {
		texts, err = askModel[rules.Texts](ctx, a.asker, question{Model: rules.Name, Ask: rules.AskTexts}, rules.TextsArgs{Filter: f, Rules: loudest})
		if err != nil {
			return s, err
		}
	}
	s = rules.Merge(parts, texts)
	if !a.operator(in.Caller) {
		s.FixFeedback.ByUser = nil
	}
	s.FixFeedback.ByUser, err = a.labelled(ctx, s.FixFeedback.ByUser)
	return s, err
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
func (a *API) learned(ctx context.Context) (l Learned, err error) {
	parts, err := askModel[learnings.Block](ctx, a.asker, question{Model: learnings.Name, Ask: learnings.AskBlock}, nil)
	if err != nil {
		return l, err
	}
	l.Block = learnings.MergeBlocks(parts...)
	if len(l.Periods) > 0 {
		l.Lift, l.Periods = liftOfLoop(l.Periods), nil
	}
	return l, nil
}

// compared are the arms of every experiment, of all time: a test cannot be cut out of a
// period.
func (a *API) compared(ctx context.Context) (map[string]experiments.Block, error) {
	parts, err := askModel[map[string]experiments.Block](ctx, a.asker, question{Model: experiments.Name, Ask: experiments.AskBlocks}, nil)
	return experiments.MergeBlocks(parts...), err
}

// tasks are the blocks of finished tasks and of what people said about them.
func (a *API) tasks(ctx context.Context, w outcomes.Window) (outcomes.Summary, error) {
	parts, err := askModel[outcomes.Summary](ctx, a.asker, question{Model: outcomes.Name, Ask: outcomes.AskSummary}, w)
	return outcomes.MergeSummaries(parts...), err
}

// statistics asks the analyzers, model by model.
func (a *API) statistics(ctx context.Context, in *StatisticsArgs) (*Statistics, error) {
	err := a.licensed(kindRule)
	if err != nil {
		return nil, err
	}
	s := &Statistics{}
	if s.Statistics, err = a.feedback(ctx, in); err != nil {
		return nil, err
	}
	if s.Learnings, err = a.learned(ctx); err != nil {
		return nil, err
	}
	t, err := a.sampleTallies(ctx, samples.Filter{From: in.From, To: in.To})
	if err != nil {
		return nil, err
	}
	s.Samples = t.Block()
	if s.Experiments, err = a.compared(ctx); err != nil {
		return nil, err
	}
	if s.Summary, err = a.tasks(ctx, outcomes.Window{From: in.From, To: in.To}); err != nil {
		return nil, err
	}
	c, err := a.conversations(ctx, conversations.Window{From: in.From, To: in.To})
	if err != nil {
		return nil, err
	}
	s.Conversations = c.Block()
	return s, nil
}
