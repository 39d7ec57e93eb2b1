package analyze

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/pipeline"

	"github.com/go-json-experiment/json"
)

// run lives one life and fails the test if it ends badly.
func (b *bench) run() {
	b.t.Helper()
	if err := b.live(); err != nil {
		b.t.Fatal(err)
	}
}

// want checks what is known about a rule; "" means nothing.
func (b *bench) want(rule, value string) {
	b.t.Helper()
	if got := string(b.known["rule."+rule].Value); got != value {
		b.t.Errorf("known about %s: %q, want %q", rule, got, value)
	}
}

func TestARepeatedEventCountsOnceInEveryLife(t *testing.T) {
	b := newBench(t, toy(1))
	for range 1000 {
		b.say(fix("a", "r", events.Accepted))
	}
	b.run()
	b.open(toy(1))
	b.say(fix("a", "r", events.Accepted))
	b.say(fix("b", "r", events.Accepted))
	b.run()
	b.want("r", `{"N":2}`)
}

func TestTheLaterContentReplacesTheEarlierInAnyOrder(t *testing.T) {
	early, late := fix("a", "early", events.Accepted), fix("a", "late", events.Accepted)
	early.Stamp, late.Stamp = early.Time, early.Time.Add(time.Second)
	for _, order := range [][]*events.Fact[events.FixFeedback]{{early, late}, {late, early}} {
		b := newBench(t, toy(1))
		for _, f := range order {
			b.say(f)
		}
		b.run()
		b.want("late", `{"N":1}`)
		b.want("early", "")
	}
}

func TestAFoldThatPanicsCostsOneDeadLetterWithoutItsText(t *testing.T) {
	b := newBench(t, toy(1))
	bomb := fix("x", "bomb", events.Accepted)
	bomb.Data.OriginalText = "planted text"
	b.say(fix("a", "r", events.Accepted))
	seq := b.say(bomb)
	b.say(fix("b", "r", events.Accepted))
	b.put(0, events.FeedbackFix.Kind, []byte(`{"planted text`))
	b.run()
	b.want("r", `{"N":2}`)
	if len(b.letters) != 2 {
		t.Fatalf("%d dead letters, want 2", len(b.letters))
	}
	if l := b.letters[0]; l.Reason != "crashed" || !strings.Contains(string(l.Data), fmt.Sprintf(`"sequence":%d`, seq)) {
		t.Errorf("letter %s %s, want crashed at %d", l.Reason, l.Data, seq)
	}
	if l := b.letters[1]; l.Reason != "malformed" {
		t.Errorf("letter %s, want malformed", l.Reason)
	}
	for _, l := range b.letters {
		if strings.Contains(string(l.Data), "planted") {
			t.Errorf("payload text in a dead letter: %s", l.Data)
		}
	}
}

func TestADerivedFactIsAppendedOnceAndWithdrawnWithItsCause(t *testing.T) {
	b := newBench(t, toy(1))
	first := fix("a", "r", events.Rejected)
	first.Stamp = first.Time
	b.say(first)
	b.run()
	if len(b.appended) != 1 {
		t.Fatalf("%d derived facts appended, want 1", len(b.appended))
	}
	b.put(1, events.ExperimentOutcome.Kind, b.appended[0].Data)
	better := fix("a", "r", events.Accepted)
	better.Stamp, better.Content = first.Time.Add(time.Second), "better"
	b.say(better)
	b.open(toy(1))
	b.head = uint64(len(b.log))
	b.run()
	if len(b.appended) != 2 || !strings.Contains(string(b.appended[1].Data), `"withdrawn":true`) {
		t.Fatalf("appended %d facts, want the withdrawal as the second", len(b.appended))
	}
}

func TestRebuildingDoesNotEmitAgainWhatTheLogHolds(t *testing.T) {
	b := newBench(t, toy(1))
	b.say(fix("a", "r", events.Rejected))
	b.run()
	b.put(1, events.ExperimentOutcome.Kind, b.appended[0].Data)
	b.appended, b.head = nil, uint64(len(b.log))
	again := newBench(t, toy(1)) // an empty state on the same log
	again.log, again.head = b.log, uint64(len(b.log))
	again.run()
	again.want("r", `{"N":1}`)
	if len(again.appended) != 0 {
		t.Errorf("%d derived facts appended again, want none", len(again.appended))
	}
}

func TestFailedPublishingIsTriedAgainAndOurOwnMarkersAreRecognised(t *testing.T) {
	b := newBench(t, toy(1))
	b.fails = []error{bus.ErrUnknown, bus.ErrUnavailable, nil}
	b.say(fix("a", "r", events.Accepted))
	b.run()
	b.want("r", `{"N":1}`)
	b.open(toy(1))
	b.fails = []error{errUnheard, nil, nil, errUnheard, errUnheard} // the claim, insights, and markers twice
	b.say(fix("b", "r", events.Accepted))
	b.run()
	b.want("r", `{"N":2}`)
}

func TestEverythingIsPublishedAgainAfterTheMachineWentDown(t *testing.T) {
	for _, c := range []struct {
		boot  string
		clean bool
		want  string
	}{{"first", false, ""}, {"second", true, ""}, {"second", false, `{"N":1}`}} {
		b := newBench(t, toy(1))
		b.Boot = "first"
		b.say(fix("a", "r", events.Accepted))
		b.run()
		b.open(toy(1))
		if !c.clean {
			if err := b.Store.SetMeta(ledgerMeta, []byte(`{"crashes":0,"at":1}`)); err != nil {
				t.Fatal(err)
			}
		}
		clear(b.known)
		b.Boot = c.boot
		b.say(fix("b", "t", events.Accepted))
		b.run()
		b.want("r", c.want)
		b.want("t", `{"N":1}`)
	}
}

func TestNothingIsPublishedBehindAnotherOwnersMarker(t *testing.T) {
	b := newBench(t, toy(1))
	b.say(fix("a", "r", events.Accepted))
	b.run()
	b.open(toy(1))
	b.say(fix("b", "r", events.Accepted))
	b.between = func() { b.claimFor("somebody else") }
	if err := b.live(); !errors.Is(err, ErrLost) {
		t.Fatalf("ended with %v, want ErrLost", err)
	}
	b.want("r", `{"N":1}`)
}

func TestWhoClaimsFoldsFirstWhatTheOwnerBeforeMayHaveTold(t *testing.T) {
	b := newBench(t, toy(1))
	b.say(fix("a", "r", events.Accepted))
	b.run()
	b.open(toy(1))
	b.claimFor("the owner before")
	b.head = uint64(len(b.log))
	b.between = func() { // between our claim and all else
		b.say(fix("b", "r", events.Accepted))
		b.head = uint64(len(b.log)) + 1
		b.looked = func() { b.say(fix("c", "r", events.Accepted)) } // once it waits for it
	}
	b.run()
	b.want("r", `{"N":3}`)
	if slices.Contains(b.told["rule.r"], `{"N":2}`) {
		t.Errorf("told %v: what the owner before may have told goes back", b.told["rule.r"])
	}
	if m := b.marks[0]; m.Owner != "me" || m.Seq != 3 {
		t.Errorf("the marker says %+v", m)
	}
}

func TestToStopWhileTheLogIsAwayIsNoCrash(t *testing.T) {
	b := newBench(t, toy(1))
	ctx, stop := context.WithCancel(t.Context())
	b.End = func(context.Context) (uint64, error) { stop(); return 0, errUnheard }
	if err := b.Run(ctx); err != nil {
		t.Fatal(err)
	}
	var last ledger
	data, err := b.Store.Meta(ledgerMeta)
	if err == nil {
		err = json.Unmarshal(data, &last)
	}
	if err != nil || !last.Clean {
		t.Errorf("the next life takes it for a crash: %s, %v", data, err)
	}
}

func TestANewVersionOfAModelFoldsTheRecordsAgain(t *testing.T) {
	b := newBench(t, toy(1))
	for i := range rebuildSize + 5 {
		b.say(fix(fmt.Sprint(i), "r", events.Accepted))
	}
	b.run()
	b.open(toy(2))
	b.served = len(b.log) // the log is not needed for it
	b.known = map[string]pipeline.Insight{}
	b.run()
	b.want("r", fmt.Sprintf(`{"N":%d}`, rebuildSize+5))
}

func TestEveryLineIsTracedToItsEvents(t *testing.T) {
	b := newBench(t, toy(1))
	for i := range shown + 5 {
		b.say(fix(fmt.Sprint(i), "r", events.Accepted))
	}
	b.say(fix("other", "q", events.Accepted))
	b.run()
	a := Answerer{Models: b.Models, Store: b.Store, Partitions: []int{0}}
	parts, err := a.Explain(learn.Key{Kind: "rule", ID: "r"})
	if err != nil {
		t.Fatal(err)
	}
	var lines map[string]Line
	if err := json.Unmarshal(parts[0].Value, &lines); err != nil {
		t.Fatal(err)
	}
	got := lines["n"]
	if got.Count != shown+5 || len(got.Events) != shown || got.Events[0].Sequence == 0 {
		t.Errorf("line has count %d and %d events, want %d and %d", got.Count, len(got.Events), shown+5, shown)
	}
	if _, err := a.Explain(learn.Key{Kind: "nobody"}); !errors.Is(err, ErrUnknown) {
		t.Errorf("explain an unknown kind: %v, want ErrUnknown", err)
	}
}
