package ingest

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/privacy"

	"github.com/go-json-experiment/json"
)

// archive are records of known ages, and takes in what is said about them.
type archive struct {
	oldest map[events.Kind]time.Time
	first  events.Age
	keep   int
	said   []*events.DataExpired // once per partition
	ended  []*events.ExperimentExpired
}

// Oldest is when the first record was stored.
func (a *archive) Oldest(kind events.Kind) (time.Time, error) { return a.oldest[kind], nil }

// Excess is the first that stays.
func (a *archive) Excess(_ events.Kind, keep int) (events.Age, bool, error) {
	a.keep = keep
	return a.first, a.first.Record != "", nil
}

// Append takes in boundaries.
func (a *archive) Append(_ context.Context, msgs []bus.Message) (uint64, error) {
	for _, m := range msgs {
		if strings.HasSuffix(m.Subject, "."+string(events.ControlExperimentExpired.Kind)) {
			fact, err := events.ControlExperimentExpired.ReadFact(m.Data)
			if err != nil {
				return 0, err
			}
			a.ended = append(a.ended, fact.Payload().(*events.ExperimentExpired))
			continue
		}
		fact, err := events.ControlExpired.ReadFact(m.Data)
		if err != nil {
			return 0, err
		}
		a.said = append(a.said, fact.Payload().(*events.DataExpired))
	}
	return uint64(len(a.said)), nil
}

// retention enforces a policy on the archive, now.
func (a *archive) retention(t *testing.T, p Policy) Retention {
	t.Helper()
	h := house(t, p)
	h.Partitions = 1
	policy := h.Policy()
	h.Policy = func() *Policy { return policy }
	a.said, a.ended = nil, nil
	return Retention{Issuer: NewDoor("test", Stage{House: h, Log: a}), Records: a, Policy: h.Policy, Now: func() time.Time { return now }}
}

// enforce looks once, under a policy, at a time.
func (a *archive) enforce(t *testing.T, p Policy, at time.Time) []*events.DataExpired {
	t.Helper()
	r := a.retention(t, p)
	r.Now = func() time.Time { return at }
	if err := r.Enforce(t.Context()); err != nil {
		t.Fatal(err)
	}
	return a.said
}

func TestABoundaryIsToldOfKindsInWhichSomethingIsDue(t *testing.T) {
	a := &archive{oldest: map[events.Kind]time.Time{events.FeedbackFix.Kind: now, events.FeedbackResponse.Kind: now}}
	for _, c := range []struct {
		days int
		want []events.Kind
	}{{90, nil}, {91, []events.Kind{events.FeedbackResponse.Kind}}, {366, []events.Kind{events.FeedbackFix.Kind, events.FeedbackResponse.Kind}}} {
		said := a.enforce(t, defaults(), now.Add(time.Duration(c.days)*day))
		if len(said) != len(c.want) {
			t.Fatalf("after %d days: %+v", c.days, said)
		}
		for i, x := range said {
			if x.Kind != c.want[i] || !x.Before.After(now) {
				t.Errorf("after %d days: %+v, want %s", c.days, x, c.want[i])
			}
		}
	}
}

func TestTooManyRecordsAreCutAtTheFirstThatStays(t *testing.T) {
	a := &archive{first: events.Age{Recorded: now, Record: "r"}}
	p := defaults()
	if said := a.enforce(t, p, now); len(said) != 0 {
		t.Errorf("without a cap: %+v", said)
	}
	p.Privacy.MaxRecords = 10
	said := a.enforce(t, p, now)
	if len(said) != 1 || said[0].Record != "r" || !said[0].Before.Equal(now) || a.keep != 10 {
		t.Errorf("kept %d: %+v", a.keep, said)
	}
}

func TestAnExperimentThatHasLongBeenOverGoesWhole(t *testing.T) {
	a := &archive{}
	r := a.retention(t, defaults())
	r.Ended = func(before time.Time) ([]events.ID, error) {
		if !before.Equal(now.Add(-180 * day)) {
			t.Errorf("asked for what was over before %v", before)
		}
		return []events.ID{"greeting"}, nil
	}
	if err := r.Enforce(t.Context()); err != nil || len(a.ended) != 1 || a.ended[0].Experiment != "greeting" || !a.ended[0].Before.Equal(now.Add(-180*day)) {
		t.Errorf("%v: %+v", err, a.ended)
	}
	p := defaults()
	p.Privacy.RetentionDays.ABTests = 0
	r = a.retention(t, p)
	r.Ended = func(time.Time) ([]events.ID, error) { return []events.ID{"greeting"}, nil }
	if err := r.Enforce(t.Context()); err != nil || len(a.said)+len(a.ended) != 0 {
		t.Errorf("kept for ever: %v, %+v, %+v", err, a.said, a.ended)
	}
}

func TestTheShorterLimitCounts(t *testing.T) {
	s := privacy.Defaults()
	s.MaxDataAge = 30 * privacy.Day
	if got := limits(s)[events.FeedbackResponse.Kind]; got != 30*day {
		t.Errorf("responses stay %v", got)
	}
	s.MaxDataAge, s.CustomRetentionDays = 0, 5
	if got := limits(s); got[events.ExchangeRecorded.Kind] != 5*day || got[events.FeedbackFix.Kind] != 0 {
		t.Errorf("%v", got)
	}
	s.CustomRetentionDays = 1
	if got := claimedFor(s); got != day {
		t.Errorf("the owner of an exchange is remembered %v", got)
	}
}

func TestWhatIsOlderThanATombstoneIsDeclined(t *testing.T) {
	p := defaults()
	h := house(t, p)
	h.Policy = func() *Policy { return &p }
	stones := NewTombstones()
	h.Forgotten = stones.Before
	g, err := NewGate(h)
	if err != nil {
		t.Fatal(err)
	}
	env := envelope("e", fixData)
	admit(t, g, env)
	stones.add(&events.SubjectForgotten{Subject: PersonIndex(h.Keys, "u-1"), Before: now.Add(time.Minute)})
	young, resent := env, env
	young.Time, young.Received = now.Add(time.Minute), now.Add(time.Minute)
	resent.Received = now.Add(time.Hour)
	admit(t, g, young)
	for name, e := range map[string]events.Envelope{"in the inbox": env, "sent again": resent} {
		if v, err := g.Admit("learn.in.feedback.fix", e); err != nil || v.Declined != "forgotten" || len(v.Messages) > 0 {
			t.Errorf("%s: %v %+v", name, err, v)
		}
	}
}

func TestTombstonesAreFollowed(t *testing.T) {
	fact := &events.Fact[events.SubjectForgotten]{Data: events.SubjectForgotten{Subject: "k", Before: now}}
	data, err := json.Marshal(fact)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	stones := NewTombstones()
	if err := stones.Follow(ctx, &graveyard{[]bus.Entry{{Data: []byte("{")}, {Data: data}}, cancel}); err != nil {
		t.Fatal(err)
	}
	if got := stones.Before("k"); !got.Equal(now) || !stones.Before("l").IsZero() {
		t.Errorf("%v", got)
	}
}

// graveyard hands out its graves once, and then ends the reading.
type graveyard struct {
	graves []bus.Entry
	end    context.CancelFunc
}

// Next returns all that are left.
func (g *graveyard) Next(ctx context.Context) ([]bus.Entry, error) {
	graves := g.graves
	if g.graves = nil; graves == nil {
		g.end()
		return nil, ctx.Err()
	}
	return graves, nil
}

func TestConversationsAreSummedUpBeforeTheyGo(t *testing.T) {
	old, talk := now.Add(-100*day), events.ExchangeRecorded.Kind
	midnight := now.Truncate(day)
	for name, c := range map[string]struct {
		oldest time.Time
		change func(*privacy.Settings)
		before time.Time // zero: nothing is summed up
	}{
		"after thirty days, by whole days":   {old, func(*privacy.Settings) {}, midnight.Add(-29 * day)},
		"when there is something to":         {midnight.Add(-29 * day), func(*privacy.Settings) {}, time.Time{}},
		"earlier where a setting says so":    {old, func(s *privacy.Settings) { s.AggregateAfterDays = 2 }, midnight.Add(-1 * day)},
		"when the first of it goes":          {old, func(s *privacy.Settings) { s.AggregateAfterDays = 0 }, midnight.Add(-89 * day)},
		"where all retention is the same":    {old, func(s *privacy.Settings) { s.CustomRetentionDays = 7 }, midnight.Add(-6 * day)},
		"where scores go first":              {old, func(s *privacy.Settings) { s.RetentionDays.QualityScores = 5 }, midnight.Add(-4 * day)},
		"never of today":                     {old, func(s *privacy.Settings) { s.RetentionDays.QualityScores = 1 }, midnight},
		"never where nothing goes":           {old, forEver, time.Time{}},
		"at the latest when all data is old": {old, func(s *privacy.Settings) { forEver(s); s.MaxDataAge = 10 * privacy.Day }, midnight.Add(-9 * day)},
	} {
		t.Run(name, func(t *testing.T) {
			p := defaults()
			c.change(&p.Privacy)
			a := &archive{oldest: map[events.Kind]time.Time{talk: c.oldest}}
			var before time.Time
			r := a.retention(t, p)
			r.Condense = func(_ context.Context, at time.Time) error {
				if len(a.said) > 0 {
					t.Error("boundaries were told before")
				}
				before = at
				return nil
			}
			if err := r.Enforce(t.Context()); err != nil || !before.Equal(c.before) {
				t.Errorf("summed up what is before %v, want %v: %v", before, c.before, err)
			}
		})
	}
}

// forEver keeps conversations.
func forEver(s *privacy.Settings) {
	s.MaxDataAge, s.AggregateAfterDays, s.RetentionDays = 0, 0, privacy.Retention{}
}

func TestConversationsStayWhereTheyCannotBeSummedUp(t *testing.T) {
	a := &archive{oldest: map[events.Kind]time.Time{
		events.ExchangeRecorded.Kind: now.Add(-1000 * day), events.FeedbackResponse.Kind: now.Add(-1000 * day),
		events.FeedbackFix.Kind: now.Add(-1000 * day),
	}}
	r, behind := a.retention(t, defaults()), errors.New("behind")
	r.Condense = func(context.Context, time.Time) error { return behind }
	if err := r.Enforce(t.Context()); !errors.Is(err, behind) {
		t.Error(err)
	}
	if len(a.said) != 1 || a.said[0].Kind != events.FeedbackFix.Kind {
		t.Errorf("told %+v", a.said)
	}
}

func TestEachKindOfConversationGoesWhenItsSettingSays(t *testing.T) {
	s := privacy.Defaults()
	s.RetentionDays = privacy.Retention{FeedbackExplicit: 1, FeedbackImplicit: 2, QualityScores: 3, LearningMetrics: 4, UserPreferences: 5}
	for kind, days := range map[events.Kind]int{
		events.FeedbackResponse.Kind: 1, events.FeedbackEngagement.Kind: 2, events.ExchangeRecorded.Kind: 3,
		events.ControlDaySummed.Kind: 4, events.ControlPersonSummed.Kind: 5,
	} {
		if got := limits(s)[kind]; got != time.Duration(days)*day {
			t.Errorf("%s stays %v", kind, got)
		}
	}
	if _, goes := limits(privacy.Defaults())[events.ControlPersonSummed.Kind]; goes {
		t.Error("preferences go")
	}
}
