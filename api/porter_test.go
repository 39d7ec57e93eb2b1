package api

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"learnloop.dev/access"
)

const form = "Content-Type: application/x-www-form-urlencoded"

// tokenOf enters a token of a role and returns the header that sends it.
func tokenOf(book *access.Book, roles ...access.Role) string {
	secret, t := access.Mint(access.Token{Name: access.Roles(roles).String(), Roles: roles})
	book.Enter(t)
	return "Authorization: Bearer " + secret
}

// gated is a house with a page to sign in on.
func gated(t *testing.T, change ...func(*Deps)) *house {
	t.Helper()
	h := furnished(t, change...)
	h.api.Handle("POST /signin", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if status := h.api.Gate().Enter(w, r, r.FormValue("token")); status != http.StatusOK {
			w.WriteHeader(status)
		}
	}))
	h.api.Handle("POST /signout", http.HandlerFunc(h.api.Gate().Leave))
	return h
}

func TestEveryOperationIsDoneForItsRolesAndForNoOther(t *testing.T) {
	book := &access.Book{}
	h := build(t, func(d *Deps) { d.Entrance.Tokens = book })
	for _, role := range []access.Role{access.Capture, access.Read, access.Review, access.Admin} {
		sent := tokenOf(book, role)
		for _, e := range h.api.registry.entries {
			path := strings.NewReplacer("{sequence}", "1", "{user}", "u").Replace(e.path)
			got := h.do(t, e.method+" "+path, "{}", structured, sent, "Accept: application/json")
			if got.status == http.StatusUnauthorized {
				t.Errorf("%s: %s is not known", e.name, role)
			}
			refused := got.status == http.StatusForbidden && got.problem(t).Code == NotAllowed
			if may := e.access == Public || (access.Roles{role}).May(e.access.role()); may == refused {
				t.Errorf("%s (%s) as %s: %d %s", e.name, e.access, role, got.status, got.body)
			}
		}
	}
}

func TestAWrongTokenIsRefusedWhereverItIsSent(t *testing.T) {
	book := &access.Book{}
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	h := build(t, func(d *Deps) { d.Entrance.Tokens, d.Now = book, func() time.Time { return now } })
	secret, token := access.Mint(access.Token{Name: "n", Roles: access.Roles{access.Read}, Expires: now.Add(time.Hour)})
	book.Enter(token)
	sent := "Authorization: Bearer " + secret
	for _, path := range []string{"/healthz", "/api/contexts", "/nothing"} {
		got := h.get(t, path, sent+"x")
		if p := got.problem(t); p.Code != Unauthorized || got.header.Get("WWW-Authenticate") != `Bearer error="invalid_token"` {
			t.Errorf("%s: %d %v", path, got.status, got.header)
		}
	}
	if got := h.get(t, "/api/contexts", sent); got.status != 200 {
		t.Fatalf("the right one: %d %s", got.status, got.body)
	}
	now = now.Add(time.Hour)
	if got := h.get(t, "/api/contexts", sent); got.status != 401 {
		t.Errorf("expired: %d", got.status)
	}
	now = now.Add(-time.Minute)
	token.Revoked = now
	book.Enter(token)
	if got := h.get(t, "/api/contexts", sent); got.status != 401 {
		t.Errorf("revoked: %d", got.status)
	}
}

func TestAClosedLoopAsksEverybodyWhoTheyAre(t *testing.T) {
	book := &access.Book{}
	shown := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "shown") })
	h := build(t, func(d *Deps) { d.Entrance.Tokens, d.Entrance.Closed, d.Metrics = book, true, shown })
	reader := tokenOf(book, access.Read)
	for path, public := range map[string]bool{"/healthz": true, "/readyz": true, "/openapi.json": true,
		"/api/contexts": false, "/api/rules/x": false, "/metrics": false, "/api/status": false} {
		if got := h.get(t, path, "Host: loop.example.com"); (got.status == 200) != public || got.status != 200 && got.status != 401 {
			t.Errorf("%s: %d", path, got.status)
		}
	}
	if got := h.do(t, "POST /v1/events", event("e", "feedback.fix", fix()), structured); got.status != 401 {
		t.Errorf("capture: %d", got.status)
	}
	for path, want := range map[string]int{"/api/contexts": 200, "/metrics": 200, "/api/status": 403} {
		if got := h.get(t, path, reader, "Host: loop.example.com"); got.status != want {
			t.Errorf("%s as a reader: %d", path, got.status)
		}
	}
}

func TestALinkSignsABrowserInOnce(t *testing.T) {
	h := gated(t)
	url, _ := h.api.SignInLink()
	_, code, _ := strings.Cut(url, "?t=")
	got := h.do(t, "POST /signin", "token="+code, form)
	cookie, attributes, _ := strings.Cut(got.header.Get("Set-Cookie"), ";")
	if got.status != 200 {
		t.Fatalf("%d %v", got.status, got.header)
	}
	for _, want := range []string{"HttpOnly", "SameSite=Strict", "Path=/"} {
		if !strings.Contains(attributes, want) {
			t.Errorf("the cookie is not %s: %s", want, attributes)
		}
	}
	if again := h.do(t, "POST /signin", "token="+code, form); again.status != 403 || again.header.Get("Set-Cookie") != "" {
		t.Errorf("a second time: %d", again.status)
	}
	if got := h.get(t, "/api/tokens", "Cookie: "+cookie); got.status != 200 {
		t.Errorf("signed in: %d", got.status)
	}
	got = h.do(t, "POST /signout", "", "Cookie: "+cookie, "Origin: "+h.web.URL)
	if got.status != 200 || !strings.Contains(got.header.Get("Set-Cookie"), "Max-Age=0") {
		t.Errorf("signing out: %d %v", got.status, got.header)
	}
	if got := h.get(t, "/api/tokens", "Cookie: "+cookie); got.status != 401 {
		t.Errorf("signed out: %d", got.status)
	}
}

func TestASessionOfATokenIsWhatTheTokenIs(t *testing.T) {
	book := &access.Book{}
	h := gated(t, func(d *Deps) { d.Entrance.Tokens = book })
	secret, token := access.Mint(access.Token{Name: "rita", Roles: access.Roles{access.Review}})
	book.Enter(token)
	got := h.do(t, "POST /signin", url.Values{"token": {secret}}.Encode(), form)
	cookie, _, _ := strings.Cut(got.header.Get("Set-Cookie"), ";")
	for path, want := range map[string]int{"/api/learnings/review": 200, "/api/status": 403} {
		if got := h.get(t, path, "Cookie: "+cookie); got.status != want {
			t.Errorf("%s: %d %s", path, got.status, got.body)
		}
	}
	token.Revoked = time.Now()
	book.Enter(token)
	if got := h.get(t, "/api/learnings/review", "Cookie: "+cookie); got.status != 401 {
		t.Errorf("with a revoked token: %d", got.status)
	}
	if got := h.do(t, "POST /signin", "token=wrong", form); got.status != 403 {
		t.Errorf("with a wrong token: %d", got.status)
	}
}

func TestABrowserThatShowsWrongCodesIsHeldBackUntilItShowsARightOne(t *testing.T) {
	h := gated(t)
	for i := range wrongAtOnce + 1 {
		got := h.do(t, "POST /signin", "token=wrong", form)
		if slow := i == wrongAtOnce; (got.status == 429) != slow || (got.header.Get("Retry-After") != "") != slow || got.status < 400 {
			t.Errorf("wrong for the %d. time: %d %v", i+1, got.status, got.header)
		}
	}
	code, _ := h.api.porter.sessions.Invite(time.Now())
	if got := h.do(t, "POST /signin", "token="+code, form); got.status != 200 || got.header.Get("Set-Cookie") == "" {
		t.Errorf("a right one: %d", got.status)
	}
}

func TestACookieChangesNothingForAnotherPage(t *testing.T) {
	h := furnished(t)
	cookie, _ := h.api.porter.sessions.Open(access.Session{Name: operatorName}, time.Now())
	sent := "Cookie: " + plainCookie + "=" + cookie
	const path = "DELETE /api/learnings/unheard"
	for name, headers := range map[string][]string{
		"no page":      nil,
		"foreign page": {"Origin: https://evil.example"},
		"another port": {"Origin: http://127.0.0.1:1"},
		"same site":    {"Sec-Fetch-Site: same-site"},
	} {
		if p := h.do(t, path, "", append(headers, sent)...).problem(t); p.Code != CrossSite {
			t.Errorf("%s: %+v", name, p)
		}
	}
	for name, header := range map[string]string{"own page": "Origin: " + h.web.URL, "own page, new browser": "Sec-Fetch-Site: same-origin"} {
		if p := h.do(t, path, "", sent, header).problem(t); p.Code != NotFound {
			t.Errorf("%s: %+v", name, p)
		}
	}
}

func TestUnderTLSTheCookieIsHeldToTheHost(t *testing.T) {
	h := gated(t, func(d *Deps) { d.Entrance.Secure = true })
	code, _ := h.api.porter.sessions.Invite(h.api.deps.Now())
	got := h.do(t, "POST /signin", "token="+code, form).header.Get("Set-Cookie")
	if !strings.HasPrefix(got, "__Host-learnloop=") || !strings.Contains(got, "Secure") || strings.Contains(got, "Domain") {
		t.Error(got)
	}
}

func TestWrongCredentialsAreSlowedAndRightOnesAreNot(t *testing.T) {
	h := build(t)
	var statuses []int
	for range wrongAtOnce + 1 {
		got := h.get(t, "/healthz", "Authorization: Bearer guess")
		if statuses = append(statuses, got.status); got.status == 429 && got.header.Get("Retry-After") == "" {
			t.Error("it does not say when to come back")
		}
	}
	if statuses[wrongAtOnce-1] != 401 || statuses[wrongAtOnce] != 429 {
		t.Error(statuses)
	}
	if got := h.get(t, "/api/status", asAdmin); got.status != 200 {
		t.Errorf("who knows the token: %d", got.status)
	}
}

func TestWhoAsksTooOftenIsToldWhenToComeBack(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	h := build(t, func(d *Deps) { d.Entrance.PerSecond, d.Now = 2, func() time.Time { return now } })
	var statuses []int
	for range 6 {
		statuses = append(statuses, h.get(t, "/healthz").status)
	}
	if !slices.Equal(statuses, []int{200, 200, 200, 200, 429, 429}) {
		t.Error(statuses)
	}
	if got := h.get(t, "/healthz"); got.problem(t).Code != TooMany || got.header.Get("Retry-After") != "1" {
		t.Errorf("%d %v", got.status, got.header)
	}
	if got := h.get(t, "/healthz", asAdmin); got.status != 200 {
		t.Errorf("another caller: %d", got.status)
	}
}

func TestBehindAProxyItsWordCountsAndNoOther(t *testing.T) {
	for _, c := range []struct {
		proxied         bool
		remote, forward string
		want            string
	}{
		{false, "192.0.2.7:1", "198.51.100.1", "192.0.2.7"},
		{true, "192.0.2.7:1", "203.0.113.5, 198.51.100.1", "198.51.100.1"},
		{true, "192.0.2.7:1", "", "192.0.2.7"},
		{true, "192.0.2.7:1", "nonsense", "unknown"},
		{true, "192.0.2.7:1", "203.0.113.5:1, 198.51.100.1:5678", "198.51.100.1"},
		{true, "192.0.2.7:1", "[2001:db8:1:2:3::4]", "2001:db8:1:2::/64"},
		{true, "192.0.2.7:1", "[2001:db8:1:2:3::4]:5678", "2001:db8:1:2::/64"},
		{true, "192.0.2.7:1", "2001:db8:1:2:3::4", "2001:db8:1:2::/64"},
		{true, "192.0.2.7:1", "198.51.100.1:port", "unknown"},
		{false, "[2001:db8:1:2:3::4]:1", "", "2001:db8:1:2::/64"},
		{false, "[::ffff:192.0.2.7]:1", "", "192.0.2.7"},
		{false, "@", "", "unknown"},
	} {
		p := newPorter(Entrance{Proxied: c.proxied}, time.Now)
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = c.remote
		if c.forward != "" {
			r.Header.Set("X-Forwarded-For", c.forward)
		}
		if got := p.address(r); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

func TestAPageKnowsWhoCallsAndSendsStrangersToSignIn(t *testing.T) {
	h := build(t)
	h.api.Handle("GET /rules", Admit(Admin, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v := VisitorOf(r.Context())
		_, _ = io.WriteString(w, v.Name+" by the "+v.Door)
	})))
	cookie, _ := h.api.porter.sessions.Open(access.Session{Name: "operator"}, time.Now())
	if got := h.get(t, "/rules", "Accept: text/html", "Cookie: "+plainCookie+"="+cookie); got.body != "operator by the dashboard" {
		t.Errorf("%d %s", got.status, got.body)
	}
	if got := h.get(t, "/rules", "Accept: text/html,*/*"); got.status != 303 || got.header.Get("Location") != "/signin" {
		t.Errorf("a browser: %d %v", got.status, got.header)
	}
	if got := h.get(t, "/rules"); got.problem(t).Code != Unauthorized {
		t.Errorf("a program: %d", got.status)
	}
}

func TestNothingIsMoreThanAnOperationThatForgotItsAccess(t *testing.T) {
	var forgotten Operation[NoArgs, Health]
	if forgotten.Access != Admin {
		t.Errorf("an operation that says nothing is for %s", forgotten.Access)
	}
}
