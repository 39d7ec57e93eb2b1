package effect

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/learn/extract"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func sameType(a, b events.Payload) bool { return reflect.TypeOf(a) == reflect.TypeOf(b) }

func TestADiscoveryIsExtractedOnceWhateverHappensToTheConsumer(t *testing.T) {
	w := newWorld(t)
	w.discover("1", events.FoundBlocker, "The sandbox drops unsigned webhooks.")
	stop := w.live()
	w.wait(1)
	stop()
	if err := bus.NewFacts(w.js, bus.Sharing{Name: "extractor", Filter: "learn.ev.*.discovery.observed", Wait: Hold, AtOnce: 4}).Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.live()
	w.wait(1)
	made := facts(w, events.LearningCreated)
	if len(made) != 1 || made[0].Cause != "1" || made[0].Data.ID != extract.ID("1") || w.called() != 1 {
		t.Errorf("%d learnings, %d calls", len(made), w.called())
	}
	if saw := w.saw(); !slices.Equal(saw, []string{"effect: known"}) {
		t.Errorf("declined %q", saw)
	}
}

var errKilled = errors.New("killed")

func TestAKillBetweenTheCallAndTheLogNeverMakesTwoLearnings(t *testing.T) {
	for name, kill := range map[string]func(w *world, die func() error){
		"before it is in the log": func(w *world, die func() error) { w.before = die },
		"after it is in the log":  func(w *world, die func() error) { w.after = die },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			died := make(chan struct{})
			kill(w, func() error {
				select {
				case died <- struct{}{}:
				case <-t.Context().Done():
				}
				return errKilled
			})
			w.discover("1", events.FoundBlocker, "The sandbox drops unsigned webhooks.")
			stop := w.live()
			<-died
			go func() { // whoever insists meanwhile
				for range died {
				}
			}()
			stop()
			close(died)
			w.before = func() error { return nil }
			w.after = w.before
			w.live()
			w.wait(1)
			if made := facts(w, events.LearningCreated); len(made) != 1 {
				t.Errorf("%d learnings", len(made))
			}
		})
	}
}

func TestWhatIsCitedDependsOnATaskOrSaysNothingIsNotExtracted(t *testing.T) {
	w := newWorld(t)
	w.append(t.Context(), &events.Fact[events.Learning]{Head: events.Head{Record: "theirs"}, Data: events.Learning{ID: "l", Title: "x", SourceDiscoveryID: "d-1"}})
	w.discover("1", events.FoundBlocker, "The sandbox drops unsigned webhooks.")
	w.discover("2", events.FoundDependency, "Task 4 has to be done first.")
	w.discover("3", events.FoundPattern, " … ")
	w.live()
	w.wait(3)
	if saw := w.saw(); !slices.Equal(saw, []string{"effect: dependency", "effect: empty", "effect: known"}) || w.called() != 0 {
		t.Errorf("declined %q after %d calls", saw, w.called())
	}
	if made := facts(w, events.LearningCreated); len(made) != 1 {
		t.Errorf("%d learnings", len(made))
	}
}

func TestManyThatSayTheSameAtOnceAreOneLearningWithEvidence(t *testing.T) {
	w := newWorld(t)
	const n = 12
	for i := range n {
		w.discover(fmt.Sprint(i), events.FoundDecision, "Use optimistic locking when two workers update the orders table.")
	}
	w.live()
	w.wait(n)
	made, more := facts(w, events.LearningCreated), facts(w, events.LearningRevised)
	if len(made) != 1 || len(more) != n-1 {
		t.Fatalf("%d learnings and %d further pieces of evidence", len(made), len(more))
	}
	for _, r := range more {
		if r.Data.ID != made[0].Data.ID || r.Data.SourceTaskID == "" || r.Cause == "" || r.Data.Reason == "" {
			t.Errorf("%+v", r)
		}
	}
}

func TestAContradictionSupersedesTheOlderAndSaysWhy(t *testing.T) {
	w := newWorld(t)
	w.live()
	w.discover("1", events.FoundDecision, "Use connection pooling for the reporting database.")
	w.wait(1)
	w.discover("2", events.FoundDecision, "Do not use connection pooling for the reporting database.")
	w.wait(1)
	over := facts(w, events.LearningSuperseded)
	if len(over) != 1 || over[0].Data.ID != extract.ID("1") || over[0].Data.SupersededBy != extract.ID("2") ||
		!strings.Contains(over[0].Data.Reason, "opposite") || len(facts(w, events.LearningCreated)) != 2 {
		t.Errorf("%+v", over)
	}
}

func TestADiscoveryThatIsClearedMeanwhileLeavesNothing(t *testing.T) {
	w := newWorld(t)
	w.extract = func(ctx context.Context, _ int, d *events.Discovery) (extract.Draft, error) {
		return extract.Rules(d), bus.DeleteMsgs(ctx, w.js, bus.EventsStream, []uint64{1})
	}
	w.discover("1", events.FoundBlocker, "The sandbox drops unsigned webhooks.")
	w.live()
	w.wait(1)
	if saw, made := w.saw(), facts(w, events.LearningCreated); !slices.Equal(saw, []string{"effect: cleared"}) || len(made) != 0 {
		t.Errorf("declined %q, %d learnings", saw, len(made))
	}
}

const secret = "planted-in-the-discovery"

func TestWhatCannotBeExtractedIsADeadLetterWithoutTheText(t *testing.T) {
	for name, c := range map[string]struct {
		do     func() error
		reason string
	}{
		"a panic":              {func() error { panic(secret) }, "crashed"},
		"a refusal":            {func() error { return &RefusedError{events.Refusal{Reason: events.ReasonPrivacy}} }, "privacy_failed"},
		"what never gets well": {func() error { return &FailedError{Most: 1, Expected: "JSON", Err: errors.New("x")} }, "gave_up"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.extract = func(context.Context, int, *events.Discovery) (extract.Draft, error) { return extract.Draft{}, c.do() }
			w.discover("1", events.FoundBlocker, "About "+secret+".")
			w.discover("2", events.FoundDependency, "The one behind it is not blocked.")
			w.live()
			w.wait(2)
			if len(w.letters) != 1 || w.letters[0].Stage != "effect" || w.letters[0].Reason != c.reason || strings.Contains(string(w.letters[0].Data), secret) {
				t.Errorf("%s", w.letters)
			}
			if saw := w.saw(); len(saw) != 1 {
				t.Errorf("declined %q", saw)
			}
		})
	}
}

func TestWhatFailsComesBackLaterAndLaterAndNotForEver(t *testing.T) {
	w := newWorld(t)
	worker := &worker{Stage: Stage{Dead: w, Now: time.Now, Observe: Stage{}.Observe.EnsureDefaults()}, memory: extract.NewMemory()}
	var waits []time.Duration
	for tries := uint64(1); ; tries++ {
		later, err := worker.fail(t.Context(), discovery{Delivery: bus.Delivery{Seq: 7, Tries: tries}}, errors.New("away"))
		if err != nil {
			t.Fatal(err)
		}
		if later == 0 {
			break
		}
		waits = append(waits, later)
	}
	total := time.Duration(0)
	for _, d := range waits {
		total += d
	}
	if len(waits) != attempts-1 || !slices.IsSorted(waits) || waits[0] != 2*time.Second || total < 20*time.Minute || len(w.letters) != 1 {
		t.Errorf("waited %v, %v in all, %d letters", waits, total, len(w.letters))
	}
	later, err := worker.fail(t.Context(), discovery{Delivery: bus.Delivery{Tries: 1}}, &FailedError{After: time.Hour, Err: errors.New("busy")})
	if later != time.Hour || err != nil {
		t.Errorf("the server's wish: %v, %v", later, err)
	}
}

func TestADiscoveryThatKeepsEndingTheProcessIsBuried(t *testing.T) {
	w := newWorld(t)
	worker := &worker{Stage: Stage{Dead: w, Now: time.Now, Observe: Stage{}.Observe.EnsureDefaults()}, memory: extract.NewMemory()}
	data, err := events.Encode(&events.Fact[events.Discovery]{Data: events.Discovery{Type: events.FoundBlocker, Content: "x y"}})
	if err != nil {
		t.Fatal(err)
	}
	later, err := worker.attempt(t.Context(), bus.Delivery{Data: data, Tries: fatal + 1})
	if later != 0 || err != nil || len(w.letters) != 1 || w.letters[0].Reason != "crashed" {
		t.Errorf("%v %v %v", later, err, w.letters)
	}
}

func TestWhatKeepsComingBackIsProposedOnce(t *testing.T) {
	w := newWorld(t)
	known := bus.ReadLog(w.js, bus.EventsStream, 1, "learn.ev.*.learning.>")
	defer known.Close()
	again := extract.OfRule(extract.RulePattern{Rule: "passive", Hash: "h", Original: "was done by", Suggested: "did", Count: 40, Last: time.Now()})
	for range 2 { // two lives
		worker := &worker{memory: extract.NewMemory(), Stage: Stage{Learnings: reader{known, w.js}, Hand: w.hand, Now: time.Now,
			Observe:   Stage{}.Observe.EnsureDefaults(),
			Recurring: func(context.Context) ([]extract.Recurrence, error) { return []extract.Recurrence{again}, nil }}}
		for range 2 {
			if err := worker.look(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		known = bus.ReadLog(w.js, bus.EventsStream, 1, "learn.ev.*.learning.>")
	}
	if asked := facts(w, events.LearningProposed); len(asked) != 1 || asked[0].Data.ID != again.Learning.ID {
		t.Errorf("%d proposals", len(asked))
	}
}
