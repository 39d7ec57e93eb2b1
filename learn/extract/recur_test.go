package extract_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn/extract"
)

// corrected is a correction in a task.
func corrected(task, instruction string, tags ...string) events.Recorded {
	return &events.Fact[events.TaskCorrection]{Head: events.Head{Type: events.TaskCorrected.Kind.Type(), Time: time.Unix(1, 0)},
		Data: events.TaskCorrection{TaskID: events.ID(task), Instruction: instruction, Tags: tags}}
}

// retried is a task with a step that was tried again.
func retried(task, step, reason string) events.Recorded {
	return &events.Fact[events.Task]{Head: events.Head{Type: events.TaskFinished.Kind.Type()}, Data: events.Task{TaskID: events.ID(task),
		Subtasks: []events.Subtask{{ID: events.ID(step), RetryCount: 2, FailureReasons: []string{reason}}, {ID: "calm"}}}}
}

func TestACorrectionGivenInThreeTasksIsProposed(t *testing.T) {
	r := extract.NewRecurring()
	r.Take(corrected("a", "Always run the linter before you commit.", "go"))
	r.Take(corrected("a", "Always run the linter before you commit.", "go")) // the same task
	r.Take(corrected("b", "always run the linter before committing", "go"))
	r.Take(corrected("c", "Write tests first.", "go"))
	if got := r.Often(); len(got) != 0 {
		t.Fatalf("after two tasks: %+v", got)
	}
	r.Take(corrected("d", "Run the linter before you commit!", "go"))
	got := r.Often()
	if len(got) != 1 || got[0].Reason != "The same correction was given in 3 tasks." || got[0].Learning.Context != "Tasks about go." ||
		!strings.Contains(strings.ToLower(got[0].Learning.Action), "linter") || got[0].Learning.PatternType != events.BestPractice {
		t.Fatalf("%+v", got)
	}
	id := got[0].Learning.ID
	r.Take(corrected("e", "Run the linter before you commit!", "go"))
	if again := r.Often(); again[0].Learning.ID != id {
		t.Error("the id changed with the count")
	}
}

func TestTheOppositeCorrectionIsAnother(t *testing.T) {
	r := extract.NewRecurring()
	r.Take(corrected("a", "Squash the commits before merging."))
	r.Take(corrected("b", "Squash the commits before merging."))
	r.Take(corrected("c", "Do not squash the commits before merging."))
	r.Take(corrected("d", "Squash the commits after merging."))
	if got := r.Often(); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}

func TestAStepThatKeepsFailingAtFirstIsProposed(t *testing.T) {
	r := extract.NewRecurring()
	for i := range 3 {
		r.Take(retried(fmt.Sprint(i), "migrate", "The lock on the schema was not free."))
		r.Take(retried(fmt.Sprint(i), "other", fmt.Sprintf("error %d", i)))
	}
	got := r.Often()
	if len(got) != 1 || !strings.HasPrefix(got[0].Learning.Title, "migrate keeps failing at first") || got[0].Learning.PatternType != events.Gotcha {
		t.Errorf("%+v", got)
	}
}

func TestADecisionBeyondDoubtIsProposed(t *testing.T) {
	p := extract.RulePattern{Rule: "passive", Hash: "h", Original: "was done by", Suggested: "did", Count: 40}
	kept := extract.OfRule(p)
	p.Rejected = true
	turned := extract.OfRule(p)
	if kept.Learning.Action != `Put "did" instead of "was done by" at once.` || turned.Learning.Action != `Leave "was done by" as it is; do not suggest "did".` {
		t.Errorf("%+v %+v", kept.Learning, turned.Learning)
	}
}

func TestAPatternWithoutAWordToFindItByIsNotTelling(t *testing.T) {
	for _, c := range []struct {
		original, suggested string
		telling             bool
	}{
		{"was done by", "did", true},
		{"[...] was [...] by [...]", "[...]", true},
		{"–", "—", true},
		{"log.print(user.email)", "", true},
		{"[...]", "[...], [...]", false},
		{"[WORD] [EMAIL_1]", "you", false},
		{"", "—", false},
		{"", "", false},
		{"the", "the ", false},
	} {
		if got := (extract.RulePattern{Original: c.original, Suggested: c.suggested}).Telling(); got != c.telling {
			t.Errorf("%q to %q: %t", c.original, c.suggested, got)
		}
	}
}

func TestADeletionIsCalledOne(t *testing.T) {
	p := extract.RulePattern{Rule: "fillers", Hash: "h", Original: "very", Rejected: true, Alike: 38, Count: 40}
	l := extract.OfRule(p).Learning
	if l.Title != `fillers: people turn down deleting "very"` || l.Action != `Leave "very" as it is; do not delete it.` ||
		l.Observation != `Where the suggestion is deleting "very", people turn it down: 38 times of 40.` {
		t.Errorf("%+v", l)
	}
	p.Rejected = false
	if l := extract.OfRule(p).Learning; l.Action != `Delete "very" at once.` {
		t.Errorf("%+v", l)
	}
}

func TestWhatWasProposedOnceIsNotProposedAgain(t *testing.T) {
	m := extract.NewMemory()
	r := extract.OfRule(extract.RulePattern{Rule: "passive", Hash: "h", Original: "was done by", Suggested: "did", Count: 40})
	list := m.Propose([]extract.Recurrence{r})
	if len(list) != 1 || list[0].Payload.(*events.Proposal).Reason != r.Reason {
		t.Fatalf("%+v", list)
	}
	remember(m, &events.Fact[events.Discovery]{}, list)
	if list := m.Propose([]extract.Recurrence{r}); len(list) != 0 {
		t.Errorf("%+v", list)
	}
}

func TestAQueueThatNobodyReadsDoesNotGrow(t *testing.T) {
	m := extract.NewMemory()
	var all []extract.Recurrence
	for i := range 200 {
		all = append(all, extract.OfRule(extract.RulePattern{Rule: fmt.Sprintf("rule-%d", i), Hash: "h", Original: fmt.Sprintf("was%dx", i), Suggested: "did"}))
	}
	list := m.Propose(all)
	remember(m, &events.Fact[events.Discovery]{}, list)
	if more := m.Propose(all); len(list) > 50 || len(more) != 0 {
		t.Errorf("%d proposals, and %d more", len(list), len(more))
	}
}
