package deploy_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"learnloop.dev/api"
	"learnloop.dev/app"
	"learnloop.dev/bus"
	"learnloop.dev/kv"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

// start runs a stage against the server until the test ends, and expects the
// server to refuse it nothing.
func (s site) start(t *testing.T, role app.Role) {
	t.Helper()
	config, err := app.Load("", nil, []string{
		"data=" + filepath.Join(t.TempDir(), string(role)), "server=" + s.url, "creds=" + s.seeds[string(role)],
		"http=127.0.0.1:0",
	})
	if err != nil {
		t.Fatal(err)
	}
	core, lines := observer.New(zap.WarnLevel)
	loop, err := app.OpenRole(t.Context(), role, config, zap.New(core))
	if err != nil {
		t.Fatalf("open %s: %v, %v", role, err, lines.All())
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- loop.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := errors.Join(<-ended, loop.Close()); err != nil {
			t.Errorf("%s: %v", role, err)
		}
		for _, line := range lines.All() {
			if line.Message == "insufficient data for learning context" { // of one event
				continue
			}
			t.Errorf("%s says %s %v", role, line.Message, line.ContextMap())
		}
	})
	select {
	case <-loop.Ready():
	case err := <-ended:
		t.Fatalf("%s ended: %v", role, err)
	}
}

const planted = "jane.roe@example.com"

// report publishes an event with its data, as any agent does.
func (c client) report(t *testing.T, kind, id, data string) {
	t.Helper()
	js, err := jetstream.New(c.Conn)
	if err != nil {
		t.Fatal(err)
	}
	m := nats.NewMsg("learn.in." + kind)
	m.Header.Set("Content-Type", "application/cloudevents+json")
	m.Data = []byte(`{"specversion":"1.0","source":"/agent","replayid":"r","id":"` + id + `","type":"dev.learnloop.` + kind + `.v1","data":` + data + `}`)
	if _, err := js.PublishMsg(t.Context(), m); err != nil {
		t.Fatal(err)
	}
}

const decision = `{"feedback_id":"f","suggestion_id":"s","deviation_id":"d","rule_id":"passive","category":"style",
	"decision":"accepted","original_text":"was done by ` + planted + `","suggested_text":"did"}`

// reportMuch makes the stages do everything they ever do.
func (c client) reportMuch(t *testing.T) {
	t.Helper()
	c.report(t, "feedback.response", "early", `{"exchange_id":"x","feedback_type":"copy"}`)
	c.report(t, "exchange.recorded", "x", `{"exchange_id":"x","session_id":"s","user_text":"`+planted+`","agent_text":""}`)
	c.report(t, "feedback.fix", "refused", `{}`)
	c.report(t, "feedback.fix", "1", strings.Replace(decision, "{", `{"timestamp":"2026-01-01T00:00:00Z",`, 1))
	c.report(t, "feedback.fix", "2", strings.NewReplacer("accepted", "rejected", "{", `{"timestamp":"2026-01-02T00:00:00Z",`).Replace(decision))
}

// mindChanged is in the context when the second decision has replaced the first.
const mindChanged = `"acceptance_rate":0,`

// reads waits for the context of the rule, as any generator does.
func (c client) reads(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 6*soon)
	defer cancel()
	r, err := kv.NewReader(ctx, c.Conn, kv.ReaderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	changes := r.Changes(ctx, kv.Key("rule", "passive"))
	if known, ok := r.Get(kv.Key("rule", "passive")); ok && bytes.Contains(known.Value, []byte(mindChanged)) {
		return
	}
	for changed := range changes {
		if bytes.Contains(changed.Value, []byte(mindChanged)) {
			return
		}
	}
	t.Fatal("the context never came")
}

func TestALearningIsWrittenVotedOnAndArchivedWhereStagesRunApart(t *testing.T) {
	s := run(t, "single.conf")
	for _, role := range []app.Role{app.Ingest, app.Analyzer, app.Injector} {
		s.start(t, role)
	}
	stranger, operator := api.NewClient(s.connect(t, "stranger").Conn), api.NewClient(s.connect(t, "operator").Conn)
	var l api.Learning
	call := func(c *api.Client, name, args string) {
		t.Helper()
		if err := c.Call(t.Context(), name, jsontext.Value(args), &l); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	call(stranger, "learnings.create", `{"id":"learn_a","title":"Ask `+planted+`","context":"c","observation":"o","implication":"i","action":"a"}`)
	if l.ID != "learn_a" || strings.Contains(l.Title, planted) {
		t.Errorf("%+v", l)
	}
	call(operator, "learnings.revise", `{"id":"learn_a","title":"Ask"}`)
	call(stranger, "learnings.feedback", `{"id":"learn_a","task_id":"t","helpful":true}`)
	call(stranger, "tasks.output", `{"id":"t","output":"LEARNING_HELPFUL: learn_a"}`)
	if call(operator, "learnings.archive", `{"id":"learn_a"}`); l.Title != "Ask" || l.Status != "archived" {
		t.Errorf("%+v", l)
	}
	if err := stranger.Call(t.Context(), "learnings.archive", jsontext.Value(`{"id":"learn_a"}`), nil); err == nil {
		t.Error("a stranger archives")
	}
	var log api.Audit
	if err := operator.Call(t.Context(), "audit.list", nil, &log); err != nil {
		t.Fatal(err)
	}
	var written []string
	for _, d := range slices.Backward(log.Deeds) {
		written = append(written, d.Who+" "+d.Operation+" "+d.Outcome)
	}
	if want := []string{"operator learnings.revise done", "operator learnings.archive done"}; !slices.Equal(written, want) {
		t.Errorf("the audit log says %q, want %q", written, want)
	}
}

func TestAnEventGoesFromAnAgentThroughThreeStagesToAGenerator(t *testing.T) {
	s := run(t, "single.conf")
	for _, role := range []app.Role{app.Ingest, app.Analyzer, app.Injector} {
		s.start(t, role)
	}
	operator := s.connect(t, "operator")
	heard, err := operator.SubscribeSync(">")
	if err != nil {
		t.Fatal(err)
	}
	if err := operator.FlushTimeout(soon); err != nil {
		t.Fatal(err)
	}
	s.connect(t, "agent").reportMuch(t)
	generator := s.connect(t, "generator")
	generator.reads(t)
	for operation, args := range map[string]any{
		"rules.get": map[string]string{"id": "passive"}, "contexts.list": nil, "contexts.summary": nil,
		"statistics.get": nil, "explain": map[string]string{"key": "rule.passive"}, "ready": nil,
	} {
		if err := api.NewClient(generator.Conn).Call(t.Context(), operation, args, new(jsontext.Value)); err != nil {
			t.Errorf("a generator calls %s: %v", operation, err)
		}
	}
	for _, operation := range []string{"status", "dlq.list"} {
		if err := api.NewClient(operator.Conn).Call(t.Context(), operation, nil, new(jsontext.Value)); err != nil {
			t.Errorf("an operator calls %s: %v", operation, err)
		}
	}
	var replay api.Replay
	err = api.NewClient(generator.Conn).Call(t.Context(), "replays.get", api.ReplayArgs{ID: "r"}, &replay)
	if err != nil || replay.Refused != 1 || replay.Waiting != 0 {
		t.Errorf("a replay: %v, %+v", err, replay)
	}
	n, _, err := heard.Pending()
	if err != nil || n == 0 {
		t.Errorf("%v: the operator heard %d messages", err, n)
	}
	for range n {
		m, err := heard.NextMsg(soon)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(m.Data, []byte(planted)) {
			t.Errorf("the operator heard what is not protected, on %s", m.Subject)
		}
	}
}

func TestADiscoveryBecomesALearningWhereStagesRunApart(t *testing.T) {
	s := run(t, "single.conf")
	for _, role := range []app.Role{app.Ingest, app.Analyzer} {
		s.start(t, role)
	}
	operator := s.connect(t, "operator")
	heard, err := operator.SubscribeSync("learn.ev.*.learning.created")
	if err != nil {
		t.Fatal(err)
	}
	if err := operator.FlushTimeout(soon); err != nil {
		t.Fatal(err)
	}
	s.connect(t, "agent").report(t, "discovery.observed", "d", `{"discovery_id":"d","type":"blocker",
		"content":"The sandbox drops unsigned webhooks, says `+planted+`.","source_task_id":"t","source_outcome_id":"o"}`)
	m, err := heard.NextMsg(6 * soon)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(m.Data, []byte(`"extracted_by":"rules/1"`)) || !bytes.Contains(m.Data, []byte(`"cause":`)) || bytes.Contains(m.Data, []byte(planted)) {
		t.Errorf("%s", m.Data)
	}
}

// More than 1 024 subjects are not read at once but through a consumer.
func TestTheOtherStagesReadTheChoicesOfManyPeople(t *testing.T) {
	s := run(t, "single.conf")
	s.start(t, app.Ingest) // makes the bucket
	js, err := jetstream.New(s.connect(t, "injector").Conn)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 1100 {
		if _, err := js.PublishAsync("$KV.learn_settings.person.u_"+strconv.Itoa(i), []byte(`{"capture":false}`)); err != nil {
			t.Fatal(err)
		}
	}
	<-js.PublishAsyncComplete()
	for _, role := range []app.Role{app.Analyzer, app.Injector} {
		s.start(t, role)
	}
}

func TestClientsWithoutCredentialsAreLetInWhereTheServerIsTold(t *testing.T) {
	if _, err := nats.Connect(run(t, "single.conf").url); !errors.Is(err, nats.ErrAuthorization) {
		t.Errorf("it is not told, and: %v", err)
	}
	s := run(t, "single.conf", func(o *server.Options) { o.NoAuthUser = "stranger" })
	c := s.connect(t, "")
	if !c.may(t, "learn.in.feedback.fix") || !c.may(t, "learn.svc.contexts.get") || c.may(t, "learn.in.control.settings.changed") {
		t.Error("it is not what a stranger may do")
	}
}

func TestEveryServiceThatNeedsNoCredentialsCanBeCalled(t *testing.T) {
	s := run(t, "single.conf")
	injector, stranger := s.connect(t, "injector"), s.connect(t, "stranger")
	if _, err := injector.Subscribe("learn.svc.>", func(m *nats.Msg) { _ = m.Respond([]byte("answer")) }); err != nil {
		t.Fatal(err)
	}
	if err := injector.FlushTimeout(soon); err != nil {
		t.Fatal(err)
	}
	for _, subject := range api.AnonymousSubjects() {
		if _, err := stranger.Request(subject, nil, soon); err != nil {
			t.Errorf("%s: %v: accounts.conf has to import and to permit it", subject, err)
		}
	}
}

// The server answers on its own authority wherever a request says.
func TestWhereAnAgentWantsAnswersDoesNotMatter(t *testing.T) {
	s := run(t, "single.conf")
	s.start(t, app.Ingest)
	s.start(t, app.Injector)
	operator := s.connect(t, "operator")
	letters, err := operator.SubscribeSync("learn.dlq.>")
	if err == nil {
		err = operator.FlushTimeout(soon)
	}
	if err != nil {
		t.Fatal(err)
	}
	stranger, agent := s.connect(t, "stranger"), s.connect(t, "agent")
	const target = "learn.in.control.settings.changed"
	for _, request := range [][2]string{
		{"$JS.API.INFO", ""}, {"$JS.API.STREAM.INFO.KV_learn_contexts", ""},
		{"$JS.API.CONSUMER.CREATE.KV_learn_contexts", `{"stream_name":"KV_learn_contexts","config":{"deliver_subject":"` + target + `","ack_policy":"none"}}`},
	} {
		if err := stranger.PublishRequest(request[0], target, []byte(request[1])); err != nil {
			t.Fatal(err)
		}
		if _, err := stranger.Request(request[0], []byte(request[1]), soon); err != nil { // answered after the one above
			t.Fatal(err)
		}
	}
	agent.report(t, "feedback.fix", "refused", `{}`)
	m, err := letters.NextMsg(6 * soon)
	if err != nil || m.Subject != "learn.dlq.ingest.schema" {
		t.Errorf("%v: the first dead letter is %+v, want the agent's", err, m)
	}
}

func TestAServerWithoutItsKeysDoesNotStart(t *testing.T) {
	run(t, "single.conf")
	for _, name := range []string{"LEARNLOOP_NATS_KEY", "LEARNLOOP_OPERATOR_NKEY", "LEARNLOOP_AGENT_PASSWORD"} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, "") // put back afterwards
			if err := os.Unsetenv(name); err != nil {
				t.Fatal(err)
			}
			if _, err := server.ProcessConfigFile("single.conf"); err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestAnOperatorMakesTheStreamsBeforeTheFirstIngest(t *testing.T) {
	s := run(t, "single.conf")
	nc, err := bus.Connect(s.url, s.seeds["operator"], "operator")
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := bus.JetStream(nc)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bus.Ensure(t.Context(), js, bus.Layout{Partitions: 4}); err != nil {
		t.Fatal(err)
	}
	s.start(t, app.Ingest)
	if left, err := bus.Plan(t.Context(), js, bus.Layout{}); err != nil || len(left) > 0 {
		t.Errorf("%v: ingest left the streams with %+v", err, left)
	}
}
