package ingest

import (
	"context"
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
		fact, err := events.ControlExpired.ReadFact(m.Data)
		if err != nil {
			return 0, err
		}
		a.said = append(a.said, fact.Payload().(*events.DataExpired))
	}
	return uint64(len(a.said)), nil
}

// enforce looks once, under a policy, at a time.
func (a *archive) enforce(t *testing.T, p Policy, at time.Time) []*events.DataExpired {
	t.Helper()
	h := house(t, p)
	h.Partitions = 1
	policy := h.Policy()
	h.Policy = func() *Policy { return policy }
	a.said = nil
	r := Retention{Issuer: NewDoor("test", Stage{House: h, Log: a}), Records: a, Policy: h.Policy, Now: func() time.Time { return at }}
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
