package api

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"learnloop.dev/access"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// What a client sends with each message.
const (
	sendsJSON = "Content-Type: application/json"
	takesBoth = "Accept: application/json, text/event-stream"
)

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",` +
	`"capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`

// message sends one message of the protocol as it is.
func (h *house) message(tb testing.TB, body string, headers ...string) response {
	tb.Helper()
	return h.do(tb, "POST /mcp", body, append([]string{sendsJSON, takesBoth}, headers...)...)
}

// opened is the header of a new session.
func (h *house) opened(tb testing.TB, headers ...string) string {
	tb.Helper()
	got := h.message(tb, initialize, headers...)
	if got.status != http.StatusOK || got.header.Get(sessionHeader) == "" {
		tb.Fatalf("%d %s", got.status, got.body)
	}
	return sessionHeader + ": " + got.header.Get(sessionHeader)
}

// open is how many sessions are open once those that make room have ended.
func (h *house) open() int {
	_ = h.api.mcp.sessions.ending.Wait() // none fails
	return len(h.api.mcp.live())
}

func request(method, params string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":2,"method":%q,"params":%s}`, method, params)
}

func TestWhatIsNoMessageIsRefusedWithAProblem(t *testing.T) {
	h := furnished(t)
	session := h.opened(t)
	ping := request("ping", "{}")
	for name, c := range map[string]struct {
		line, body string
		headers    []string
		status     int
		code       Code
	}{
		"not JSON":               {"POST", `{`, []string{session}, 400, BadRequest},
		"a name twice":           {"POST", `{"jsonrpc":"2.0","id":2,"id":3,"method":"ping"}`, []string{session}, 400, BadRequest},
		"too deep":               {"POST", strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000), []string{session}, 400, BadRequest},
		"deep":                   {"POST", strings.Repeat("[", 9_000) + strings.Repeat("]", 9_000), []string{session}, 400, BadRequest},
		"too large":              {"POST", `"` + strings.Repeat("a", maxBody) + `"`, []string{session}, 413, TooLarge},
		"nothing":                {"POST", ``, []string{session}, 400, BadRequest},
		"no method":              {"POST", `{"jsonrpc":"2.0","id":2,"method":"conjure"}`, []string{session}, 400, BadRequest},
		"another version":        {"POST", ping, []string{session, "Mcp-Protocol-Version: 1999-12-31"}, 400, BadRequest},
		"a session of nobody's":  {"POST", ping, []string{sessionHeader + ": guessed"}, 404, NotFound},
		"another site":           {"POST", ping, []string{session, "Origin: https://elsewhere.example"}, 403, CrossSite},
		"another site listens":   {"GET", ``, []string{session, "Origin: https://elsewhere.example"}, 403, CrossSite},
		"a host renamed":         {"POST", ping, []string{session, "Host: elsewhere.example"}, 421, Misdirected},
		"a token that is wrong":  {"POST", ping, []string{session, "Authorization: Bearer no"}, 401, Unauthorized},
		"listening to nothing":   {"GET", ``, nil, 400, BadRequest},
		"a method of HTTP":       {"PUT", ping, []string{session}, 405, MethodNotAllowed},
		"an end without a begin": {"DELETE", ``, nil, 400, BadRequest},
	} {
		got := h.do(t, c.line+" /mcp", c.body, append([]string{sendsJSON, takesBoth}, c.headers...)...)
		if p := got.problem(t); got.status != c.status || p.Code != c.code {
			t.Errorf("%s: %d %s", name, got.status, got.body)
		}
	}
	if got := h.do(t, "POST /mcp", ping, "Content-Type: text/plain", takesBoth, session); got.problem(t).Code != UnsupportedMedia {
		t.Errorf("%d %s", got.status, got.body)
	}
	if got := h.message(t, ping, session); got.status != http.StatusOK {
		t.Errorf("the session has not lived: %d %s", got.status, got.body)
	}
}

func TestNothingIsDoneBeforeASessionIsInitialized(t *testing.T) {
	h := furnished(t)
	before := h.last(t, "LEARN_EVENTS")
	got := h.message(t, request("tools/call", `{"name":"record_feedback","arguments":`+fix()+`}`))
	if !strings.Contains(got.body, `"error"`) || h.last(t, "LEARN_EVENTS") != before {
		t.Errorf("%d %s", got.status, got.body)
	}
}

func TestASessionMayDoNoMoreThanEachOfItsRequests(t *testing.T) {
	h := furnished(t)
	session := h.opened(t, asAdmin)
	call := request("tools/call", `{"name":"dlq_list","arguments":{}}`)
	if got := h.message(t, call, session, asAdmin); !strings.Contains(got.body, `"letters"`) {
		t.Errorf("with the token: %s", got.body)
	}
	if got := h.message(t, call, session); !strings.Contains(got.body, string(Unauthorized)) || strings.Contains(got.body, `"letters"`) {
		t.Errorf("without: %s", got.body)
	}
}

func TestSessionsThatAreLeftOpenMakeRoom(t *testing.T) {
	h := furnished(t)
	kept := h.opened(t)
	for range 2_000 {
		h.opened(t)
		if got := h.message(t, request("ping", "{}"), kept); got.status != http.StatusOK {
			t.Fatalf("the session in use was closed: %d %s", got.status, got.body)
		}
	}
	if n := h.open(); n > mostSessions {
		t.Errorf("%d sessions are open", n)
	}
	if n := len(h.api.mcp.sessions.known); n > 2*mostSessions+1 {
		t.Errorf("%d sessions are remembered", n)
	}
}

func TestSessionsMakeRoomForThoseThatAreBeingOpened(t *testing.T) {
	live := map[string]*mcp.ServerSession{}
	s := newSessions(func() map[string]*mcp.ServerSession { return maps.Clone(live) })
	for i := range mostSessions - 2 {
		id := fmt.Sprint(i)
		if ends := s.note(id); len(ends) > 0 {
			t.Fatalf("%d end for session %d", len(ends), i)
		}
		live[id] = new(mcp.ServerSession)
	}
	s.use("0") // so that 1 was not used for longest
	for range 5 {
		s.opening <- struct{}{}
	}
	ends := s.note("new")
	if len(ends) != 3 || !slices.Contains(ends, live["1"]) || slices.Contains(ends, live["0"]) {
		t.Errorf("%d end", len(ends))
	}
	if again := s.note("newer"); len(again) > 0 {
		t.Errorf("%d end besides, though three are ending", len(again))
	}
}

func TestNobodyEndsOthersSessionsByOpeningMore(t *testing.T) {
	h := furnished(t, func(d *Deps) { d.Entrance.Proxied = true })
	const elsewhere = "X-Forwarded-For: 192.0.2.1"
	named, other := h.opened(t, asAdmin), h.opened(t, elsewhere)
	for range mostSessions + mostOpening {
		h.opened(t, "X-Forwarded-For: 192.0.2.2")
	}
	ping := request("ping", "{}")
	if got := h.message(t, ping, named, asAdmin); got.status != http.StatusOK {
		t.Errorf("of who has a token: %d %s", got.status, got.body)
	}
	if got := h.message(t, ping, other, elsewhere); got.status != http.StatusOK {
		t.Errorf("of another address: %d %s", got.status, got.body)
	}
	if n := h.open(); n > mostSessions {
		t.Errorf("%d sessions are open", n)
	}
}

func TestWhoHasMostSessionsMakesRoom(t *testing.T) {
	s := newSessions(nil)
	s.known = map[string]session{"a1": {"a", 1}, "b1": {"b", 2}, "b2": {"b", 3}, "c1": {"c", 5}, "c2": {"c", 4}, "c3": {"c", 6}, "opening": {"", 7}}
	got := s.first(slices.Sorted(maps.Keys(s.known)), 5)
	if want := []string{"c2", "b1", "c1", "a1", "b2"}; !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
}

func TestASessionInWhichSomethingIsDoneKeepsNobodyWaitingWhenItMakesRoom(t *testing.T) {
	h := build(t)
	release, asked := make(chan struct{}), make(chan struct{})
	first := sync.OnceFunc(func() { close(asked) })
	h.employ(t, analyst{numbers: []int{0, 1, 2, 3}, asked: func(string, string, jsontext.Value) (any, error) {
		first()
		<-release
		return nil, nil
	}})
	busy := h.opened(t)
	answered := make(chan response)
	go func() {
		answered <- h.message(t, request("tools/call", `{"name":"statistics_get","arguments":{}}`), busy)
	}()
	<-asked
	for range mostSessions + 1 {
		h.opened(t)
	}
	select {
	case got := <-answered:
		t.Fatalf("it was waited for: %d %s", got.status, got.body)
	default:
	}
	close(release)
	<-answered
	if n := len(h.api.mcp.live()); n > mostSessions+1 {
		t.Errorf("%d sessions are open", n)
	}
}

// wall takes nothing until it is down.
type wall struct {
	http.ResponseWriter
	down chan struct{}
}

func (w wall) Write(data []byte) (int, error) {
	<-w.down
	return len(data), nil
}

func TestAnAgentThatDoesNotReadIsCutOffAndKeepsNobodyWaiting(t *testing.T) {
	w := wall{httptest.NewRecorder(), make(chan struct{})}
	cut := false
	o := &outlet{&rephrased{ResponseWriter: w, control: http.NewResponseController(w)}, make(chan []byte, mostBehind), func() { cut = true }}
	passed := make(chan error)
	go func() { passed <- o.pass() }()
	var err error
	for i := 0; err == nil && i <= mostBehind+1; i++ { // one is being written
		_, err = o.Write([]byte("a"))
	}
	if !errors.Is(err, errBehind) || !cut {
		t.Errorf("%v, cut off: %v", err, cut)
	}
	close(w.down)
	close(o.waiting)
	if err := <-passed; err != nil {
		t.Error(err)
	}
}

func TestErrorsOfTheProtocolHaveItsCodes(t *testing.T) {
	h := furnished(t, func(d *Deps) { d.Entrance.Tokens = &access.Book{} })
	s := h.agent(t, "", nil)
	for code, call := range map[int64]func() error{
		jsonrpc.CodeInvalidParams: func() error {
			_, err := s.GetPrompt(briefly(t), &mcp.GetPromptParams{Name: "learnings_for_task", Arguments: map[string]string{"title": "t"}})
			return err
		},
		mcp.CodeResourceNotFound: func() error {
			_, err := s.ReadResource(briefly(t), &mcp.ReadResourceParams{URI: "learnloop://contexts/category.unheard"})
			return err
		},
		refusedCode: func() error {
			h.policy.Entitled = false
			defer func() { h.policy.Entitled = true }()
			_, err := s.ReadResource(briefly(t), &mcp.ReadResourceParams{URI: "learnloop://contexts/rule.passive"})
			return err
		},
	} {
		if told, ok := errors.AsType[*jsonrpc.Error](call()); !ok || told.Code != code {
			t.Errorf("%d: %+v", code, told)
		} else if code != mcp.CodeResourceNotFound && !strings.Contains(string(told.Data), `"code"`) {
			t.Errorf("%d comes without its problem: %s", code, told.Data)
		}
	}
}

func TestAnAgentReadsContextsAndHearsOfChanges(t *testing.T) {
	h := furnished(t)
	changed := make(chan string, 10)
	s := h.agent(t, "", &mcp.ClientOptions{ResourceUpdatedHandler: func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) {
		changed <- r.Params.URI
	}})
	var listed []string
	for r, err := range s.Resources(briefly(t), nil) {
		if err != nil {
			t.Fatal(err)
		}
		listed = append(listed, r.URI)
		got, err := s.ReadResource(briefly(t), &mcp.ReadResourceParams{URI: r.URI})
		if err != nil || len(got.Contents) != 1 || got.Contents[0].MIMEType != mediaJSON {
			t.Fatalf("%s: %+v %v", r.URI, got, err)
		}
		if r.Name == "rule.passive" && got.Contents[0].Text != passive {
			t.Errorf("%s: %s", r.URI, got.Contents[0].Text)
		}
	}
	if len(listed) != 5 {
		t.Errorf("listed: %v", listed)
	}
	for _, unknown := range []string{"learnloop://contexts/category.unheard", "learnloop://elsewhere/a", "file:///etc/passwd"} {
		if _, err := s.ReadResource(briefly(t), &mcp.ReadResourceParams{URI: unknown}); err == nil {
			t.Errorf("%s was read", unknown)
		}
		if err := s.Subscribe(briefly(t), &mcp.SubscribeParams{URI: unknown}); err == nil {
			t.Errorf("%s was subscribed to", unknown)
		}
	}
	odd := uriOf("rule.go/fmt=20rule")
	if err := s.Subscribe(briefly(t), &mcp.SubscribeParams{URI: odd}); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"rule.passive", "rule.go/fmt=20rule"} {
		if err := h.nc.Publish("learn.out.context.changed", []byte(`{"key":"`+key+`","revision":9}`)); err != nil {
			t.Fatal(err)
		}
	}
	select {
	case uri := <-changed:
		if uri != odd {
			t.Errorf("heard of %s", uri)
		}
	case <-time.After(5 * time.Second):
		t.Error("nothing was heard of the change")
	}
}

func TestPromptsSayWhatWasLearned(t *testing.T) {
	h := furnished(t)
	s := h.agent(t, "", nil)
	for _, c := range []struct {
		prompt string
		args   map[string]string
		want   string
	}{
		{"context", map[string]string{"key": "rule.passive"}, "Prefer the active voice."},
		{"context", map[string]string{"key": "rule.unheard of"}, "Nothing was learned about it yet."},
		{"learnings_for_task", map[string]string{"task_id": "t", "title": "nothing like it"}, "Nothing was learned for this task yet."},
	} {
		got, err := s.GetPrompt(briefly(t), &mcp.GetPromptParams{Name: c.prompt, Arguments: c.args})
		if err != nil || len(got.Messages) != 1 || got.Messages[0].Content.(*mcp.TextContent).Text != c.want {
			t.Errorf("%s %v: %+v %v", c.prompt, c.args, got, err)
		}
	}
	for prompt, args := range map[string]map[string]string{
		"context": {"key": "category.unheard"}, "learnings_for_task": {"title": "t"}, "conjure": nil,
	} {
		if _, err := s.GetPrompt(briefly(t), &mcp.GetPromptParams{Name: prompt, Arguments: args}); err == nil {
			t.Errorf("%s %v was rendered", prompt, args)
		}
	}
	done, err := s.Complete(briefly(t), &mcp.CompleteParams{
		Ref: &mcp.CompleteReference{Type: "ref/prompt", Name: "context"}, Argument: mcp.CompleteParamsArgument{Name: "key", Value: "rule.p"},
	})
	if err != nil || strings.Join(done.Completion.Values, " ") != "rule.passive" {
		t.Errorf("%+v %v", done, err)
	}
}

func TestStandingStreamsEndWhenTheDoorCloses(t *testing.T) {
	h := furnished(t)
	session := h.opened(t)
	req, err := http.NewRequestWithContext(briefly(t), http.MethodGet, h.web.URL+"/mcp", nil)
	if err != nil {
		t.Fatal(err)
	}
	name, value, _ := strings.Cut(session, ": ")
	req.Header.Set(name, value)
	req.Header.Set("Accept", "text/event-stream")
	res, err := h.web.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	h.api.Drain()
	if _, err := res.Body.Read(make([]byte, 1)); err == nil || err.Error() != "EOF" {
		t.Errorf("the stream goes on: %v", err)
	}
}

// oddParams are parameters that no client should send.
var oddParams = []string{
	``, `null`, `{}`, `[]`, `7`, `"a"`, `[null]`, `{"name":null}`, `{"name":7}`, `{"name":""}`, `{"uri":null}`, `{"uri":7}`, `{"uri":""}`,
	`{"cursor":7}`, `{"cursor":"AAAA"}`, `{"cursor":""}`, `{"name":"get_context","arguments":7}`, `{"name":"get_context","arguments":null}`,
	`{"name":"get_context","arguments":{"key":{"a":[]}}}`, `{"name":"context","arguments":{"key":7}}`, `{"name":"context","arguments":null}`,
	`{"name":"context"}`, `{"ref":null,"argument":null}`, `{"ref":{"type":"ref/prompt"}}`, `{"ref":{"type":7},"argument":{"name":"key","value":"rule."}}`,
	`{"ref":{"type":"ref/prompt","name":"context"},"argument":{"name":"key","value":7}}`, `{"ref":{"type":"ref/prompt","name":"context"}}`,
	`{"requestId":null}`, `{"requestId":{}}`, `{"level":7}`, `{"level":"loud"}`, `{"_meta":7}`, `{"_meta":{"progressToken":{}}}`, `{"_meta":null}`,
	`{"protocolVersion":7,"capabilities":7}`, `{"protocolVersion":"x","clientInfo":null}`, `{"uri":"learnloop://contexts/%zz"}`,
	`{"uri":"learnloop://contexts/"}`, `{"uri":"learnloop://contexts/..%2F..%2Fetc"}`, `{"uri":"learnloop://contexts/%00"}`,
}

// methods are those of the protocol, and one that there is not.
var methods = []string{
	"initialize", "ping", "tools/list", "tools/call", "resources/list", "resources/read", "resources/templates/list", "resources/subscribe",
	"resources/unsubscribe", "prompts/list", "prompts/get", "completion/complete", "logging/setLevel", "notifications/initialized",
	"notifications/cancelled", "notifications/progress", "notifications/roots/list_changed", "conjure",
}

func TestOddParametersNeverEndTheProcess(t *testing.T) {
	h := furnished(t, func(d *Deps) {
		d.Failed = func(operation string, err error) {
			if strings.HasPrefix(err.Error(), "panic") {
				t.Errorf("%s: %v", operation, err)
			}
		}
	})
	session := h.opened(t)
	for _, method := range methods {
		for _, params := range oddParams {
			for _, id := range []string{`"id":2,`, ``, `"id":null,`, `"id":{},`} {
				body := `{"jsonrpc":"2.0",` + id + `"method":"` + method + `"`
				if params != "" {
					body += `,"params":` + params
				}
				if got := h.message(t, body+"}", session); got.status >= 500 {
					t.Fatalf("%s} %d %s", body, got.status, got.body)
				}
				if method == "initialize" || method == "notifications/initialized" {
					session = h.opened(t)
				}
			}
		}
	}
	if got := h.message(t, request("ping", "{}"), session); got.status != http.StatusOK {
		t.Errorf("%d %s", got.status, got.body)
	}
}

func FuzzMessages(f *testing.F) {
	h := furnished(f)
	session := h.opened(f)
	for _, method := range methods {
		f.Add(request(method, "{}"))
	}
	for _, params := range oddParams {
		f.Add(`[` + request("tools/call", params) + `]`)
	}
	f.Fuzz(func(t *testing.T, body string) {
		if got := h.message(t, body, session); got.status >= 500 {
			t.Errorf("%d %s", got.status, got.body)
		}
	})
}
