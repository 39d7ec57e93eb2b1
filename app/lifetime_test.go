package app_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"learnloop.dev/api"
	"learnloop.dev/events"
	"learnloop.dev/learn/learnings"
)

// told is all that is said of the learnings that come of two discoveries.
type told struct {
	Kept, Gone string
	Found      []string // by search
	Given      string   // to the next task
}

// sign reports two discoveries about the same, in two outcomes.
func (a *agent) sign(t *testing.T) {
	t.Helper()
	a.report(t, "discovery.observed", "1", discovery)
	a.report(t, "discovery.observed", "2", `{"discovery_id":"d-2","type":"constraint","source_task_id":"t-2","source_outcome_id":"o-2",
		"task_title":"Rotate the webhook keys","content":"Webhooks carry the signature of the key before for a day. Accept both when keys rotate."}`)
}

// made are the ids of the learnings of both discoveries.
func (a *agent) made(t *testing.T) (kept, gone string) {
	t.Helper()
	for _, f := range facts(t, a.living, events.LearningCreated, 2) {
		if f.Data.SourceDiscoveryID == "d-1" {
			kept = string(f.Data.ID)
		} else {
			gone = string(f.Data.ID)
		}
	}
	return kept, gone
}

var signing = map[string]any{"q": "webhook signature", "min_confidence": 0.0}

// tells asks for everything, as soon as the uses of both learnings are known.
func (a *agent) tells(t *testing.T, kept, gone string) (all told) {
	t.Helper()
	byID := func(id string, used int64) string {
		l := eventually(t, a, request{"learnings.get", map[string]any{"id": id}}, func(l api.Learning) bool { return l.TimesInjected == used })
		return fmt.Sprintf("%s %.2f %d %d", l.Status, l.Confidence, l.TimesHelpful, l.TimesNotHelpful)
	}
	all.Found = foundIn(eventually(t, a, request{"learnings.search", signing}, func(r api.SearchResults) bool { return len(r.Results) == 1 }))
	all.Given = call[api.Injection](t, a, "inject", map[string]any{"task_id": "next", "title": "Sign the webhook again", "outcome_id": "o-9"}).Markdown
	all.Kept, all.Gone = byID(kept, 2), byID(gone, 1)
	return all
}

func TestADiscoveryIsLearnedFoundGivenJudgedAndArchivedAndAllOfItIsKept(t *testing.T) {
	dir := t.TempDir()
	a := meet(t, dir, always...)
	a.sign(t)
	kept, gone := a.made(t)
	eventually(t, a, request{"learnings.search", signing}, func(r api.SearchResults) bool { return len(r.Results) == 2 })
	task := map[string]any{"task_id": "task-1", "title": "Check the webhook signature", "outcome_id": "o-3"}
	if ids := given(call[api.Injection](t, a, "inject", task)); !slices.Contains(ids, kept) || !slices.Contains(ids, gone) {
		t.Fatalf("a task is given %v, and there are %s and %s", ids, kept, gone)
	}
	a.report(t, "task.output", "3", fmt.Sprintf(`{"task_id":"task-1","output":"LEARNING_HELPFUL: %s\nLEARNING_NOT_HELPFUL: %s\n"}`, kept, gone))
	eventually(t, a, request{"learnings.get", map[string]any{"id": kept}}, func(l api.Learning) bool { return l.Confidence == 0.75 })
	eventually(t, a, request{"learnings.get", map[string]any{"id": gone}}, func(l api.Learning) bool { return l.Confidence == 0.5 })
	if l := call[api.Learning](t, a, "learnings.archive", map[string]any{"id": gone}); l.Status != learnings.Archived {
		t.Fatalf("it is %s", l.Status)
	}

	before := a.tells(t, kept, gone)
	if fmt.Sprint(before.Found) != "["+kept+"]" || before.Given == "" {
		t.Fatalf("after one was archived: %+v", before)
	}
	for _, lost := range []string{"", filepath.Join(dir, "state")} {
		a.stop()
		if lost != "" {
			if err := os.RemoveAll(lost); err != nil {
				t.Fatal(err)
			}
		}
		a = meet(t, dir, always...)
		a.sign(t) // once more: both are known
		if after := a.tells(t, kept, gone); fmt.Sprint(after) != fmt.Sprint(before) {
			t.Errorf("without %q it became %+v, was %+v", lost, after, before)
		}
	}
}
