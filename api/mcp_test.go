package api

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"learnloop.dev/bus"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/nats-io/nats.go"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// authorized sends the admin token with every request.
type authorized struct{ token string }

func (a authorized) RoundTrip(r *http.Request) (*http.Response, error) {
	if a.token != "" {
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", "Bearer "+a.token)
	}
	return http.DefaultTransport.RoundTrip(r)
}

// agent connects a client of the official library over HTTP.
func (h *house) agent(tb testing.TB, token string, o *mcp.ClientOptions) *mcp.ClientSession {
	tb.Helper()
	c := mcp.NewClient(&mcp.Implementation{Name: "test"}, o)
	s, err := c.Connect(briefly(tb), &mcp.StreamableClientTransport{
		Endpoint: h.web.URL + "/mcp", HTTPClient: &http.Client{Transport: authorized{token}}, MaxRetries: -1,
	}, nil)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		_ = s.Close()
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	})
	return s
}

// beside connects a client over streams, as the command mcp serves them.
func (h *house) beside(tb testing.TB, nc *nats.Conn, operator bool, o *mcp.ClientOptions) *mcp.ClientSession {
	tb.Helper()
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	served := make(chan error, 1)
	go func() {
		served <- NewClient(nc).ServeMCP(tb.Context(), Streams{In: in, Out: out, Operator: operator, Version: "1.2.3"})
	}()
	s, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, o).
		Connect(briefly(tb), &mcp.IOTransport{Reader: fromServer, Writer: toServer}, nil)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		_ = s.Close()
		if err := <-served; err != nil {
			tb.Errorf("served: %v", err)
		}
	})
	return s
}

// use calls a tool and returns its text.
func use(tb testing.TB, s *mcp.ClientSession, tool, args string) *mcp.CallToolResult {
	tb.Helper()
	if args == "" {
		args = "{}"
	}
	r, err := s.CallTool(briefly(tb), &mcp.CallToolParams{Name: tool, Arguments: jsontext.Value(args)})
	if err != nil {
		tb.Fatalf("%s: %v", tool, err)
	}
	return r
}

func textOf(r *mcp.CallToolResult) string { return r.Content[0].(*mcp.TextContent).Text }

func toolNames(tb testing.TB, s *mcp.ClientSession) (names []string) {
	tb.Helper()
	for t, err := range s.Tools(briefly(tb), nil) {
		if err != nil {
			tb.Fatal(err)
		}
		names = append(names, t.Name)
	}
	return names
}

func TestEveryOperationIsAToolForWhoMayUseIt(t *testing.T) {
	h := furnished(t)
	all, open := toolNames(t, h.agent(t, token, nil)), toolNames(t, h.agent(t, "", nil))
	for _, e := range h.api.registry.entries {
		if name := toolName(e.name); !slices.Contains(all, name) || slices.Contains(open, name) != e.access.anonymous() {
			t.Errorf("%s (%s): for operators %v, for anybody %v", name, e.access, slices.Contains(all, name), slices.Contains(open, name))
		}
	}
	for _, name := range []string{"get_context", "inject_learnings", "record_feedback", "record_outcome", "search_learnings", "propose_learning"} {
		if !slices.Contains(open, name) {
			t.Errorf("there is no tool %s", name)
		}
	}
	if want := len(h.api.registry.entries) + len(captures()); len(all) != want {
		t.Errorf("%d tools for %d operations and captures", len(all), want)
	}
}

func TestToolsSayWhatTheyDoToTheLoop(t *testing.T) {
	h := furnished(t)
	hints := map[string]string{}
	for tool, err := range h.agent(t, token, nil).Tools(briefly(t), nil) {
		if err != nil {
			t.Fatal(err)
		}
		a := tool.Annotations
		var said []string
		for word, is := range map[string]bool{"reads": a.ReadOnlyHint, "destroys": *a.DestructiveHint, "again": a.IdempotentHint, "open": *a.OpenWorldHint} {
			if is {
				said = append(said, word)
			}
		}
		slices.Sort(said)
		hints[tool.Name] = strings.Join(said, " ")
	}
	for name, want := range map[string]string{
		"get_context": "again reads", "search_learnings": "again reads", "rerank": "again reads", "dlq_list": "again reads",
		"inject_learnings": "", "record_outcome": "", "learnings_create": "", "learnings_archive": "again destroys",
		"learnings_revise": "again destroys", "learnings_review": "destroys",
	} {
		if got, known := hints[name]; got != want || !known {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestAnAgentRecordsWhatBecameOfItsWork(t *testing.T) {
	h := furnished(t)
	s := h.agent(t, "", nil)
	for _, c := range []struct{ tool, args string }{
		{"record_feedback", fix()},
		{"record_outcome", `{"task_id":"t","goal":"g","status":"completed","subtasks":[{"id":"run-tests","success":true}]}`},
		{"propose_learning", `{"title":"t","context":"c","observation":"o","implication":"i","action":"a"}`},
	} {
		before := h.last(t, "LEARN_EVENTS")
		r := use(t, s, c.tool, c.args)
		var got Captured
		if err := json.Unmarshal([]byte(textOf(r)), &got); err != nil || r.IsError || !got.Recorded || got.EventID == "" {
			t.Errorf("%s: %s", c.tool, textOf(r))
		}
		if (got.ID != "") != (c.tool == "propose_learning") || h.last(t, "LEARN_EVENTS") == before {
			t.Errorf("%s: %+v, and the log ends at %d", c.tool, got, before)
		}
	}
}

func TestAProblemIsAnErrorOfTheToolThatSaysWhatToDo(t *testing.T) {
	h := furnished(t)
	s := h.agent(t, "", nil)
	for _, c := range []struct {
		tool, args string
		code       Code
		pointer    string
	}{
		{"get_context", `{"kind":"category","id":"unheard of"}`, NotFound, ""},
		{"get_context", `{"kind":7}`, Invalid, "/kind"},
		{"get_context", `{"key":"rule.a","size":1}`, Invalid, "/size"},
		{"get_context", `[]`, BadRequest, ""},
		{"record_feedback", fix(`"accepted"`, `"maybe"`), "schema", "/decision"},
		{"record_feedback", `{}`, "schema", ""},
		{"record_outcome", `null`, BadRequest, ""},
		{"propose_learning", `{"title":"t"}`, Invalid, "/context"},
		{"propose_learning", `{"title":7,"context":"c","observation":"o","implication":"i","action":"a"}`, "schema", "/title"},
	} {
		r := use(t, s, c.tool, c.args)
		var p Problem
		if err := json.Unmarshal([]byte(textOf(r)), &p); err != nil || !r.IsError || p.Code != c.code || r.StructuredContent != nil {
			t.Errorf("%s %s: %s", c.tool, c.args, textOf(r))
			continue
		}
		if c.pointer != "" && (len(p.Errors) == 0 || p.Errors[0].Pointer != c.pointer) {
			t.Errorf("%s %s: %+v", c.tool, c.args, p)
		}
	}
	_, err := s.CallTool(briefly(t), &mcp.CallToolParams{Name: "conjure"})
	if err == nil || !strings.Contains(err.Error(), "conjure") {
		t.Errorf("a tool that there is none of: %v", err)
	}
}

// third is the door of the Model Context Protocol, with the schemas of its answers.
type third struct {
	session *mcp.ClientSession
	schemas map[string]*jsonschema.Schema
}

func (h *house) third(tb testing.TB, s *mcp.ClientSession) third {
	tb.Helper()
	d := third{s, map[string]*jsonschema.Schema{}}
	for tool, err := range d.session.Tools(briefly(tb), nil) {
		if err != nil {
			tb.Fatal(err)
		}
		for _, s := range []any{tool.InputSchema, tool.OutputSchema} {
			c := jsonschema.NewCompiler()
			if err := c.AddResource("tool.json", s); s == nil || err != nil {
				continue
			}
			compiled, err := c.Compile("tool.json")
			if err != nil {
				tb.Errorf("schema of %s: %v", tool.Name, err)
			}
			d.schemas[tool.Name] = compiled
		}
		if tool.OutputSchema == nil {
			delete(d.schemas, tool.Name)
		}
	}
	if len(d.schemas) < len(h.api.registry.entries) {
		tb.Errorf("%d tools say what they answer", len(d.schemas))
	}
	return d
}

// compare holds a tool to what came over HTTP, and to its own schema.
func (d third) compare(tb testing.TB, operation, args string, over response) {
	tb.Helper()
	r := use(tb, d.session, spelled(operation), args)
	if got := textOf(r); got != over.body || r.IsError != (over.status >= 400) {
		tb.Errorf("MCP  %v %s\nHTTP %d %s", r.IsError, got, over.status, over.body)
	}
	if s := d.schemas[toolName(operation)]; s != nil && !r.IsError {
		if err := s.Validate(r.StructuredContent); err != nil {
			tb.Errorf("%s: %s\n%v", operation, textOf(r), err)
		}
	}
}

func TestTheDoorOverStreamsIsTheSame(t *testing.T) {
	h := furnished(t)
	third := h.third(t, h.beside(t, h.nc, true, nil))
	h.do(t, "POST /v1/events", `{}`, "Content-Type: application/cloudevents+json")
	for _, c := range sameThings {
		third.compare(t, c.name, c.args, h.get(t, c.path, asAdmin, "Accept: application/json"))
	}
	for _, c := range sameChanges {
		third.compare(t, c.name, c.args, h.do(t, c.line, c.body, asAdmin))
	}
}

func TestWhoIsNotLoggedInHasTheToolsOfAnybodyOverStreamsToo(t *testing.T) {
	h := furnished(t)
	s := h.beside(t, h.stranger(t), false, nil)
	if open, same := toolNames(t, s), toolNames(t, h.agent(t, "", nil)); !slices.Equal(open, same) {
		t.Errorf("over streams %v\nover HTTP %v", open, same)
	}
	var got Captured
	if err := json.Unmarshal([]byte(textOf(use(t, s, "record_feedback", fix()))), &got); err != nil || !got.Recorded {
		t.Errorf("%+v %v", got, err)
	}
	if r := use(t, s, "record_feedback", fix(`"accepted"`, `"maybe"`)); !r.IsError || !strings.Contains(textOf(r), "/decision") {
		t.Error(textOf(r))
	}
	if s.InitializeResult().Capabilities.Resources.Subscribe {
		t.Error("it may subscribe to what it does not hear of")
	}
}

func TestAReportIsLeftInTheInboxWhereNobodyTakesEventsIn(t *testing.T) {
	h := build(t, func(d *Deps) { d.Door = nil })
	for _, s := range []*mcp.ClientSession{h.beside(t, h.nc, true, nil), h.agent(t, "", nil)} {
		before := h.last(t, bus.InboxStream)
		r := use(t, s, "record_feedback", fix())
		if r.IsError || h.last(t, bus.InboxStream) != before+1 {
			t.Error(textOf(r))
		}
		if r := use(t, s, "record_feedback", fix(`"accepted"`, `"maybe"`)); !r.IsError || h.last(t, bus.InboxStream) != before+1 {
			t.Error(textOf(r))
		}
	}
}

func TestWhatAgentsReportIsDescribedInPlainWords(t *testing.T) {
	for _, c := range captures() {
		s := strings.ReplaceAll(string(c.schema()), `["boolean","null"]`, "")
		for _, odd := range []string{`"type":[`, `,null]`, `65536`, `9223372036854775808`} {
			if strings.Contains(s, odd) {
				t.Errorf("%s: %s in %s", c.tool, odd, s)
			}
		}
		if c.kind == "task.finished" && (!strings.Contains(s, `"enum":["completed","failed","cancelled"]`) || !strings.Contains(s, `"maximum":1000000`)) {
			t.Error(s)
		}
	}
}
