package api

import (
	"context"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"learnloop.dev/access"
	"learnloop.dev/bus"
	"learnloop.dev/learn"
)

func TestATokenIsShownOnceAndInForceAtOnce(t *testing.T) {
	book := &access.Book{}
	h := furnished(t, func(d *Deps) { d.Entrance.Tokens = book })
	got := h.do(t, "POST /api/tokens", `{"name":"rita","roles":["review"]}`, asAdmin)
	var made MintedToken
	if got.read(t, &made); got.status != 201 || !strings.HasPrefix(made.Token, "ll_"+made.ID+"_") || made.State != "good" {
		t.Fatalf("%d %s", got.status, got.body)
	}
	sent := "Authorization: Bearer " + made.Token
	if got := h.get(t, "/api/learnings/review", sent); got.status != 200 {
		t.Errorf("with the new token: %d %s", got.status, got.body)
	}
	entries, err := bus.LastPerSubject(t.Context(), h.js, "KV_"+learn.Settings, "$KV."+learn.Settings+".token.*")
	if err != nil || len(entries) != 1 {
		t.Fatalf("%d entries, %v", len(entries), err)
	}
	list := h.get(t, "/api/tokens", asAdmin).body
	secret := strings.SplitN(made.Token, "_", 3)[2]
	if strings.Contains(string(entries[0].Data), secret) || strings.Contains(list, secret) ||
		!strings.Contains(list, `"rita"`) || strings.Contains(list, "digest") {
		t.Errorf("kept %s, listed %s", entries[0].Data, list)
	}
	if got := h.do(t, "DELETE /api/tokens/"+made.ID, "", asAdmin); got.status != 200 || !strings.Contains(got.body, `"revoked"`) {
		t.Errorf("%d %s", got.status, got.body)
	}
	if got := h.get(t, "/api/learnings/review", sent); got.status != 401 {
		t.Errorf("with a revoked token: %d", got.status)
	}
	if got := h.do(t, "DELETE /api/tokens/"+made.ID, "", asAdmin); got.status != 200 {
		t.Errorf("revoked again: %d", got.status)
	}
	for _, id := range []string{"unheard", "%2A", "%3E", "a.b"} {
		if got := h.do(t, "DELETE /api/tokens/"+id, "", asAdmin); got.status != 404 {
			t.Errorf("%s: %d %s", id, got.status, got.body)
		}
	}
}

func TestThereIsRoomForATokenAsLongAsOneWasRevoked(t *testing.T) {
	book := &access.Book{}
	h := build(t, func(d *Deps) { d.Entrance.Tokens = book })
	for range mostTokens {
		_, token := access.Mint(access.Token{Name: "n", Roles: access.Roles{access.Read}})
		book.Enter(token)
	}
	if got := h.do(t, "POST /api/tokens", `{"name":"n","roles":["read"]}`, asAdmin); got.status != 409 {
		t.Errorf("one too many: %d %s", got.status, got.body)
	}
	first := book.All()[0]
	first.Revoked = time.Now()
	book.Enter(first)
	if got := h.do(t, "POST /api/tokens", `{"name":"n","roles":["read"]}`, asAdmin); got.status != 201 {
		t.Errorf("in the place of a revoked one: %d %s", got.status, got.body)
	}
	if _, known := book.Lookup(first.ID); known || len(book.All()) != mostTokens {
		t.Errorf("%d tokens", len(book.All()))
	}
}

// lines reads the audit log, the newest first, without times.
func (h *house) lines(t *testing.T, args string) (out []string) {
	t.Helper()
	var page Audit
	h.get(t, "/api/audit"+args, asAdmin).read(t, &page)
	for _, d := range page.Deeds {
		if time.Since(d.At) > time.Hour {
			t.Errorf("%+v has no time", d)
		}
		out = append(out, strings.Join([]string{d.Who, d.Door, d.Operation, d.Key, d.Outcome}, " "))
	}
	return out
}

func TestEveryChangeStandsInTheAuditLog(t *testing.T) {
	book := &access.Book{}
	h := build(t, func(d *Deps) { d.Entrance.Tokens = book })
	for _, e := range h.api.registry.entries {
		changes := e.access != Public && e.access != Read && e.method != "GET"
		asks := slices.Contains([]string{"inject", "route", "events.publish"}, e.name)
		for _, who := range []Visitor{
			{Name: "somebody", Door: "test", Roles: access.Roles{access.Admin}}, {Name: "somebody", Door: "test", Roles: access.Roles{access.Review, access.Capture}},
			{Name: "a program", Door: "test", Roles: access.Roles{access.Capture, access.Read}},
			{Name: "somebody", Door: doorDashboard, Roles: access.Roles{access.Capture}},
		} {
			if !who.May(e.access) {
				continue // TestWhatSomebodyTriesWhoMayNotStandsInTheAuditLog
			}
			before := h.last(t, bus.AuditStream)
			_, _ = h.api.registry.operate(e)(WithVisitor(briefly(t), who), e.empty())
			want := changes && !asks && who.Name == "somebody"
			if got := h.last(t, bus.AuditStream) > before; got != want {
				t.Errorf("%s by %s over %s: a trace %v", e.name, who.Roles, who.Door, got)
			}
		}
	}
	if lines := h.lines(t, "?limit=1"); len(lines) != 1 || !strings.HasPrefix(lines[0], "somebody ") {
		t.Error(lines)
	}
}

func TestTheAuditLogTellsWhoDidWhatToWhat(t *testing.T) {
	book := &access.Book{}
	h := furnished(t, func(d *Deps) { d.Entrance.Tokens = book })
	h.api.registry.now = time.Now
	reviewer := tokenOf(book, access.Review)
	h.do(t, "POST /api/learnings/learn_unheard/review", `{"verdict":"approved","comment":"a secret of mine"}`, reviewer)
	h.do(t, "DELETE /api/learnings/a%2Fb", "", asAdmin)
	if _, err := h.nc.RequestMsgWithContext(briefly(t), message(subjectOf("tokens.revoke"), `{"id":"unheard"}`)); err != nil {
		t.Fatal(err)
	}
	var minted MintedToken
	h.do(t, "POST /api/tokens", `{"name":"n","roles":["read"]}`, asAdmin).read(t, &minted)
	h.do(t, "POST /v1/events", event("c", "control.settings.changed", `{"key":"mine","value":1}`), structured, asAdmin)
	h.do(t, "POST /v1/events", event("e", "feedback.fix", fix()), structured, asAdmin)
	want := []string{
		"operator http events.publish control.settings.changed done",
		"operator http tokens.create " + minted.ID + " done",
		"operator nats tokens.revoke unheard not_found",
		"operator http learnings.archive a/b not_found",
		"review http learnings.review learn_unheard not_found",
	}
	if got := h.lines(t, ""); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s", strings.Join(got, "\n"))
	}
	var page Audit
	h.get(t, "/api/audit?limit=2", asAdmin).read(t, &page)
	if page.Next == 0 || len(page.Deeds) != 2 {
		t.Errorf("%+v", page)
	}
	h.get(t, "/api/audit?limit=2&before=1", asAdmin).read(t, &page)
	if len(page.Deeds) != 0 {
		t.Errorf("%+v", page)
	}
	if body := h.get(t, "/api/audit", asAdmin).body; strings.Contains(body, "secret") {
		t.Error(body)
	}
	if got := h.get(t, "/api/audit", reviewer); got.status != 403 {
		t.Errorf("a reviewer: %d", got.status)
	}
}

func TestWhomAChangeIsAboutIsNotWrittenDown(t *testing.T) {
	if got := targetOf("/api/preferences/{user}", &OptOutArgs{User: "anna"}); got != "" {
		t.Errorf("%q", got)
	}
	if got := targetOf("/api/patterns/{type}/{key}", &PatternArgs{Type: "retry", Key: strings.Repeat("x", 500)}); len(got) > longestKey ||
		!strings.HasPrefix(got, "retry/xxx") {
		t.Errorf("%q", got)
	}
}

func TestAnAuditLogThatCannotBeWrittenIsToldAndUndoesNothing(t *testing.T) {
	var told []string
	h := build(t, func(d *Deps) {
		d.Journal = fullJournal{}
		d.Failed = func(operation string, _ error) { told = append(told, operation) }
	})
	if got := h.do(t, "POST /api/tokens", `{"name":"n","roles":["read"]}`, asAdmin); got.status != 201 {
		t.Errorf("%d %s", got.status, got.body)
	}
	if len(told) != 1 || told[0] != "audit" {
		t.Error(told)
	}
}

func TestALinkLeadsToThisProcess(t *testing.T) {
	h := gated(t, func(d *Deps) { d.URL = "http://127.0.0.1:8420" })
	var link SignInLink
	h.do(t, "POST /api/signin", "", asAdmin).read(t, &link)
	code, ours := strings.CutPrefix(link.URL, "http://127.0.0.1:8420/signin?t=")
	if got := h.do(t, "POST /signin", "token="+code, form); !ours || got.status != 200 {
		t.Errorf("%+v: %d", link, got.status)
	}
	if body := h.get(t, "/api/audit", asAdmin).body; strings.Contains(body, code) || !strings.Contains(body, "dashboard.link") {
		t.Errorf("the code stands in the audit log, or nothing: %s", body)
	}
}

// fullJournal takes nothing.
type fullJournal struct{ Journal }

func (fullJournal) Write(context.Context, string, []byte) error { return io.ErrShortWrite }

func TestWhatSomebodyTriesWhoMayNotStandsInTheAuditLog(t *testing.T) {
	book := &access.Book{}
	h := furnished(t, func(d *Deps) { d.Entrance.Tokens = book })
	h.api.registry.now = time.Now
	reader := tokenOf(book, access.Read)
	h.do(t, "DELETE /api/learnings/a", "", reader)
	h.get(t, "/api/dlq", reader)
	use(t, h.agent(t, strings.TrimPrefix(reader, "Authorization: Bearer "), nil), "tokens_list", `{}`)
	who := Visitor{Name: "read", Token: book.All()[0].ID, Door: doorDashboard, Roles: access.Roles{access.Read}}
	if _, err := h.api.Do(WithVisitor(t.Context(), who), Call{Name: "tokens.create"}); err == nil {
		t.Error("a reader makes tokens")
	}
	h.get(t, "/api/dlq") // nobody in particular
	want := []string{"read dashboard tokens.create  not_allowed", "read mcp tokens.list  not_allowed",
		"read http dlq.list  not_allowed", "read http learnings.archive  not_allowed"}
	if got := h.lines(t, ""); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	for range 2 * attemptsAtOnce {
		h.get(t, "/api/dlq", reader)
	}
	if n := len(h.lines(t, "")); n != attemptsAtOnce {
		t.Errorf("%d attempts fill the log", n)
	}
}
