package app_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"learnloop.dev/api"
	"learnloop.dev/kv"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"
)

// forbidden are subjects on which a client without credentials would read the
// inbox, write a context, command the loop or follow its streams.
var forbidden = map[string]string{
	"$JS.API.STREAM.MSG.GET.LEARN_INBOX":                              `{"seq":1}`,
	"$JS.API.DIRECT.GET.LEARN_INBOX":                                  `{"seq":1}`,
	"$JS.API.CONSUMER.CREATE.LEARN_INBOX.spy":                         `{"stream_name":"LEARN_INBOX","config":{"name":"spy"}}`,
	"$JS.API.CONSUMER.DURABLE.CREATE.LEARN_INBOX.spy":                 `{"stream_name":"LEARN_INBOX","config":{"durable_name":"spy"}}`,
	"$JS.API.CONSUMER.MSG.NEXT.LEARN_INBOX.ingest":                    `{"batch":1}`,
	"$JS.API.STREAM.MSG.GET.LEARN_EVENTS":                             `{"seq":1}`,
	"$JS.API.DIRECT.GET.LEARN_EVENTS":                                 `{"seq":1}`,
	"$JS.API.CONSUMER.CREATE.LEARN_EVENTS.spy":                        `{"stream_name":"LEARN_EVENTS","config":{"name":"spy"}}`,
	"$JS.API.CONSUMER.CREATE.LEARN_INSIGHTS.spy":                      `{"stream_name":"LEARN_INSIGHTS","config":{"name":"spy"}}`,
	"$JS.API.CONSUMER.CREATE.LEARN_DLQ.spy":                           `{"stream_name":"LEARN_DLQ","config":{"name":"spy"}}`,
	"$JS.API.CONSUMER.CREATE.KV_learn_settings.spy":                   `{"stream_name":"KV_learn_settings","config":{"name":"spy"}}`,
	"$JS.API.DIRECT.GET.KV_learn_settings.$KV.learn_settings.privacy": ``,
	"$JS.API.STREAM.PURGE.LEARN_EVENTS":                               ``,
	"$JS.API.STREAM.DELETE.LEARN_EVENTS":                              ``,
	"$JS.API.STREAM.MSG.DELETE.LEARN_EVENTS":                          `{"seq":1}`,
	"$JS.API.STREAM.CREATE.MINE":                                      `{"name":"MINE","subjects":["learn.in.>"]}`,
	"$KV.learn_contexts.rule.r":                                       `{"prompt":"obey"}`,
	"$KV.learn_settings.entitlement":                                  `{"tier":"writer_pro"}`,
	"learn.ev.0.feedback.fix":                                         `{}`,
	"learn.know.0.rules.rule.r":                                       `{}`,
	"learn.at.0":                                                      `{}`,
	"learn.dlq.ingest.schema":                                         `{}`,
	"learn.in.control.settings.changed":                               `{}`,
	"learn.in.control.data.cleared":                                   `{}`,
	"learn.in.learning.archived":                                      `{}`,
	"learn.svc.dlq.list":                                              `{}`,
	"learn.svc.dlq.get":                                               `{"sequence":1}`,
	"learn.svc.status":                                                `{}`,
}

func TestAStrangerIsRefusedWhatIsReservedAndChangesNothing(t *testing.T) {
	a := meet(t, t.TempDir())
	a.publish(t, structured(event("1", fixType, fix("r"))))
	a.drained(t)
	a.reflected(t, 1)
	contexts, streams := a.contexts(t), a.streams(t)
	heard := a.complaints()
	for subject, body := range forbidden {
		if err := a.nc.PublishRequest(subject, a.nc.NewInbox(), []byte(body)); err != nil {
			t.Fatal(err)
		}
		heard.refused(t, subject)
	}
	for _, subject := range []string{">", "learn.>", "learn.in.>", "learn.ev.>", "learn.dlq.>", "$KV.>", "$JS.>", "_LL.>"} {
		if _, err := a.nc.SubscribeSync(subject); err != nil {
			t.Fatal(err)
		}
		heard.refused(t, subject)
	}
	differ(t, "after all attempts", a.contexts(t), contexts)
	if got := a.streams(t); !slices.Equal(got, streams) {
		t.Errorf("the streams are %v, were %v", got, streams)
	}
}

// streams lists every stream with its readers.
func (a *agent) streams(t *testing.T) (names []string) {
	t.Helper()
	var status struct {
		Streams []struct {
			Name      string `json:"name"`
			Consumers []struct {
				Name string `json:"name"`
			} `json:"consumers"`
		} `json:"streams"`
	}
	if err := a.client.Call(t.Context(), "status", nil, &status); err != nil {
		t.Fatal(err)
	}
	for _, s := range status.Streams {
		names = append(names, s.Name)
		for _, c := range s.Consumers {
			names = append(names, s.Name+"/"+c.Name)
		}
	}
	slices.Sort(names)
	return names
}

// complaints are what a server tells a client beside its answers.
type complaints chan error

func (a *agent) complaints() complaints {
	c := make(complaints, 8)
	a.nc.SetErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { c <- err })
	return c
}

// refused waits until the client was told that a subject is not for it.
func (c complaints) refused(t *testing.T, subject string) {
	t.Helper()
	select {
	case err := <-c:
		if !errors.Is(err, nats.ErrPermissionViolation) || !strings.Contains(err.Error(), `"`+subject+`"`) {
			t.Errorf("%s: %v", subject, err)
		}
	case <-time.After(patience):
		t.Errorf("%s is not refused", subject)
	}
}

func TestAStrangerIsToldWhichCallsNeedACredential(t *testing.T) {
	a := meet(t, t.TempDir())
	a.complaints() // not on standard error
	for _, name := range []string{"dlq.list", "dlq.get", "status"} {
		err := api.NewClient(a.nc).Call(t.Context(), name, nil, nil)
		if p, ok := errors.AsType[*api.Problem](err); !ok || p.Code != api.NotAllowed || p.Hint == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAStrangerPublishesReadsContextsAndCallsReadServices(t *testing.T) {
	a := meet(t, t.TempDir())
	reader, err := kv.NewReader(t.Context(), a.nc, kv.ReaderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	changes := reader.Changes(t.Context(), "")
	a.publish(t, structured(strings.Replace(event("1", fixType, fix("r")), "{", `{"replayid":"known",`, 1)))
	for range changes {
		_, rule := reader.Get("rule.r")
		if _, all := reader.Get(kv.Summary); rule && all {
			break
		}
	}
	m, err := a.nc.Request("$SRV.INFO.learnloop", nil, patience)
	if err != nil {
		t.Fatal(err)
	}
	var info micro.Info
	decode(t, m.Data, &info)
	args := map[string]string{
		"learn.svc.rules.get": `{"id":"r"}`, "learn.svc.contexts.get": `{"key":"rule.r"}`, "learn.svc.contexts.list": ``,
		"learn.svc.contexts.summary": ``, "learn.svc.statistics.get": ``, "learn.svc.explain": `{"key":"rule.r"}`,
		"learn.svc.replays.get": `{"id":"known"}`, "learn.svc.health": ``, "learn.svc.ready": ``,
		"learn.svc.events.publish": event("2", fixType, fix("r")),
	}
	for _, e := range info.Endpoints {
		body, known := args[e.Subject]
		if !known {
			continue
		}
		delete(args, e.Subject)
		m, err := a.nc.Request(e.Subject, []byte(body), patience)
		if err != nil || m.Header.Get(micro.ErrorCodeHeader) != "" {
			t.Errorf("%s: %v %v", e.Subject, err, m)
		}
	}
	if len(args) > 0 {
		t.Errorf("not discovered: %v", args)
	}
}

func TestReservedKindsNeedTheTokenOverHTTP(t *testing.T) {
	a := meet(t, t.TempDir())
	tick := structured(event("tick", "dev.learnloop.control.clock.tick.v1", `{"date":"2026-01-01"}`))
	if got := a.post(t, tick); got.Status != 403 || got.Code != "not_allowed" || got.Hint == "" {
		t.Errorf("without a token: %+v", got)
	}
	tick.header["Authorization"] = "Bearer guessed"
	if got := a.post(t, tick); got.Status != 401 || got.Hint == "" {
		t.Errorf("with a guessed one: %+v", got)
	}
	tick.header["Authorization"] = "Bearer " + a.token(t)
	if got := a.post(t, tick); got.Status != 202 || got.Accepted != 1 {
		t.Errorf("with the token: %+v", got)
	}
}

// operator is a request of whom the loop belongs to.
func (a *agent) operator(t *testing.T) message {
	t.Helper()
	return message{header: map[string]string{"Authorization": "Bearer " + a.token(t)}}
}

// token is what the operator of the loop sends over HTTP.
func (a *agent) token(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(a.data, "admin.token"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(text))
}

func TestAPageElsewhereCannotUseTheLoop(t *testing.T) {
	a := meet(t, t.TempDir())
	right := event("1", fixType, fix("r"))
	for _, c := range []struct {
		name, value, code string
	}{
		{"Host", "loop.example.org", "misdirected"},
		{"Origin", "https://example.org", "cross_site"},
		{"Sec-Fetch-Site", "cross-site", "cross_site"},
	} {
		m := structured(right)
		m.header[c.name] = c.value
		if got := a.post(t, m); got.Code != c.code {
			t.Errorf("%s %s: %+v", c.name, c.value, got)
		}
	}
	if got := a.total(t); got != 0 {
		t.Errorf("%d events were taken in", got)
	}
}

func TestProfilesAreForTheOperator(t *testing.T) {
	a := meet(t, t.TempDir())
	for _, path := range []string{"GET /debug/pprof/", "GET /debug/pprof/goroutine?debug=1"} {
		if status, body := a.ask(t, path, message{}); status != 401 {
			t.Errorf("%s without the token: %d %s", path, status, body)
		}
		m := a.operator(t)
		if status, body := a.ask(t, path, m); status != 200 || !strings.Contains(string(body), "goroutine") {
			t.Errorf("%s with the token: %d %s", path, status, body)
		}
	}
}
