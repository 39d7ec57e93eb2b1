package ingest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/pipeline"
	"learnloop.dev/privacy"
)

// Records tells how old the records are that count now.
type Records interface {
	// Oldest is when the first record of a kind that is still there was stored, zero
	// when there is none.
	Oldest(kind events.Kind) (time.Time, error)
	// Excess is the first record that stays when only so many of a kind may, and
	// false when there are no more.
	Excess(kind events.Kind, keep int) (first events.Age, over bool, err error)
}

// Retention tells all folds what has become too old, and what is too much: at the
// start, after every midnight (UTC) and when the settings changed.
type Retention struct {
	Issuer  Issuer
	Records Records
	Policy  func() *Policy
	Changed <-chan struct{} // the policy did
	// Condense sums up conversations from before a midnight (UTC), which go then; nil
	// where nobody does.
	Condense func(ctx context.Context, before time.Time) error
	// Ended are the experiments that were over before a time, and have records that were stored before it; nil
	// where nobody knows.
	Ended   func(before time.Time) ([]events.ID, error)
	Now     func() time.Time
	Observe pipeline.Observer
}

// Issuer puts control facts into the log; the same order again is the same fact.
type Issuer interface {
	Control(ctx context.Context, o Order) error
}

// Run looks again and again, until the context ends.
func (r Retention) Run(ctx context.Context) error {
	r.Observe = r.Observe.EnsureDefaults()
	for {
		err := pipeline.Retry(ctx, func() error { return r.Enforce(ctx) },
			pipeline.Never, func(err error) { r.Observe.Retried("enforce retention", err) })
		if err != nil {
			return stopped(ctx, err)
		}
		t := time.NewTimer(r.Now().UTC().Truncate(day).Add(day).Sub(r.Now()))
		select {
		case <-ctx.Done():
			t.Stop()
			return nil
		case <-r.Changed:
			t.Stop()
		case <-t.C:
		}
	}
}

const day = 24 * time.Hour

// Enforce issues a boundary for every kind of which something is due. What is said in
// conversations is summed up before.
func (r Retention) Enforce(ctx context.Context) error {
	s, now := r.Policy().Privacy, r.Now().UTC()
	if err := r.cap(ctx, s.MaxRecords, now); err != nil {
		return err
	}
	limits := limits(s)
	talk := map[events.Kind]time.Duration{}
	for _, kind := range conversation {
		if limit, has := limits[kind]; has {
			talk[kind] = limit
			delete(limits, kind)
		}
	}
	if err := r.expireOld(ctx, limits, now); err != nil {
		return err
	}
	if err := r.expireEnded(ctx, time.Duration(s.Keeps().ABTests)*day, now); err != nil {
		return err
	}
	if err := r.condense(ctx, details(s, talk), now); err != nil {
		return err
	}
	return r.expireOld(ctx, talk, now)
}

// condense has conversations summed up that are older than a limit, by whole days: what
// was stored on the day in which the limit falls goes with it.
func (r Retention) condense(ctx context.Context, after time.Duration, now time.Time) error {
	if after == 0 || r.Condense == nil {
		return nil
	}
	limit := now.Add(-after)
	before := limit.Truncate(day)
	if before.Before(limit) && limit.Before(now.Truncate(day)) {
		before = before.Add(day)
	}
	for _, kind := range conversation {
		oldest, err := r.Records.Oldest(kind)
		if err != nil {
			return fmt.Errorf("find out how old %s is: %w", kind, err)
		}
		if !oldest.IsZero() && oldest.Before(before) {
			return r.Condense(ctx, before)
		}
	}
	return nil
}

// conversation are the kinds whose records are summed up before they go.
var conversation = []events.Kind{events.ExchangeRecorded.Kind, events.FeedbackEngagement.Kind, events.FeedbackResponse.Kind}

// details is how long conversations stay in detail: until they are aggregated, or the
// first of what they are made of goes. Zero is for ever.
func details(s privacy.Settings, limits map[events.Kind]time.Duration) time.Duration {
	after := time.Duration(s.AggregateAfterDays) * day
	for _, limit := range limits {
		after = shorter(after, limit)
	}
	return after
}

// expireOld issues the boundaries of what is older than its limit.
func (r Retention) expireOld(ctx context.Context, limits map[events.Kind]time.Duration, now time.Time) error {
	for _, kind := range slices.Sorted(maps.Keys(limits)) {
		before := now.Add(-limits[kind])
		oldest, err := r.Records.Oldest(kind)
		if err != nil {
			return fmt.Errorf("find out how old %s is: %w", kind, err)
		}
		if oldest.IsZero() || !oldest.Before(before) {
			continue
		}
		if err := r.expire(ctx, now, &events.DataExpired{Kind: kind, Before: before}); err != nil {
			return err
		}
	}
	return nil
}

// expireEnded issues a boundary for every experiment that has been over for so long: what was stored of it as
// long ago goes.
func (r Retention) expireEnded(ctx context.Context, after time.Duration, now time.Time) error {
	if after == 0 || r.Ended == nil {
		return nil
	}
	before := now.Add(-after)
	ended, err := r.Ended(before)
	if err != nil {
		return fmt.Errorf("find out which experiments are over: %w", err)
	}
	for _, experiment := range ended {
		o := Order{
			ID:   fmt.Sprintf("expired/experiment/%s/%d", experiment, before.UnixNano()),
			Kind: events.ControlExperimentExpired.Kind, At: now, Payload: &events.ExperimentExpired{Experiment: experiment, Before: before},
		}
		if err := r.Issuer.Control(ctx, o); err != nil {
			return err
		}
	}
	return nil
}

// cap issues the boundary in front of which there are too many records of rule
// feedback.
func (r Retention) cap(ctx context.Context, most int, now time.Time) error {
	if most == 0 {
		return nil
	}
	kind := events.FeedbackFix.Kind
	first, over, err := r.Records.Excess(kind, most)
	if err != nil {
		return fmt.Errorf("count %s: %w", kind, err)
	}
	if !over {
		return nil
	}
	return r.expire(ctx, now, &events.DataExpired{Kind: kind, Before: first.Recorded, Record: first.Record})
}

func (r Retention) expire(ctx context.Context, now time.Time, x *events.DataExpired) error {
	id := fmt.Sprintf("expired/%s/%d", x.Kind, x.Before.UnixNano())
	if x.Record != "" {
		id += "/" + x.Record
	}
	return r.Issuer.Control(ctx, Order{ID: id, Kind: events.ControlExpired.Kind, At: now, Payload: x})
}

// limits are how long the records of kinds stay (SPEC section 3); kinds that are
// not named stay until what was learned from them goes.
func limits(s privacy.Settings) map[events.Kind]time.Duration {
	age, keeps := time.Duration(s.MaxDataAge)*time.Second, s.Keeps()
	all := map[events.Kind]time.Duration{
		events.FeedbackFix.Kind:        age,
		events.SampleCaptured.Kind:     age,
		events.ControlImported.Kind:    age,
		events.FeedbackResponse.Kind:   shorter(time.Duration(keeps.FeedbackExplicit)*day, age),
		events.FeedbackEngagement.Kind: shorter(time.Duration(keeps.FeedbackImplicit)*day, age),
		events.ExchangeRecorded.Kind:   shorter(time.Duration(keeps.QualityScores)*day, age),
		events.ControlDaySummed.Kind:   shorter(time.Duration(keeps.LearningMetrics)*day, age),
		// what was learned about a person outlives the data
		events.ControlPersonSummed.Kind: time.Duration(keeps.UserPreferences) * day,
	}
	maps.DeleteFunc(all, func(_ events.Kind, limit time.Duration) bool { return limit == 0 })
	return all
}

// shorter is the shorter of two limits; zero is none.
func shorter(a, b time.Duration) time.Duration {
	if a == 0 || b == 0 {
		return a + b
	}
	return min(a, b)
}
