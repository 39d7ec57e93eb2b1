package api

import (
	"fmt"
	"testing"
	"time"

	"learnloop.dev/learn/learnings"
)

func TestPagesOfLearningsNeitherRepeatNorMissWhatStays(t *testing.T) {
	h := build(t)
	at := time.Date(2026, 1, 1, 0, 0, 0, 5, time.UTC)
	for i := range 7 {
		h.enter(t, learnings.Learning{ID: fmt.Sprintf("learn_%d", i), Title: "t", Status: learnings.Active, CreatedAt: at.Add(time.Duration(i/2) * time.Hour)})
	}
	for _, choice := range []string{"", "&search=t"} {
		var all []string
		for cursor, pages := "", 0; pages == 0 || cursor != ""; pages++ {
			var page LearningList
			h.get(t, "/api/learnings?limit=3"+choice+"&cursor="+cursor).read(t, &page)
			for _, l := range page.Learnings {
				all = append(all, l.ID)
			}
			if page.Total < 7 || pages > 3 {
				t.Fatalf("%d in all on page %d", page.Total, pages)
			}
			cursor = page.Next
			if pages == 0 { // a newer one comes between the pages
				h.enter(t, learnings.Learning{ID: "learn_new" + choice, Title: "t", Status: learnings.Active, CreatedAt: at.Add(time.Duration(len(choice)+9) * time.Hour)})
			}
		}
		want := "[learn_6 learn_4 learn_5 learn_2 learn_3 learn_0 learn_1]"
		if choice != "" {
			want = "[learn_new learn_6 learn_4 learn_5 learn_2 learn_3 learn_0 learn_1]"
		}
		if fmt.Sprint(all) != want {
			t.Errorf("%s: %v", choice, all)
		}
	}
}

func TestWhatIsNoCursorIsRefused(t *testing.T) {
	h := build(t)
	for _, path := range []string{"/api/learnings?cursor=x", "/api/dlq?cursor=x", "/api/patterns?cursor=x", "/api/samples/export?cursor=x"} {
		if p := h.get(t, path, asAdmin).problem(t); p.Status != 422 {
			t.Errorf("%s: %+v", path, p)
		}
	}
}
