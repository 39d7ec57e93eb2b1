package learnings_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/learn/learnings"
	"learnloop.dev/learn/learntest"
	"learnloop.dev/stats"

	"github.com/go-json-experiment/json"
	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestScripts(t *testing.T) { learntest.Scripts(t, "testdata/scripts", learnings.Model()) }

func TestLearningsKeepTheLawsOfModels(t *testing.T) {
	learntest.Laws{
		Model:         learnings.Model(),
		Events:        rapid.Custom(drawEvent),
		RowsPerRecord: 24, // an injection of two learnings that chance decides about makes 21
		LongestRow:    4 << 10,
		Apart:         apart,
		Controls:      rapid.Custom(drawTick),
	}.Check(t)
}

// drawTick draws the beginning of a day.
func drawTick(t *rapid.T) learntest.Event {
	day := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, rapid.IntRange(0, 400).Draw(t, "day"))
	data, err := json.Marshal(events.Tick{Date: day.Format(time.DateOnly)})
	if err != nil {
		panic(err)
	}
	return learntest.Event{Kind: events.ControlTick.Kind, ID: "tick", Source: "test", Time: day, Data: data}
}

var (
	ids   = rapid.SampledFrom([]events.ID{"learn_a", "learn_b", "learn_c", "x/1.2"})
	tasks = rapid.SampledFrom([]events.ID{"t", "t/1", "t/1/x", "a/b c"})
	words = rapid.SampledFrom([]string{"", "sign the body", "Ünder way"})
	arms  = rapid.SampledFrom([]events.Arm{"", "treatment", "holdout", "placebo"})
)

// drawEvent draws from few values, so that entries, tasks and identities repeat.
func drawEvent(t *rapid.T) learntest.Event {
	kind, data := drawPayload(t)
	return event(kind, fmt.Sprint(rapid.IntRange(1, 60).Draw(t, "id")), rapid.IntRange(0, 400).Draw(t, "day"), data)
}

func drawPayload(t *rapid.T) (events.Kind, any) {
	id, word := ids.Draw(t, "learning"), words.Draw(t, "word")
	switch rapid.IntRange(0, 11).Draw(t, "kind") {
	case 0:
		return events.LearningCreated.Kind, events.Learning{ID: id, Title: word, Confidence: drawConfidence(t)}
	case 1:
		return events.LearningProposed.Kind, events.Proposal{ID: id, Title: word, Supersedes: rapid.OneOf(ids, rapid.Just(events.ID(""))).Draw(t, "older")}
	case 2:
		return events.LearningReviewed.Kind, events.Review{ID: id, Verdict: rapid.SampledFrom([]events.ReviewVerdict{"approved", "rejected"}).Draw(t, "verdict")}
	case 3:
		return events.LearningRevised.Kind, drawRevision(t, id, word)
	case 4:
		return events.LearningArchived.Kind, events.Archival{ID: id, Reason: word}
	case 5:
		return events.LearningSuperseded.Kind, events.Succession{ID: id, SupersededBy: ids.Draw(t, "heir")}
	case 6, 7:
		items := []events.InjectedItem{{LearningID: id}, {LearningID: ids.Draw(t, "another")}}
		return events.InjectionRecorded.Kind, events.Injection{TaskID: tasks.Draw(t, "task"), OutcomeID: "o", Items: items, Arm: arms.Draw(t, "arm")}
	case 9:
		return events.InjectionRecorded.Kind, drawInjection(t, id)
	case 10:
		status := rapid.SampledFrom([]events.TaskStatus{events.Completed, events.Failed, events.Cancelled}).Draw(t, "status")
		return events.TaskFinished.Kind, events.Task{TaskID: tasks.Draw(t, "task"), Status: status, Subtasks: []events.Subtask{}}
	case 8:
		return events.TaskOutput.Kind, events.AgentOutput{TaskID: tasks.Draw(t, "task"), Output: "LEARNING_NOT_HELPFUL: learn_a\nLEARNING_HELPFUL: " + string(id)}
	default:
		return events.FeedbackLearning.Kind, events.Vote{LearningID: id, TaskID: tasks.Draw(t, "task"), Helpful: rapid.Bool().Draw(t, "helpful")}
	}
}

// drawRevision draws one that changes an entry, names evidence, or both, or neither.
func drawRevision(t *rapid.T, id events.ID, word string) events.Revision {
	r := events.Revision{ID: id, Reason: word}
	if rapid.Bool().Draw(t, "changes") {
		r.Action, r.Confidence = &word, drawConfidence(t)
	}
	if rapid.Bool().Draw(t, "cites") {
		r.SourceTaskID = tasks.Draw(t, "source")
	}
	return r
}

// drawInjection draws one of which chance decided.
func drawInjection(t *rapid.T, id events.ID) events.Injection {
	items := []events.InjectedItem{
		{LearningID: id, LeftOut: rapid.Bool().Draw(t, "left out"), Propensity: new(0.8), Beside: rapid.Int64Range(-9, 9).Draw(t, "beside")},
		{LearningID: ids.Draw(t, "another"), Propensity: new(rapid.SampledFrom([]float64{0.8, 1}).Draw(t, "propensity"))},
	}
	shares := &events.ArmShares{Holdout: rapid.SampledFrom([]float64{0, 0.05}).Draw(t, "holdout"), Placebo: 0.1}
	return events.Injection{TaskID: tasks.Draw(t, "task"), OutcomeID: "o", Items: items, Arm: arms.Draw(t, "arm"), Shares: shares}
}

func drawConfidence(t *rapid.T) *float64 {
	if rapid.Bool().Draw(t, "stated") {
		return new(rapid.SampledFrom([]float64{0, 0.05, 0.12, 0.5, 0.7, 0.97, 1}).Draw(t, "confidence"))
	}
	return nil
}

func event(kind events.Kind, id string, day int, data any) learntest.Event {
	raw, err := json.Marshal(data)
	if err != nil {
		panic(err)
	}
	at := time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC).AddDate(0, 0, day)
	return learntest.Event{Kind: kind, ID: id, Source: "test", Time: at, Data: raw}
}

// apart gives an event that is known by its data an identity of its own.
func apart(e learntest.Event, n int) learntest.Event {
	name := map[events.Kind]string{
		events.LearningCreated.Kind: "id", events.LearningProposed.Kind: "id", events.FeedbackLearning.Kind: "task_id",
		events.TaskFinished.Kind: "task_id",
	}[e.Kind]
	if name == "" {
		return e
	}
	var data map[string]any
	if err := json.Unmarshal(e.Data, &data); err != nil {
		panic(err)
	}
	data[name] = fmt.Sprintf("apart-%d", n)
	raw, err := json.Marshal(data)
	if err != nil {
		panic(err)
	}
	e.Data = raw
	return e
}

// identity is what makes two events one record.
func identity(e learntest.Event) string {
	spec, _ := events.Lookup(e.Kind)
	p := spec.NewPayload()
	if err := json.Unmarshal(e.Data, p); err != nil {
		panic(err)
	}
	if name := p.Identity(); len(name) > 0 {
		return fmt.Sprint(e.Kind, name)
	}
	return fmt.Sprint(e.Kind, e.Source, e.ID)
}

func TestAnyRecordTakenBackLeavesWhatTheOthersSay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log := rapid.SliceOfN(rapid.Custom(drawEvent), 1, 50).Draw(t, "log")
		gone := map[string]bool{}
		for _, e := range rapid.SliceOf(rapid.SampledFrom(log)).Draw(t, "gone") {
			gone[identity(e)] = true
		}
		got, want := loop(t, log), loop(t, slices.DeleteFunc(slices.Clone(log), func(e learntest.Event) bool { return gone[identity(e)] }))
		for _, e := range log {
			if gone[identity(e)] {
				withdraw(got, e)
			}
		}
		got.Refresh()
		if diff := gocmp.Diff(want.Open()[0].Dump(), got.Open()[0].Dump()); diff != "" {
			t.Fatalf("rows: -want +got\n%s", diff)
		}
		learntest.SameContexts(t, want, got)
	})
}

// withdraw takes back the record of an event, by the id of whichever content won.
func withdraw(l *learntest.Loop, e learntest.Event) {
	name := identity(e)
	for f := range l.Open()[0].Each(learn.Select{Kind: e.Kind}) {
		h := f.Header()
		raw, err := json.Marshal(f.Payload())
		if err != nil {
			panic(err)
		}
		if identity(learntest.Event{Kind: h.Kind(), ID: h.ID, Source: h.Source, Data: raw}) == name {
			l.WithdrawRecord(h.Record)
		}
	}
}

func loop(t *rapid.T, log []learntest.Event) *learntest.Loop {
	t.Helper()
	l := &learntest.Loop{Models: []learn.Model{learnings.Model()}}
	for _, e := range log {
		if err := l.Hear(e); err != nil {
			t.Fatal(err)
		}
	}
	l.Refresh()
	return l
}

func TestTasksAreCountedByTheArmOfTheirFirstInjection(t *testing.T) {
	l := &learntest.Loop{Models: []learn.Model{learnings.Model()}}
	hear := func(kind events.Kind, id string, day int, data any) {
		t.Helper()
		if err := l.Hear(event(kind, id, day, data)); err != nil {
			t.Fatal(err)
		}
	}
	hear(events.TaskFinished.Kind, "1", 3, events.Task{TaskID: "a", Status: events.Completed, Subtasks: []events.Subtask{}})
	hear(events.InjectionRecorded.Kind, "2", 2, events.Injection{TaskID: "a", Arm: events.ArmTreatment})
	hear(events.InjectionRecorded.Kind, "3", 1, events.Injection{TaskID: "a", Arm: events.ArmHoldout})
	hear(events.InjectionRecorded.Kind, "4", 1, events.Injection{TaskID: "b"})
	hear(events.TaskFinished.Kind, "5", 2, events.Task{TaskID: "b", Status: events.Failed, Subtasks: []events.Subtask{}})
	hear(events.InjectionRecorded.Kind, "6", 1, events.Injection{TaskID: "c"})
	hear(events.TaskFinished.Kind, "7", 2, events.Task{TaskID: "c", Status: events.Cancelled, Subtasks: []events.Subtask{}})
	parts, err := learntest.Ask[learnings.Block](l, learnings.Model(), learnings.AskBlock, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := learnings.Arms{Treatment: stats.Share{X: 0, N: 1}, Holdout: stats.Share{X: 1, N: 1}}
	if got := learnings.MergeBlocks(parts...).Arms; got != want {
		t.Errorf("%+v", got)
	}
}

func TestTheQueueListsTheOldestProposalsAndCountsAll(t *testing.T) {
	l := &learntest.Loop{Models: []learn.Model{learnings.Model()}}
	const all = 103
	for i := range all {
		id := events.ID(fmt.Sprintf("learn_%03d", i))
		if err := l.Hear(event(events.LearningProposed.Kind, string(id), all-i, events.Proposal{ID: id, Title: "t"})); err != nil {
			t.Fatal(err)
		}
	}
	approved := events.Review{ID: "learn_102", Verdict: events.ReviewApproved}
	if err := l.Hear(event(events.LearningReviewed.Kind, "r", all, approved)); err != nil {
		t.Fatal(err)
	}
	parts, err := learntest.Ask[learnings.Queue](l, learnings.Model(), learnings.AskQueue, nil)
	if err != nil {
		t.Fatal(err)
	}
	q := parts[0]
	if q.Total != all-1 || len(q.Oldest) != 100 || q.Oldest[0].ID != "learn_101" || q.Oldest[99].ID != "learn_002" {
		t.Errorf("%d listed of %d", len(q.Oldest), q.Total)
	}
}

func FuzzFold(f *testing.F) {
	learntest.Fuzz(f, learnings.Model(),
		`{"id":"learn_a","title":"t","context":"c","observation":"o","implication":"i","action":"a","confidence":-1e300,"tags":"x"}`,
		`{"id":1,"superseded_by":1,"supersedes":"\u0000"}`,
		`{"id":"learn_a","verdict":"approved","supersedes":"learn_a"}`,
		`{"task_id":"t","items":[{"learning_id":"learn_a"},{"context_key":"rule.x"}],"arm":"?"}`,
		`{"task_id":"","learning_id":"","helpful":true}`,
		`{"task_id":"t","output":"","derived":{"votes":[{"learning_id":"","helpful":false}]}}`,
		`{"date":"2026-01-01","timestamp":"9999-12-31T23:59:59-23:59"}`,
	)
}
