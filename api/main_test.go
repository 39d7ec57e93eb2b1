package api

import (
	"context"
	"io"
	"iter"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"learnloop.dev/agent"
	"learnloop.dev/bus"
	"learnloop.dev/kv"
	"learnloop.dev/learn"
	"learnloop.dev/learn/all"
	"learnloop.dev/learn/learnings"
	"learnloop.dev/learn/outcomes"
	"learnloop.dev/learn/rules"
	"learnloop.dev/pipeline/analyze"
	"learnloop.dev/pipeline/guide"
	"learnloop.dev/pipeline/ingest"
	"learnloop.dev/pipeline/recall"
	"learnloop.dev/privacy"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	partitions = 4
	token      = "the admin token"
)

// house is a loop without analyzers and injectors: a real server with real
// streams, a real door, and whatever the test puts into the buckets.
type house struct {
	server *bus.Server
	nc     *nats.Conn // of a stage
	js     jetstream.JetStream
	api    *API
	policy *ingest.Policy
	web    *httptest.Server
	shelf  shelf
	rules  shelf
	recall *recall.Shelf
}

// shelf holds learnings as a reader of their bucket does.
type shelf map[string]kv.Context

func (s shelf) Get(key string) (kv.Context, bool) {
	c, ok := s[key]
	return c, ok
}

func (s shelf) All(string) iter.Seq[kv.Context] { return maps.Values(s) }

// Live is what a shelf is not: what tests put into a bucket is read there.
func (shelf) Live() bool { return false }

// CatchUp has nothing to wait for.
func (shelf) CatchUp(context.Context) error { return nil }

// Changes are none: what is entered later is found when the house shelves it again.
func (s shelf) Changes(context.Context, string) iter.Seq[kv.Context] {
	return func(func(kv.Context) bool) {}
}

// enter puts a learning on the shelf.
func (h *house) enter(tb testing.TB, l learnings.Learning) {
	tb.Helper()
	data, err := learn.Canonical(l)
	if err != nil {
		tb.Fatal(err)
	}
	key := kv.EntryKey(l.ID)
	h.shelf[key] = kv.Context{Key: key, Value: data, Revision: h.shelf[key].Revision + 1}
	if err := h.recall.Run(tb.Context(), func() {}); err != nil {
		tb.Fatal(err)
	}
}

// build starts a house that ends with the test.
func build(tb testing.TB, change ...func(*Deps)) *house {
	tb.Helper()
	h := &house{policy: &ingest.Policy{Privacy: privacy.Defaults(), Entitled: true}, shelf: shelf{}, rules: shelf{}}
	h.recall = recall.NewShelf(h.shelf, nil)
	h.serve(tb)
	d := Deps{
		Conn: h.nc, Partitions: partitions, Door: h.door(tb), DeadLetters: bus.NewDeadLetters(h.js), Learnings: h.shelf, Contexts: h.rules,
		Advice:      guide.NewBoard(h.shelf, []outcomes.Template{{ID: "bug fix", Name: "bug fix", Plan: []outcomes.Step{{ID: "reproduce"}}}}),
		Preferences: agent.NewPreferences(h.shelf),
		Recall:      h.recall, Terms: recall.Terms{Trial: learnings.Trial{Selection: learnings.ByPosterior, Most: mostInjected}, Tokens: 2000},
		Driver: h, Entitled: func() bool { return h.policy.Entitled }, Entrance: Entrance{AdminToken: token}, Journal: bus.NewJournal(h.js), Version: "1.2.3",
		Failed: func(operation string, err error) { tb.Logf("%s: %v", operation, err) },
	}
	for _, f := range change {
		f(&d)
	}
	var err error
	if h.api, err = New(d); err != nil {
		tb.Fatal(err)
	}
	stop, err := h.api.ServeNATS(h.nc)
	if err != nil {
		tb.Fatal(err)
	}
	h.web = httptest.NewServer(h.api.Handler())
	tb.Cleanup(func() {
		h.api.Drain()
		h.web.Close()
		if err := stop(); err != nil {
			tb.Error(err)
		}
	})
	return h
}

func (h *house) serve(tb testing.TB) {
	tb.Helper()
	options := bus.Options{
		Dir: tb.TempDir(), StoreKey: "a key for tests only", AnonymousServices: AnonymousSubjects(),
		SyncInterval: time.Minute,
	}
	if _, measured := tb.(*testing.B); measured {
		options.SyncInterval = 0 // acknowledged means on disk
	}
	var err error
	h.server, err = bus.Serve(options)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(h.server.Shutdown)
	if h.nc, err = h.server.ConnectStage(tb.Name()); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(h.nc.Close)
	if h.js, err = jetstream.New(h.nc); err != nil {
		tb.Fatal(err)
	}
	if _, err := bus.Ensure(tb.Context(), h.js, bus.Layout{Partitions: partitions}); err != nil {
		tb.Fatal(err)
	}
}

func (h *house) door(tb testing.TB) *ingest.Door {
	tb.Helper()
	keys, err := privacy.NewKeys([]byte(strings.Repeat("k", 32)))
	if err != nil {
		tb.Fatal(err)
	}
	return ingest.NewDoor("http", ingest.Stage{
		House: ingest.House{
			Keys: keys, Models: all.Models(), Partitions: partitions,
			Policy: func() *ingest.Policy { return h.policy },
		},
		Log: bus.NewAppender(h.nc, bus.EventsStream), Dead: bus.NewDeadLetters(h.js),
		Owners: bus.NewBucket(h.js, kv.Owners), Now: time.Now,
		Replays: ingest.NewReplays(bus.NewNotices(h.nc), "test"),
	})
}

// put writes a context into the bucket, as an injector would.
func (h *house) put(tb testing.TB, kind, id, value string) {
	tb.Helper()
	h.set(tb, learn.Contexts, kv.Key(kind, id), value)
}

func (h *house) set(tb testing.TB, bucket, key, value string) {
	tb.Helper()
	b, err := h.js.KeyValue(tb.Context(), bucket)
	if err == nil {
		_, err = b.Put(tb.Context(), key, []byte(value))
	}
	if err != nil {
		tb.Fatal(err)
	}
}

// last is the last sequence of a stream.
func (h *house) last(tb testing.TB, stream string) uint64 {
	tb.Helper()
	n, err := bus.Last(tb.Context(), h.js, stream)
	if err != nil {
		tb.Fatal(err)
	}
	return n
}

// analyst answers as an analyzer of some partitions would.
type analyst struct {
	numbers []int
	lines   map[string]analyze.Line
	tally   analyze.Tally
	asked   func(model, question string, args jsontext.Value) (any, error)
	census  func(analyze.Survey) analyze.Census
}

func (a analyst) Ask(model, question string, args jsontext.Value) ([]analyze.Part, error) {
	return a.parts(func() (any, error) { return a.asked(model, question, args) })
}

func (a analyst) Explain(key learn.Key) ([]analyze.Part, error) {
	if key.Kind != kindRule {
		return nil, analyze.ErrUnknown
	}
	return a.parts(func() (any, error) { return a.lines, nil })
}

func (a analyst) Census(s analyze.Survey) ([]analyze.Part, error) {
	return a.parts(func() (any, error) { return a.census(s), nil })
}

func (a analyst) Of(string) analyze.Tally { return a.tally }

func (a analyst) parts(value func() (any, error)) (out []analyze.Part, err error) {
	for _, n := range a.numbers {
		v, err := value()
		if err != nil {
			return nil, err
		}
		data, err := learn.WriteAnswer(v)
		if err != nil {
			return nil, err
		}
		out = append(out, analyze.Part{Partition: n, Value: data})
	}
	return out, nil
}

// employ lets analysts answer until the test ends.
func (h *house) employ(tb testing.TB, analysts ...analyst) {
	tb.Helper()
	for _, a := range analysts {
		stop, err := ServeQuestions(h.nc, Questions{Answerer: a, Tallies: a, Partitions: a.numbers})
		if err != nil {
			tb.Fatal(err)
		}
		tb.Cleanup(func() {
			if err := stop(); err != nil {
				tb.Error(err)
			}
		})
	}
}

// idle is an analyst of partitions in which nothing happened.
func idle(numbers ...int) analyst {
	return analyst{numbers: numbers, asked: func(model, _ string, _ jsontext.Value) (any, error) {
		if model == rules.Name {
			return rules.Part{}, nil
		}
		return nil, nil
	}}
}

// response is an answer over HTTP, read to its end.
type response struct {
	status int
	header http.Header
	body   string
}

// problem reads the answer as a problem.
func (r response) problem(tb testing.TB) *Problem {
	tb.Helper()
	p := new(Problem)
	if ct := r.header.Get("Content-Type"); ct != mediaProblem {
		tb.Fatalf("%d %s is not a problem: %s", r.status, ct, r.body)
	}
	if err := json.Unmarshal([]byte(r.body), p); err != nil {
		tb.Fatalf("%v in %s", err, r.body)
	}
	if p.Status != r.status || p.Title == "" || p.Type != problemTypes+string(p.Code) {
		tb.Errorf("a problem that contradicts its answer %d: %s", r.status, r.body)
	}
	return p
}

// read decodes the answer's body.
func (r response) read(tb testing.TB, into any) {
	tb.Helper()
	if err := json.Unmarshal([]byte(r.body), into); err != nil {
		tb.Fatalf("%d: %v in %s", r.status, err, r.body)
	}
}

func (h *house) get(tb testing.TB, path string, headers ...string) response {
	tb.Helper()
	return h.do(tb, "GET "+path, "", headers...)
}

// do sends a request such as "GET /healthz"; headers are "Name: value".
func (h *house) do(tb testing.TB, line, body string, headers ...string) response {
	tb.Helper()
	method, path, _ := strings.Cut(line, " ")
	req, err := http.NewRequestWithContext(tb.Context(), method, h.web.URL+path, strings.NewReader(body))
	if err != nil {
		tb.Fatal(err)
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		if name == "Host" {
			req.Host = value
			continue
		}
		req.Header.Add(name, value)
	}
	client := h.web.Client()
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	res, err := client.Do(req)
	if err != nil {
		tb.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		tb.Fatal(err)
	}
	return response{res.StatusCode, res.Header, string(data)}
}

// stranger connects without credentials.
func (h *house) stranger(tb testing.TB) *nats.Conn {
	tb.Helper()
	nc, err := nats.Connect(h.server.URL(), nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(nc.Close)
	return nc
}

// briefly is a context that ends soon, for calls that should.
func briefly(tb testing.TB) context.Context {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), 5*time.Second)
	tb.Cleanup(cancel)
	return ctx
}

func timeout(tb testing.TB, d time.Duration) (context.Context, context.CancelFunc) {
	tb.Helper()
	return context.WithTimeout(tb.Context(), d)
}

func message(subject, data string, headers ...string) *nats.Msg {
	m := nats.NewMsg(subject)
	m.Data = []byte(data)
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		m.Header[name] = append(m.Header[name], value)
	}
	return m
}
