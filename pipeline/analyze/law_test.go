package analyze

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"learnloop.dev/events"
)

// order is a control fact given so many hours after the fixes of these tests.
func order(id string, after int, data events.Payload) events.Recorded {
	at := fix(id, "", "").Time.Add(time.Duration(after) * time.Hour)
	kind := data.Parts()[0].Kind
	spec, _ := events.Lookup(kind)
	return spec.Fact(events.Head{SpecVersion: "1.0", ID: id, Source: "/test", Type: kind.Type(), Time: at, Recorded: at,
		Record: id, Content: id, Stamp: at, Group: events.Everywhere}, data)
}

// later is a fix about a person that happened so many hours after the others.
func later(record, rule, person string, hours int) *events.Fact[events.FixFeedback] {
	f := fix(record, rule, events.Accepted)
	f.Time = f.Time.Add(time.Duration(hours) * time.Hour)
	f.Recorded, f.Stamp, f.Person = f.Time, f.Time, person
	return f
}

// wantGone checks which log entries were erased.
func (b *bench) wantGone(seqs ...uint64) {
	b.t.Helper()
	if got := b.gone(); !slices.Equal(got, seqs) {
		b.t.Errorf("erased %v, want %v", got, seqs)
	}
}

func TestClearingARuleTakesItsRecordsOutOfStateAndLog(t *testing.T) {
	b := newBench(t, toy(1))
	for i := range 2*sweepSize + 10 {
		b.say(fix(fmt.Sprint("a", i), "gone", events.Accepted))
	}
	b.say(fix("b", "stays", events.Accepted))
	clearing := order("clear", 1, &events.DataCleared{Rules: []events.ID{"gone"}})
	b.say(clearing)
	b.say(later("c", "gone", "", 2))                 // after the clearing: counts
	again := b.say(clearing)                         // repeated: clears nothing more
	late := b.say(fix("d", "gone", events.Accepted)) // stored before, comes after it
	b.erases = 2*sweepSize + 12
	b.run()
	b.want("gone", `{"N":1}`)
	b.want("stays", `{"N":1}`)
	if got := b.gone(); len(got) != b.erases || got[len(got)-2] != again || got[len(got)-1] != late {
		t.Errorf("%d log entries erased, want %d", len(got), b.erases)
	}
	if len(b.swept) != 1 || b.swept[0].Count != 2*sweepSize+10 {
		t.Errorf("told %+v", b.swept)
	}
	if cuts := b.cuts.Load(); cuts == 0 || cuts > 5 {
		t.Errorf("the log was cut off %d times", cuts)
	}
}

func TestRecordsBehindTheRetentionBoundaryHaveNoEffectForEver(t *testing.T) {
	b := newBench(t, toy(1))
	young := later("young", "r", "", 48)
	b.say(fix("old", "r", events.Accepted))
	b.say(young)
	b.say(order("expire", 48, &events.DataExpired{Before: young.Recorded}))
	b.erases = 1
	b.run()
	b.want("r", `{"N":1}`)
	b.open(toy(1)) // the boundary survives the process
	older := b.say(fix("older", "r", events.Accepted))
	b.erases = 2
	b.run()
	b.want("r", `{"N":1}`)
	b.wantGone(1, older)
}

func TestOfThoseStoredAtOnceTheBoundaryTakesTheFirstByIdentity(t *testing.T) {
	b := newBench(t, toy(1))
	for _, record := range []string{"c", "a", "d", "b"} {
		b.say(fix(record, "r", events.Accepted))
	}
	b.say(order("limit", 1, &events.DataExpired{Kind: events.FeedbackFix.Kind, Before: fix("", "", "").Recorded, Record: "c"}))
	b.erases = 2
	b.run()
	b.want("r", `{"N":2}`)
	b.wantGone(2, 4)
}

func TestAForgottenPersonLeavesWhatCameAfterAndNothingElse(t *testing.T) {
	b := newBench(t, toy(1))
	b.say(later("a", "r", "ann", 0))
	b.say(later("b", "r", "ben", 0))
	late := later("c", "r", "ann", 1) // stored after the cut-off, but it happened before
	late.Recorded = late.Recorded.Add(24 * time.Hour)
	b.say(order("forget", 2, &events.SubjectForgotten{Subject: "ann", Before: fix("", "", "").Time.Add(2 * time.Hour)}))
	b.say(late)
	b.say(later("a", "r", "ann", 0))
	b.say(later("d", "r", "ann", 3))
	b.say(order("forget again", 5, &events.SubjectForgotten{Subject: "ann", Before: fix("", "", "").Time.Add(2 * time.Hour)}))
	b.erases = 3
	b.run()
	b.want("r", `{"N":2}`)
	b.wantGone(1, 4, 5)
}

func TestTheBeatenContentOfARecordLeavesTheLogAtOnce(t *testing.T) {
	b := newBench(t, toy(1))
	worse, better := later("a", "r", "", 0), later("a", "r", "", 1)
	worse.Content, better.Content = "worse", "better"
	b.say(worse)
	b.say(better)
	b.say(worse)
	b.say(better)
	b.erases = 3
	b.run()
	b.want("r", `{"N":1}`)
	b.wantGone(1, 3, 4)
}
