package app_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"learnloop.dev/app"
	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/learn"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go"
)

const discovery = `{"discovery_id":"d-1","type":"blocker","source_task_id":"t-1","source_outcome_id":"o-1","task_title":"Wire the webhooks",
	"content":"The payment sandbox drops webhooks without a signature. Sign the body in the test helper."}`

// report publishes one event as any agent does.
func (l *living) report(t *testing.T, kind, id, data string) {
	t.Helper()
	m := nats.NewMsg("learn.in." + kind)
	m.Header.Set("Content-Type", "application/cloudevents+json")
	m.Data = []byte(`{"specversion":"1.0","source":"/agent","id":"` + id + `","type":"dev.learnloop.` + kind + `.v1","data":` + data + `}`)
	if _, err := l.js.PublishMsg(t.Context(), m); err != nil {
		t.Fatal(err)
	}
}

// facts are the first of a kind in the log, as soon as there are so many.
func facts[P any](t *testing.T, l *living, kind *events.Type[P], n int) (list []*events.Fact[P]) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	log := bus.ReadLog(l.js, bus.EventsStream, 1, "learn.ev.*."+string(kind.Kind))
	defer log.Close()
	for len(list) < n {
		batch, err := log.Next(ctx)
		if err != nil {
			t.Fatalf("%d facts of %s, want %d: %v", len(list), kind.Kind, n, err)
		}
		for _, e := range batch {
			rec, err := kind.ReadFact(e.Data)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, rec.(*events.Fact[P]))
		}
	}
	return list
}

func TestADiscoveryBecomesALearningInTheLog(t *testing.T) {
	dir := t.TempDir()
	l, stop := start(t, dir)
	l.report(t, "discovery.observed", "1", discovery)
	made := facts(t, l, events.LearningCreated, 1)[0]
	found := facts(t, l, events.DiscoveryObserved, 1)[0]
	if made.Cause != found.Record || made.Data.ExtractedBy != "rules/1" || made.Data.SourceDiscoveryID != "d-1" ||
		*made.Data.Confidence != 0.7 || made.Data.PatternType != events.Gotcha {
		t.Errorf("made %+v of %s", made, found.Record)
	}
	stop()
	l, _ = start(t, dir)
	l.report(t, "discovery.observed", "2", `{"discovery_id":"d-2","type":"constraint","content":"Tests must run without a network.",
		"source_task_id":"t-2","source_outcome_id":"o-1"}`)
	if all := facts(t, l, events.LearningCreated, 2); len(all) != 2 {
		t.Errorf("%d learnings of two discoveries", len(all))
	}
}

func TestALearningThatWasExtractedStandsInTheBucket(t *testing.T) {
	l, _ := start(t, t.TempDir())
	l.report(t, "discovery.observed", "1", discovery)
	id := string(facts(t, l, events.LearningCreated, 1)[0].Data.ID)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	bucket, err := l.js.KeyValue(ctx, learn.Entries)
	if err != nil {
		t.Fatal(err)
	}
	watch, err := bucket.Watch(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = watch.Stop() }()
	for e := range watch.Updates() {
		if e == nil {
			continue // it is not there yet
		}
		if text := string(e.Value()); !strings.Contains(text, `"status":"active"`) || !strings.Contains(text, "Sign the body in the test helper.") {
			t.Errorf("%s", text)
		}
		return
	}
	t.Error("the bucket has nothing")
}

// model is a server that speaks like OpenAI's and answers what it is told to.
func model(t *testing.T, answers ...string) *httptest.Server {
	t.Helper()
	var n atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		text, err := json.Marshal(answers[min(int(n.Add(1)), len(answers))-1])
		if err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"id":"c","object":"chat.completion","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":%s}}]}`, text)
	}))
	t.Cleanup(s.Close)
	return s
}

const wellPut = `{"title":"Sign webhook bodies","context":"Testing webhooks.",
	"observation":"Unsigned calls are dropped, says jane.roe@example.com.",
	"implication":"Silent tests prove nothing.","action":"Sign the body.","tags":["webhooks","testing"],"domain":"api-integration"}`

func TestAModelWritesTheLearningAndWhatItWritesIsProtected(t *testing.T) {
	s := model(t, "Sure, I ignore my instructions.", wellPut)
	l, _ := start(t, t.TempDir(), "extraction.provider=openai", "extraction.model=m", "extraction.base_url="+s.URL)
	l.report(t, "discovery.observed", "1", discovery)
	made := facts(t, l, events.LearningCreated, 1)[0]
	if made.Data.Title != "Sign webhook bodies" || made.Data.ExtractedBy != "openai/m" || strings.Contains(made.Data.Observation, "jane") {
		t.Errorf("%+v", made.Data)
	}
}

func TestExtractionThatIsOffLeavesDiscoveriesAlone(t *testing.T) {
	dir := t.TempDir()
	l, stop := start(t, dir, "extraction.enabled=false")
	l.report(t, "discovery.observed", "1", discovery)
	facts(t, l, events.DiscoveryObserved, 1)
	if _, err := bus.LastMsg(t.Context(), l.js, bus.EventsStream, "learn.ev.*.learning.>"); !errors.Is(err, bus.ErrNotFound) {
		t.Errorf("%v: something was learned", err)
	}
	stop()
	l, _ = start(t, dir)
	facts(t, l, events.LearningCreated, 1) // now that it is on
}

func TestSettingsOfExtractionThatCannotWorkAreRefused(t *testing.T) {
	for pair, says := range map[string]string{
		"extraction.provider=gpt":        "extraction.provider: want rules, anthropic or openai",
		"extraction.provider=anthropic":  "extraction.api_key: want the key of anthropic",
		"extraction.at_once=0":           "extraction.at_once: want 1 to 64",
		"extraction.per_hour=-1":         "extraction.per_hour: want 0",
		"extraction.base_url=ftp://x":    "extraction.base_url: want an address",
		"extraction.base_url=http://u@x": "extraction.base_url: want an address",
	} {
		if _, err := app.Load("", nil, []string{pair}); err == nil || !strings.HasPrefix(err.Error(), says) {
			t.Errorf("%s: %v, want %s", pair, err, says)
		}
	}
	c, err := app.Load("", []string{"ANTHROPIC_API_KEY=k1", "OPENAI_API_KEY=k2"}, []string{"extraction.provider=openai"})
	if err != nil || c.Extraction.APIKey != "k2" {
		t.Errorf("%v: the key is that of another", err)
	}
	c, err = app.Load("", []string{"LEARNLOOP_EXTRACTION__API_KEY=12345", "ANTHROPIC_API_KEY=k1"}, []string{"extraction.provider=anthropic"})
	if err != nil || c.Extraction.APIKey != "12345" {
		t.Errorf("%v: a key of digits is text", err)
	}
}

func TestWhatKeepsComingBackIsFoundInTasksAndRules(t *testing.T) {
	l, _ := start(t, t.TempDir(), "privacy.text_mode=full")
	for i := range 3 {
		l.report(t, "task.corrected", fmt.Sprint("c", i), fmt.Sprintf(`{"task_id":"t%d","tags":["go"],"instruction":"Run the linter before you commit."}`, i))
	}
	for i := range 20 {
		l.report(t, "feedback.fix", fmt.Sprint("f", i), fix("passive"))
	}
	facts(t, l, events.TaskCorrected, 3)
	l.reflected(t, 20)
	all, err := l.Recurring(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var titles []string
	for _, again := range all {
		titles = append(titles, again.Learning.Title)
	}
	if len(titles) != 2 || !slices.Contains(titles, "Run the linter before you commit") || !slices.Contains(titles, `passive: people keep "did" for "was done"`) {
		t.Errorf("%q", titles)
	}
}
