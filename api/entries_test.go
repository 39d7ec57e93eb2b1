package api

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/learn/learnings"
	"learnloop.dev/learn/learntest"
	"learnloop.dev/pipeline"
	"learnloop.dev/pipeline/ingest"

	"github.com/go-json-experiment/json/jsontext"
)

// scholar folds what comes through the door and answers for the learnings, as an
// analyzer does, and publishes them, as an injector does.
type scholar struct {
	tb testing.TB
	Door
	house *house

	mu   sync.Mutex
	loop learntest.Loop // guarded by mu
	// rival is heard before what comes through the door next; guarded by mu.
	rival *learntest.Event
	// slow has what comes through the door folded only after somebody asked in vain,
	// and then told; guarded by mu.
	slow bool
	held []learntest.Event // guarded by mu
	asks int               // guarded by mu
}

// school is a house with a scholar.
func school(tb testing.TB, change ...func(*Deps)) (*house, *scholar) {
	tb.Helper()
	s := &scholar{tb: tb, loop: learntest.Loop{Models: []learn.Model{learnings.Model()}}}
	change = append(change, func(d *Deps) { s.Door, d.Door = d.Door, s })
	h := build(tb, change...)
	s.house = h
	clerk, others := idle(2), idle(0, 1, 3)
	clerk.asked = s.answer
	others.asked = func(string, string, jsontext.Value) (any, error) { return nil, nil }
	h.employ(tb, clerk, others)
	return h, s
}

// Take lets the real door decide, and folds what it lets in.
func (s *scholar) Take(ctx context.Context, by ingest.Authority, items []events.Item) ([]ingest.Result, error) {
	results, err := s.Door.Take(ctx, by, items)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.rival != nil {
		s.hear(*s.rival)
		s.rival = nil
	}
	for i, r := range results {
		if !r.Refused() && r.Declined == "" {
			e := learntest.Event{Kind: items[i].Kind, ID: items[i].ID, Source: items[i].Source, Time: items[i].Time, Received: items[i].Received, Data: items[i].Data}
			if s.slow {
				s.held = append(s.held, e)
				continue
			}
			s.hear(e)
		}
	}
	s.publish()
	return results, err
}

func (s *scholar) hear(e learntest.Event) {
	if err := s.loop.Hear(e); err != nil {
		s.tb.Error(err)
	}
}

// catchUp folds what was held, and tells as analyzers do.
func (s *scholar) catchUp() {
	for _, e := range s.held {
		s.hear(e)
	}
	if s.held == nil {
		return
	}
	s.held = nil
	s.publish()
	if err := s.house.nc.Publish(pipeline.KnowSubject(2, learnings.Name, learn.Key{Kind: learnings.KindLearning, ID: "learn_a"}), nil); err != nil {
		s.tb.Error(err)
	}
}

// publish puts on the shelf what is known.
func (s *scholar) publish() {
	contexts, err := s.loop.Contexts()
	if err != nil {
		s.tb.Error(err)
	}
	for _, data := range contexts {
		var l learnings.Learning
		response{body: string(data)}.read(s.tb, &l)
		s.house.enter(s.tb, l)
	}
}

func (s *scholar) answer(model, ask string, args jsontext.Value) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if model != learnings.Name {
		return nil, nil
	}
	p := s.loop.Open()[0]
	s.loop.Refresh()
	s.asks++
	defer s.catchUp()
	return learnings.Model().Answers[ask](learn.Question{Rows: learnings.Model().Open(p.Table), Records: p, Args: args})
}

const (
	admin = "Authorization: Bearer " + token
	coia  = `"context":"c","observation":"o","implication":"i","action":"a"`
)

func TestALearningIsWrittenChangedVotedOnAndArchived(t *testing.T) {
	h, s := school(t)
	var l learnings.Learning
	made := h.do(t, "POST /api/learnings", `{"title":"Sign the body",`+coia+`,"tags":"webhooks","confidence":0.7,"sourceTaskId":"t0"}`)
	if made.read(t, &l); made.status != http.StatusCreated || !strings.HasPrefix(l.ID, "learn_") || l.Confidence != 0.7 ||
		len(l.Tags) != 1 || l.SourceTaskID != "t0" {
		t.Fatalf("%d %+v", made.status, l)
	}
	path := "/api/learnings/" + l.ID
	edited := h.do(t, "PATCH "+path, `{"action":"Sign it.","tags":["a","b"],"reason":"clearer"}`, admin)
	if edited.read(t, &l); edited.status != http.StatusOK || l.Action != "Sign it." || len(l.Tags) != 2 || l.Title != "Sign the body" {
		t.Fatalf("%d %+v", edited.status, l)
	}
	var v Vote
	voted := h.do(t, "POST "+path+"/feedback", `{"taskId":"t1","helpful":true}`)
	if voted.read(t, &v); voted.status != http.StatusAccepted || v.Counted || v.TaskID != "t1" {
		t.Fatalf("%d %+v", voted.status, v)
	}
	s.inject(l.ID, "t1")
	h.do(t, "POST "+path+"/feedback", `{"task_id":"t1","helpful":false}`).read(t, &v)
	if !v.Counted {
		t.Errorf("%+v", v)
	}
	var o Output
	h.do(t, "POST /api/tasks/t1/output", `{"output":"It was right.\nLEARNING_HELPFUL: `+l.ID+`"}`).read(t, &o)
	if h.get(t, path).read(t, &l); len(o.Votes) != 1 || l.TimesHelpful != 1 || l.TimesNotHelpful != 0 || l.Confidence != 0.75 {
		t.Errorf("%+v %+v", o, l)
	}
	for range 2 { // the second time it is there already
		if h.do(t, "DELETE "+path+"?reason=gone", "", admin).read(t, &l); l.Status != learnings.Archived || l.StatusReason != "gone" {
			t.Errorf("%+v", l)
		}
	}
	if p := h.do(t, "PATCH "+path, `{"title":"x"}`, admin).problem(t); p.Code != Conflict {
		t.Errorf("changing what is archived: %+v", p)
	}
	if h.do(t, "PATCH "+path, `{"title":"x","status":"active"}`, admin).read(t, &l); l.Status != learnings.Active || l.Title != "x" {
		t.Errorf("%+v", l)
	}
}

// inject has a task be given a learning.
func (s *scholar) inject(id, task string) {
	s.tb.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	data := jsontext.Value(`{"task_id":"` + task + `","outcome_id":"o","items":[{"learning_id":"` + id + `"}]}`)
	if err := s.loop.Hear(learntest.Event{Kind: events.InjectionRecorded.Kind, ID: task, Time: time.Now(), Data: data}); err != nil {
		s.tb.Fatal(err)
	}
	s.publish()
}

func TestWhatWaitsForReviewIsListedApprovedAndRejected(t *testing.T) {
	h, s := school(t)
	for _, id := range []string{"learn_a1", "learn_a2"} {
		data := jsontext.Value(`{"id":"` + id + `","title":"` + id + `",` + coia + `}`)
		if err := s.loop.Hear(learntest.Event{Kind: events.LearningProposed.Kind, ID: id, Time: time.Unix(1_700_000_000, 0), Data: data}); err != nil {
			t.Fatal(err)
		}
	}
	var q Queue
	if h.get(t, "/api/learnings/review", admin).read(t, &q); q.Total != 2 || q.Proposals[0].ID != "learn_a1" || q.Proposals[0].Status != learnings.Proposed {
		t.Fatalf("%+v", q)
	}
	if p := h.get(t, "/api/learnings/learn_a1").problem(t); p.Code != NotFound {
		t.Errorf("a proposal is shown: %+v", p)
	}
	var l learnings.Learning
	if h.do(t, "POST /api/learnings/learn_a1/review", `{"verdict":"approved"}`, admin).read(t, &l); l.Status != learnings.Active {
		t.Errorf("%+v", l)
	}
	if h.do(t, "POST /api/learnings/learn_a2/review", `{"verdict":"rejected","comment":"no"}`, admin).read(t, &l); l.Status != learnings.Rejected {
		t.Errorf("%+v", l)
	}
	if h.get(t, "/api/learnings/review", admin).read(t, &q); q.Total != 0 {
		t.Errorf("%+v", q)
	}
	if h.get(t, "/api/learnings/learn_a1").status != http.StatusOK {
		t.Error("what was approved is not shown")
	}
}

func TestAProposalIsTurnedDownOrTakenUpByItsStatusToo(t *testing.T) {
	h, s := school(t)
	for id, title := range map[string]string{"learn_a1": "t", "learn_a2": ""} {
		data := jsontext.Value(`{"id":"` + id + `","title":"` + title + `",` + coia + `}`)
		if err := s.loop.Hear(learntest.Event{Kind: events.LearningProposed.Kind, ID: id, Time: time.Unix(1_700_000_000, 0), Data: data}); err != nil {
			t.Fatal(err)
		}
	}
	var l learnings.Learning
	for range 2 { // the second time it is there already
		if h.do(t, "PATCH /api/learnings/learn_a1", `{"status":"archived"}`, admin).read(t, &l); l.Status != learnings.Rejected {
			t.Errorf("%+v", l)
		}
	}
	if p := h.do(t, "PATCH /api/learnings/learn_a2", `{"status":"active"}`, admin).problem(t); p.Code != Conflict {
		t.Errorf("an entry without title: %+v", p)
	}
	if h.do(t, "PATCH /api/learnings/learn_a2", `{"status":"active","title":"t"}`, admin).read(t, &l); l.Status != learnings.Active || l.Title != "t" {
		t.Errorf("%+v", l)
	}
}

func TestBadInputAboutLearningsIsAnsweredClearlyAndChangesNothing(t *testing.T) {
	h, s := school(t)
	h.do(t, "POST /api/learnings", `{"id":"learn_known","title":"t",`+coia+`}`)
	h.do(t, "POST /api/learnings", `{"id":"learn_old","title":"t",`+coia+`}`)
	h.do(t, "DELETE /api/learnings/learn_old", "", admin)
	before := len(h.shelf)
	for line, c := range map[string]struct {
		body, pointer string
		code          Code
	}{
		"POST /api/learnings":                        {`{"title":"` + strings.Repeat("x", 101) + `",` + coia + `}`, "/title", Invalid},
		"POST /api/learnings?":                       {`{"title":"t",` + coia + `,"tags":{"a":1}}`, "/tags", Invalid},
		"POST /api/learnings?#":                      {`{"title":"t",` + coia + `,"tags":[1]}`, "/tags", Invalid},
		"POST /api/learnings?##":                     {`{"title":"t"}`, "/action", Invalid},
		"POST /api/learnings?###":                    {`{"title":"t",` + coia + `,"nonsense":1}`, "/nonsense", Invalid},
		"POST /api/learnings?####":                   {`{"id":"learn_known","title":"again",` + coia + `}`, "", Conflict},
		"PATCH /api/learnings/learn_unheard":         {`{"title":"t"}`, "", NotFound},
		"PATCH /api/learnings/learn_known":           {`{}`, "", Invalid},
		"PATCH /api/learnings/learn_known?":          {`{"reason":"only"}`, "", Invalid},
		"PATCH /api/learnings/learn_known?#":         {`{"confidence":2}`, "/confidence", Invalid},
		"PATCH /api/learnings/learn_old":             {`{"title":"t"}`, "", Conflict},
		"DELETE /api/learnings/learn_unheard":        {"", "", NotFound},
		"POST /api/learnings/learn_unheard/feedback": {`{"task_id":"t","helpful":true}`, "", NotFound},
		"POST /api/learnings/learn_old/feedback":     {`{"task_id":"t","helpful":true}`, "", Conflict},
		"POST /api/learnings/learn_known/feedback":   {`{"task_id":"t","helpful":"yes"}`, "/helpful", Invalid},
		"POST /api/learnings/learn_known/feedback?":  {`{"helpful":true}`, "/task_id", Invalid},
		"POST /api/learnings/learn_unheard/review":   {`{"verdict":"approved"}`, "", NotFound},
		"POST /api/learnings/learn_known/review":     {`{"verdict":"perhaps"}`, "/verdict", Invalid},
		"POST /api/tasks/t/output":                   {`{"output":1}`, "/output", Invalid},
		"POST /api/tasks/t/output?":                  {`half a {`, "", BadRequest},
	} {
		line, _, _ = strings.Cut(line, "?")
		p := h.do(t, line, c.body, admin).problem(t)
		if p.Code != c.code || c.pointer != "" && (len(p.Errors) == 0 || !strings.HasPrefix(p.Errors[0].Pointer, c.pointer)) {
			t.Errorf("%s %s: %+v", line, c.body, p)
		}
	}
	if len(h.shelf) != before || s.loop.Open()[0] == nil {
		t.Errorf("%d learnings, %d before", len(h.shelf), before)
	}
}

func TestTagsOfAnotherTypeAreToldWhatTheyMayBe(t *testing.T) {
	h, _ := school(t)
	client := NewClient(h.nc)
	for _, tags := range []string{`{"a":1}`, `[1]`, `["a",["b"]]`, `5`, `true`} {
		body := `{"title":"t",` + coia + `,"tags":` + tags + `}`
		over := h.do(t, "POST /api/learnings", body).problem(t)
		err := client.Call(t.Context(), "learnings.create", jsontext.Value(body), nil)
		for door, p := range map[string]*Problem{"HTTP": over, "NATS": asProblem(err)} {
			if len(p.Errors) != 1 || p.Errors[0].Pointer != "/tags" || p.Errors[0].Expected != "a text, or an array of texts" {
				t.Errorf("%s over %s: %+v", tags, door, p)
			}
		}
	}
}

func TestOnlyOperatorsChangeLearnings(t *testing.T) {
	h, _ := school(t)
	for _, line := range []string{
		"PATCH /api/learnings/learn_a", "DELETE /api/learnings/learn_a",
		"POST /api/learnings/learn_a/review", "GET /api/learnings/review",
	} {
		if p := h.do(t, line, `{"title":"t"}`).problem(t); p.Code != Unauthorized {
			t.Errorf("%s: %+v", line, p)
		}
	}
}
