package api

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"learnloop.dev/access"

	"github.com/go-json-experiment/json"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// codeOf is the code of the problem that a tool answers with, "" when it does not.
func codeOf(tb testing.TB, r *mcp.CallToolResult) Code {
	tb.Helper()
	var p Problem
	if r.IsError {
		if err := json.Unmarshal([]byte(textOf(r)), &p); err != nil {
			tb.Fatalf("%s: %v", textOf(r), err)
		}
	}
	return p.Code
}

func TestAnAgentHasTheToolsOfItsRolesAndNoOther(t *testing.T) {
	book := &access.Book{}
	h := build(t, func(d *Deps) { d.Entrance.Tokens, d.Entrance.Closed = book, true })
	for _, role := range []access.Role{access.Capture, access.Read, access.Review, access.Admin} {
		roles := access.Roles{role}
		s := h.agent(t, strings.TrimPrefix(tokenOf(book, role), "Authorization: Bearer "), nil)
		tools := toolNames(t, s)
		for _, e := range h.api.registry.entries {
			may := e.access == Public || roles.May(e.access.role())
			if slices.Contains(tools, toolName(e.name)) != may {
				t.Errorf("%s (%s) is listed for %s: %v", e.name, e.access, role, !may)
			}
			if refused := codeOf(t, use(t, s, toolName(e.name), `{}`)) == NotAllowed; refused == may {
				t.Errorf("%s (%s) as %s: refused %v", e.name, e.access, role, refused)
			}
		}
		for _, c := range captures() {
			may := roles.May(access.Capture)
			if slices.Contains(tools, c.tool) != may || (codeOf(t, use(t, s, c.tool, `{}`)) == NotAllowed) == may {
				t.Errorf("%s as %s", c.tool, role)
			}
		}
	}
}

func TestNoToolOfOperatorsOrReviewersWorksWithoutAToken(t *testing.T) {
	h := build(t)
	for way, s := range map[string]*mcp.ClientSession{"HTTP": h.agent(t, "", nil), "streams": h.beside(t, h.stranger(t), false, nil)} {
		for _, e := range h.api.registry.entries {
			if e.access.anonymous() {
				continue
			}
			if code := codeOf(t, use(t, s, toolName(e.name), `{}`)); code != Unauthorized {
				t.Errorf("%s over %s: %q", e.name, way, code)
			}
		}
	}
}

func TestAClosedLoopHasNoAgentsWithoutATokenAndKnowsThemByEachMessage(t *testing.T) {
	book := &access.Book{}
	h := furnished(t, func(d *Deps) { d.Entrance.Tokens, d.Entrance.Closed = book, true })
	h.api.registry.now = time.Now
	if got := h.message(t, initialize); got.status != http.StatusUnauthorized {
		t.Errorf("nobody: %d %s", got.status, got.body)
	}
	sent := tokenOf(book, access.Review)
	session := h.opened(t, sent)
	archive := request("tools/call", `{"name":"learnings_archive","arguments":{"id":"unheard"}}`)
	if got := h.message(t, archive, session, sent); !strings.Contains(got.body, string(NotFound)) {
		t.Errorf("a reviewer: %s", got.body)
	}
	if got := h.message(t, archive, session, tokenOf(book, access.Read)); !strings.Contains(got.body, string(NotAllowed)) {
		t.Errorf("a reader in the session of a reviewer: %s", got.body)
	}
	for _, token := range book.All() {
		token.Revoked = time.Now()
		book.Enter(token)
	}
	if got := h.message(t, archive, session, sent); got.status != http.StatusUnauthorized {
		t.Errorf("revoked: %d %s", got.status, got.body)
	}
	if got := h.message(t, request("ping", "{}"), session); got.status != http.StatusUnauthorized {
		t.Errorf("without a token: %d %s", got.status, got.body)
	}
	if lines := h.lines(t, ""); strings.Join(lines, "\n") != "read mcp learnings.archive  not_allowed\nreview mcp learnings.archive unheard not_found" {
		t.Errorf("%q", lines)
	}
}

func TestABatchOfMessagesIsRefused(t *testing.T) {
	h := furnished(t)
	session := h.opened(t)
	ping := request("ping", "{}")
	for _, body := range []string{"[" + ping + "]", " [" + strings.Repeat(ping+",", 9) + ping + "]", "[]"} {
		if p := h.message(t, body, session).problem(t); p.Status != http.StatusBadRequest || p.Hint == "" {
			t.Errorf("%.20s: %+v", body, p)
		}
	}
	if got := h.message(t, ping, session); got.status != http.StatusOK {
		t.Errorf("one alone: %d %s", got.status, got.body)
	}
}

func TestWhatAnOperatorReportsThroughAToolOfReservedKindsIsWrittenDown(t *testing.T) {
	h := furnished(t)
	h.api.registry.now = time.Now
	s := h.agent(t, token, nil)
	use(t, s, "record_feedback", fix())
	use(t, s, "events_publish", event("c", "control.settings.changed", `{"key":"mine","value":1}`))
	if lines := h.lines(t, ""); strings.Join(lines, "\n") != "operator mcp events.publish control.settings.changed done" {
		t.Errorf("%q", lines)
	}
}
