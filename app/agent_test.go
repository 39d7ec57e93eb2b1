package app_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"learnloop.dev/app"
	"learnloop.dev/bus"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// patience is how long something may take on a busy machine before a test gives up.
const patience = time.Minute

// agent is a client without credentials of a loop whose log lines and dead
// letters are kept.
type agent struct {
	*living
	log     *logbook
	nc      *nats.Conn // without credentials
	js      jetstream.JetStream
	letters map[string]*nats.Subscription // by stage
	stop    func()
}

// meet runs a loop on a folder until the test ends or stop is called, and
// connects to it as an agent does.
func meet(t *testing.T, dir string, pairs ...string) *agent {
	t.Helper()
	a := &agent{living: &living{data: dir}, log: &logbook{}}
	a.run(t, append([]string{"data=" + dir}, pairs...))
	a.connect(t)
	var err error
	if a.nc, err = bus.Connect(a.Addresses().NATS, "", "agent"); err != nil {
		t.Fatal(err)
	}
	if a.js, err = jetstream.New(a.nc, jetstream.WithDefaultTimeout(patience)); err != nil {
		t.Fatal(err)
	}
	a.letters = map[string]*nats.Subscription{}
	for _, stage := range []string{"ingest", "http"} {
		if a.letters[stage], err = a.living.nc.SubscribeSync("learn.dlq." + stage + ".>"); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.living.nc.Flush(); err != nil {
		t.Fatal(err)
	}
	return a
}

func (a *agent) run(t *testing.T, pairs []string) {
	t.Helper()
	lines := zapcore.NewCore(zapcore.NewJSONEncoder(zap.NewProductionEncoderConfig()), a.log, zapcore.DebugLevel)
	ctx, cancel := context.WithCancel(context.Background())
	loop, ended := launch(ctx, t, zap.New(lines), pairs)
	a.Loop = loop
	a.stop = sync.OnceFunc(func() {
		for _, nc := range []*nats.Conn{a.nc, a.living.nc} {
			if nc != nil {
				nc.Close()
			}
		}
		cancel()
		if err := errors.Join(<-ended, a.Close()); err != nil {
			t.Errorf("stop: %v", err)
		}
	})
	t.Cleanup(a.stop)
}

// inClear among the settings of a loop has nothing encrypted on disk.
const inClear = "in clear"

// launch opens a loop and runs it until the context ends; it returns when the
// loop is ready.
func launch(ctx context.Context, t *testing.T, log *zap.Logger, pairs []string) (*app.Loop, <-chan error) {
	t.Helper()
	given := slices.DeleteFunc(slices.Clone(pairs), func(pair string) bool { return pair == inClear })
	config, err := app.Load("", nil, append([]string{"http=127.0.0.1:0", "nats=127.0.0.1:0", "clock.ticks=false"}, given...))
	if err != nil {
		t.Fatal(err)
	}
	if slices.Contains(pairs, inClear) {
		config = config.InClear()
	}
	loop, err := app.Open(ctx, config, log)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- loop.Run(ctx) }()
	select {
	case <-loop.Ready():
	case err := <-ended:
		t.Fatalf("the loop ended before it was ready: %v", err)
	}
	return loop, ended
}

// logbook keeps what a loop logs.
type logbook struct {
	mu    sync.Mutex
	lines []string      // guarded by mu
	more  chan struct{} // guarded by mu; closed with the next line
}

// Write takes in a line.
func (b *logbook) Write(line []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lines = append(b.lines, string(line))
	if b.more != nil {
		close(b.more)
		b.more = nil
	}
	return len(line), nil
}

// Sync has nothing to do.
func (*logbook) Sync() error { return nil }

// read returns all lines.
func (b *logbook) read() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return strings.Join(b.lines, "")
}

// next is closed when another line is written.
func (b *logbook) next() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.more == nil {
		b.more = make(chan struct{})
	}
	return b.more
}

// await returns when something is so, which only a line can change.
func (b *logbook) await(t *testing.T, so func() bool) {
	t.Helper()
	for late := time.After(patience); ; {
		next := b.next()
		if so() {
			return
		}
		select {
		case <-next:
		case <-late:
			t.Fatalf("it never was so: %s", b.read())
		}
	}
}

// applied is how often settings came into force.
func (b *logbook) applied() int { return strings.Count(b.read(), `"settings applied"`) }

// message is a message of events, whatever the door.
type message struct {
	header map[string]string
	body   string
}

// event writes an event in structured mode.
func event(id, ceType, data string) string {
	return fmt.Sprintf(`{"specversion":"1.0","id":%q,"source":"/agent","type":%q,"data":%s}`, id, ceType, data)
}

func structured(event string) message {
	return message{map[string]string{"Content-Type": "application/cloudevents+json"}, event}
}

func batch(events ...string) message {
	return message{map[string]string{"Content-Type": "application/cloudevents-batch+json"}, "[" + strings.Join(events, ",") + "]"}
}

func binary(id, ceType, data string) message {
	return message{map[string]string{"Content-Type": "application/json", "ce-specversion": "1.0", "ce-id": id,
		"ce-source": "/agent", "ce-type": ceType}, data}
}

const fixType = "dev.learnloop.feedback.fix.v1"

// fix is the data of a decision about a rule; pairs of strings replace parts of it.
func fix(rule string, replace ...string) string {
	data := `{"suggestion_id":"s1","deviation_id":"d1","rule_id":` + quoted(rule) + `,"category":"style",` +
		`"decision":"accepted","original_text":"was done","suggested_text":"did"}`
	return strings.NewReplacer(replace...).Replace(data)
}

func quoted(text string) string {
	data, err := json.Marshal(text)
	if err != nil {
		panic(err) // the test is wrong
	}
	return string(data)
}

// publish sends a message over NATS and returns when it is acknowledged.
func (a *agent) publish(t *testing.T, m message) {
	t.Helper()
	out := nats.NewMsg("learn.in.feedback.fix")
	for name, value := range m.header {
		out.Header.Set(name, value)
	}
	out.Data = []byte(m.body)
	if _, err := a.js.PublishMsg(t.Context(), out); err != nil {
		t.Fatal(err)
	}
}

// letter is a dead letter, and all of it as text.
type letter struct {
	Stage      string
	Reason     string
	Violations []fault
	raw        string
}

// fault is one place where an event is wrong.
type fault struct{ Pointer, Expected string }

// letter returns a stage's next dead letter.
func (a *agent) letter(t *testing.T, stage string) (l letter) {
	t.Helper()
	m, err := a.letters[stage].NextMsg(patience)
	if err != nil {
		t.Fatalf("no dead letter: %v", err)
	}
	decode(t, m.Data, &l)
	l.raw = fmt.Sprint(m.Subject, m.Header, string(m.Data))
	return l
}

// answer is what the HTTP door says: about one event, about a batch, or a problem.
type answer struct {
	Status   int
	Code     string
	Hint     string
	Errors   []fault
	Accepted int
	Declined map[string]int
	Refused  []struct {
		Index  int
		Reason string
		Errors []fault
	}
}

// post sends a message to the HTTP door.
func (a *agent) post(t *testing.T, m message) (got answer) {
	t.Helper()
	status, body := a.ask(t, "POST /v1/events", m)
	decode(t, body, &got)
	got.Status = status
	return got
}

// ask makes one HTTP request, "GET /path".
func (a *agent) ask(t *testing.T, what string, m message) (status int, body []byte) {
	t.Helper()
	method, path, _ := strings.Cut(what, " ")
	r, err := http.NewRequestWithContext(t.Context(), method, a.Addresses().HTTP+path, strings.NewReader(m.body))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range m.header {
		r.Header.Set(name, value)
	}
	r.Host = m.header["Host"] // the URL's when empty
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: patience}
	resp, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var all bytes.Buffer
	if _, err := io.Copy(&all, resp.Body); err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, all.Bytes()
}

func decode(t *testing.T, data []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(data, into, json.MatchCaseInsensitiveNames(true)); err != nil {
		t.Fatalf("%v: %s", err, data)
	}
}

// total asks how much feedback counts.
func (a *agent) total(t *testing.T) int {
	t.Helper()
	n, _ := a.statistics(t)["total_feedback"].(float64)
	return int(n)
}
