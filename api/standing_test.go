package api

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/kv"
	"learnloop.dev/learn/learnings"
	"learnloop.dev/learn/learntest"

	"github.com/go-json-experiment/json/jsontext"
)

// rivalling is an event of somebody else about learn_a.
func rivalling(kind events.Kind, data string) *learntest.Event {
	return &learntest.Event{Kind: kind, ID: "rival", Received: time.Now(), Data: jsontext.Value(data)}
}

func TestWhoChangesALearningIsWokenByExactlyThat(t *testing.T) {
	h, s := school(t)
	h.api.overlook = time.Hour // nobody asks again without being woken
	theirs := rivalling(events.LearningRevised.Kind, `{"id":"learn_a","action":"theirs"}`)
	for _, step := range []struct {
		line, body string
		rival      *learntest.Event
		right      func(learnings.Learning) bool
	}{
		{"POST /api/learnings", `{"id":"learn_a","title":"ours",` + coia + `}`, nil, func(l learnings.Learning) bool { return l.Title == "ours" }},
		{
			"PATCH /api/learnings/learn_a", `{"title":"newer"}`, theirs,
			func(l learnings.Learning) bool { return l.Title == "newer" && l.Action == "theirs" },
		},
		{
			"PATCH /api/learnings/learn_a", `{"status":"archived","reason":"gone"}`, nil,
			func(l learnings.Learning) bool { return l.Status == learnings.Archived && l.StatusReason == "gone" },
		},
		{"POST /api/learnings/learn_a/review", `{"verdict":"approved"}`, nil, func(l learnings.Learning) bool { return l.Status == learnings.Active }},
		{"DELETE /api/learnings/learn_a", "", nil, func(l learnings.Learning) bool { return l.Status == learnings.Archived }},
	} {
		s.mu.Lock()
		s.slow, s.asks, s.rival = true, 0, step.rival
		s.mu.Unlock()
		var l learnings.Learning
		h.do(t, step.line, step.body, admin).read(t, &l)
		if !step.right(l) || s.asks != 3 { // one before, one in vain, and the one that is answered
			t.Errorf("%s %s: asked %d times for %+v", step.line, step.body, s.asks, l)
		}
	}
}

func TestOfTwoWhoCreateOneLearningTheFasterDoes(t *testing.T) {
	h, s := school(t)
	s.rival = rivalling(events.LearningCreated.Kind, `{"id":"learn_a","title":"theirs",`+coia+`}`)
	if p := h.do(t, "POST /api/learnings", `{"id":"learn_a","title":"ours",`+coia+`}`).problem(t); p.Code != Conflict {
		t.Errorf("%+v", p)
	}
	var l learnings.Learning
	if h.get(t, "/api/learnings/learn_a").read(t, &l); l.Title != "theirs" {
		t.Errorf("%q is there", l.Title)
	}
	if r := h.do(t, "POST /api/learnings", `{"id":"learn_b","title":"ours",`+coia+`}`); r.status != http.StatusCreated {
		t.Errorf("alone: %d %s", r.status, r.body)
	}
}

func TestAnEntryThatNobodyCanReadHidesNoOther(t *testing.T) {
	h, _ := school(t)
	h.do(t, "POST /api/learnings", `{"id":"learn_a","title":"Sign the body",`+coia+`}`)
	key := kv.EntryKey("learn_b")
	h.shelf[key] = kv.Context{Key: key, Value: []byte(`{"id":"learn_b","title":{"planted":"planted"}}`), Revision: 1}
	var list LearningList
	if h.get(t, "/api/learnings").read(t, &list); list.Total != 1 || list.Unreadable != 1 || len(list.Learnings) != 1 {
		t.Errorf("%+v", list)
	}
	var found SearchResults
	if h.get(t, "/api/learnings/search?q=body").read(t, &found); found.Total != 1 {
		t.Errorf("%+v", found)
	}
	_, err := h.api.learning(key)
	if err == nil || strings.Contains(err.Error(), "planted") {
		t.Errorf("the error says %v", err)
	}
}
