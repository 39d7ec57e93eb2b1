package api

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"learnloop.dev/kv"
)

func TestRequestsForOtherHostsAreMisdirected(t *testing.T) {
	h := build(t)
	for host, want := range map[string]int{
		"localhost": 200, "localhost:8420": 200, "127.0.0.1:1": 200, "127.9.9.9": 200, "[::1]:8420": 200,
		"LoopBack.localhost": 200, "loop.example": 421,
		"evil.example": 421, "127.0.0.1.evil.example": 421, "localhost.evil.example": 421, "10.0.0.1": 421, "evil.localhost.example": 421,
	} {
		if got := h.get(t, "/healthz", "Host: "+host); got.status != want {
			t.Errorf("%s: %d", host, got.status)
		}
	}
}

func TestAnotherSitesPageChangesNothing(t *testing.T) {
	h := build(t)
	good := event("e", "feedback.fix", fix())
	for name, headers := range map[string][]string{
		"foreign origin": {"Origin: https://evil.example"},
		"no origin":      {"Origin: null"},
		"another port":   {"Origin: http://127.0.0.1:1"},
		"cross-site":     {"Sec-Fetch-Site: cross-site"},
		"same-site":      {"Sec-Fetch-Site: same-site"},
	} {
		if p := h.do(t, "POST /v1/events", good, append(headers, structured)...).problem(t); p.Code != CrossSite || p.Status != 403 {
			t.Errorf("%s: %+v", name, p)
		}
	}
	for name, header := range map[string]string{"its own page": "Origin: " + h.web.URL, "its own page, new browser": "Sec-Fetch-Site: same-origin"} {
		if got := h.do(t, "POST /v1/events", good, structured, header); got.status != 202 {
			t.Errorf("%s: %d %s", name, got.status, got.body)
		}
	}
	got := h.get(t, "/healthz", "Origin: https://evil.example")
	if got.status != 200 || got.header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("a read that the browser does not show: %d %v", got.status, got.header)
	}
}

func TestWhatIsNotThereIsAProblem(t *testing.T) {
	h := build(t)
	for _, c := range []struct {
		method, path string
		code         Code
	}{
		{"GET", "/nothing", NotFound},
		{"GET", "/api/contexts/rule/", NotFound},
		{"GET", "/api/contexts/../../etc/passwd", NotFound},
		{"GET", "/schemas/..%2F..%2Fgo.mod", NotFound},
		{"GET", "/schemas/feedback.none", NotFound},
		{"POST", "/healthz", MethodNotAllowed},
		{"DELETE", "/v1/events", MethodNotAllowed},
		{"OPTIONS", "/v1/events", MethodNotAllowed},
		{"GET", "/metrics", NotFound},
		{"GET", "/api/contexts?limit=many", Invalid},
		{"GET", "/api/contexts?limit=%zz", BadRequest},
		{"GET", "/api/dlq", Unauthorized},
		{"GET", "/api/statistics?from=yesterday", Invalid},
	} {
		got := h.do(t, c.method+" "+c.path, "")
		if p := got.problem(t); p.Code != c.code {
			t.Errorf("%s %s: %d %s", c.method, c.path, got.status, got.body)
		}
		if c.code == MethodNotAllowed && got.header.Get("Allow") == "" {
			t.Errorf("%s %s does not say which methods it takes", c.method, c.path)
		}
	}
}

func TestPeopleWhoGoAstrayGetAPageAndProgramsAProblem(t *testing.T) {
	h := build(t)
	h.api.HandleAstray(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) }))
	if got := h.get(t, "/nowhere", "Accept: text/html,application/xhtml+xml"); got.status != http.StatusTeapot {
		t.Errorf("people get %d", got.status)
	}
	for _, accept := range []string{"application/json", "*/*", ""} {
		if p := h.get(t, "/nowhere", "Accept: "+accept).problem(t); p.Code != NotFound {
			t.Errorf("who accepts %q gets %+v", accept, p)
		}
	}
	if p := h.do(t, "DELETE /openapi.json", "", "Accept: text/html").problem(t); p.Code != MethodNotAllowed {
		t.Errorf("a path that takes other methods is not astray: %+v", p)
	}
}

func TestEveryAnswerIsHardened(t *testing.T) {
	h := build(t)
	for _, path := range []string{"/healthz", "/docs", "/nothing", "/openapi.json"} {
		got := h.get(t, path)
		if got.header.Get("X-Content-Type-Options") != "nosniff" || got.header.Get("Content-Security-Policy") == "" {
			t.Errorf("%s: %v", path, got.header)
		}
	}
}

func TestABodyOverTheLimitIsRefusedWithoutItsLength(t *testing.T) {
	h := build(t)
	body := struct{ io.Reader }{strings.NewReader(strings.Repeat(" ", maxBody+2))} // its length is not sent
	res, err := http.Post(h.web.URL+"/v1/events", "application/cloudevents+json", body)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	data, _ := io.ReadAll(res.Body)
	if p := (response{res.StatusCode, res.Header, string(data)}).problem(t); p.Code != TooLarge {
		t.Errorf("%+v", p)
	}
}

func TestKnownBytesAreNotSentAgain(t *testing.T) {
	h := build(t)
	h.put(t, "rule", "passive", passive)
	for _, path := range []string{"/api/contexts/rule/passive", "/api/rules/unheard%20of", "/openapi.json", "/asyncapi.json", "/schemas/feedback.fix"} {
		first := h.get(t, path)
		tag := first.header.Get("ETag")
		if tag == "" {
			t.Fatalf("%s has no tag", path)
		}
		for _, match := range []string{tag, "W/" + tag, `"other", ` + tag, "*"} {
			if got := h.get(t, path, "If-None-Match: "+match); got.status != 304 || got.body != "" || got.header.Get("ETag") != tag {
				t.Errorf("%s with %s: %d %q", path, match, got.status, got.body)
			}
		}
		if got := h.get(t, path, `If-None-Match: "other"`); got.status != 200 || got.body != first.body {
			t.Errorf("%s with another tag: %d", path, got.status)
		}
	}
	before := h.get(t, "/api/rules/passive").header.Get("ETag")
	h.put(t, "rule", "passive", `{"id":"passive","kind":"rule","prompt":"Something else."}`)
	if got := h.get(t, "/api/rules/passive", "If-None-Match: "+before); got.status != 200 {
		t.Errorf("a changed context: %d", got.status)
	}
}

func TestAPathOfSlashesAloneIsAPathLikeAnyOther(t *testing.T) {
	h := furnished(t)
	for path, want := range map[string]int{
		"/api/rules/%2F": 200, "/api/rules/%2f": 200, "/api/contexts/rule/%2F": 200, "/api/contexts/%2F/%2F": 400,
		"/api/dlq/%2F": 401, "/api/rules/%2F/": 404, "/api/%2F": 404, "/v1/%2F": 404,
	} {
		if got := h.get(t, path); got.status != want {
			t.Errorf("%s: %d %s", path, got.status, got.body)
		}
	}
	if got := h.do(t, "DELETE /api/rules/%2F", ""); got.status != 405 && got.status != 404 {
		t.Errorf("%d %s", got.status, got.body)
	}
	if got := h.do(t, "GET /api/rules/%2F", "", "If-None-Match: *"); got.status != 304 {
		t.Errorf("known bytes: %d", got.status)
	}
}

func TestOnlyOperatorsSeeProfiles(t *testing.T) {
	shown := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "shown") })
	h := build(t, func(d *Deps) { d.Profiles, d.Metrics = shown, shown })
	if p := h.get(t, "/debug/pprof/heap").problem(t); p.Code != Unauthorized || p.Status != 401 {
		t.Errorf("%+v", p)
	}
	if got := h.get(t, "/debug/pprof/heap", asAdmin); got.body != "shown" {
		t.Errorf("an operator: %d %s", got.status, got.body)
	}
	if got := h.get(t, "/metrics"); got.body != "shown" {
		t.Errorf("metrics: %d %s", got.status, got.body)
	}
}

func TestWithoutATokenNobodyIsAnOperator(t *testing.T) {
	h := build(t, func(d *Deps) { d.Entrance.AdminToken = "" })
	for _, given := range []string{"Bearer ", "Bearer", "Bearer x"} {
		if got := h.get(t, "/healthz", "Authorization: "+given); got.status != 401 {
			t.Errorf("%q: %d", given, got.status)
		}
	}
}

func TestAPanicOutsideAnOperationIsAProblem(t *testing.T) {
	var told error
	h := build(t, func(d *Deps) {
		d.Metrics = http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("secret") })
		d.Failed = func(_ string, err error) { told = err }
	})
	if got := h.get(t, "/metrics"); got.problem(t).Code != Internal || strings.Contains(got.body, "secret") {
		t.Errorf("%s", got.body)
	}
	if told == nil || strings.Contains(told.Error(), "secret") {
		t.Errorf("told %v", told)
	}
}

func TestReadinessSaysWhatIsMissing(t *testing.T) {
	missing := errors.Join(errors.New("analyze is catching up"), errors.New("inject has not started"))
	h := build(t, func(d *Deps) { d.Ready = func() error { return missing } })
	got := h.get(t, "/readyz")
	if p := got.problem(t); p.Status != 503 || p.Code != NotReady || !strings.Contains(p.Detail, "analyze is catching up; inject") {
		t.Errorf("%+v", p)
	}
	if got := h.get(t, "/healthz"); got.status != 200 {
		t.Errorf("alive: %d", got.status)
	}
	missing = nil
	if got := h.get(t, "/readyz"); got.status != 200 || !strings.Contains(got.body, `"ready"`) {
		t.Errorf("ready: %d %s", got.status, got.body)
	}
}

func TestCaptureAloneOpensNoOtherOperation(t *testing.T) {
	a, err := New(Deps{Door: stuck{errors.New("full")}})
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(a.Handler())
	defer web.Close()
	h := &house{web: web}
	for path, want := range map[string]int{"/healthz": 200, "/api/contexts": 404, "/api/dlq": 404, "/v1/events": 405} {
		if got := h.get(t, path); got.status != want {
			t.Errorf("%s: %d", path, got.status)
		}
	}
}

// FuzzPathIDs holds what the path says to what the bucket has: any id that an
// event can carry comes back as itself, all others are refused.
func FuzzPathIDs(f *testing.F) {
	for _, id := range []string{"passive", "/", "//", "/a", "a/", "a/b", "a.b", "..", ".", "%2F", "é", "日本", "a b", "*", ">",
		"\n", "\x00", "\xff", "=41", strings.Repeat("x", 5000)} {
		f.Add(id)
	}
	h := build(f)
	f.Fuzz(func(t *testing.T, id string) {
		res := httptest.NewRecorder()
		req := httptest.NewRequest(http.MethodGet, "http://localhost/", nil)
		req.URL = &url.URL{Path: "/api/contexts/rule/" + id, RawPath: "/api/contexts/rule/" + escape(id)}
		h.api.Handler().ServeHTTP(res, req)
		got := response{res.Code, res.Header(), res.Body.String()}
		if err := checkID("id", id); err != nil {
			if got.status != 400 && got.status != 404 {
				t.Fatalf("%q: %d %s", id, got.status, got.body)
			}
			return
		}
		var c struct {
			ID string `json:"id"`
		}
		got.read(t, &c)
		if got.status != 200 || c.ID != id || got.header.Get("Learnloop-Key") != kv.Key("rule", id) {
			t.Fatalf("%q: %d %s", id, got.status, got.body)
		}
	})
}

// escape encodes every byte, so that nothing of an id means anything to a path.
func escape(id string) string {
	var b strings.Builder
	for i := range len(id) {
		b.WriteString("%" + strings.ToUpper(string("0123456789abcdef"[id[i]>>4])+string("0123456789abcdef"[id[i]&15])))
	}
	return b.String()
}

func TestARequestThatIsNoHTTPLeavesTheServerAlive(t *testing.T) {
	h := build(t)
	c, err := net.Dial("tcp", strings.TrimPrefix(h.web.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.WriteString(c, "GET /api/contexts/rule/a\rb HTTP/1.1\r\nHost: localhost\r\n\r\n")
	_ = c.Close()
	if got := h.get(t, "/healthz"); got.status != 200 {
		t.Errorf("%d", got.status)
	}
}

func TestTheSameCallsNeedTheAdminThroughEachDoor(t *testing.T) {
	h := build(t)
	open := AnonymousSubjects()
	for _, e := range h.api.registry.entries {
		path := strings.NewReplacer("{sequence}", "1", "{user}", "u").Replace(e.path)
		got := h.do(t, e.method+" "+path, "{}", structured, "Accept: "+mediaJSON) // one answer of changes
		if closed := got.status == http.StatusUnauthorized; closed == slices.Contains(open, subjectOf(e.name)) {
			t.Errorf("%s: %d over HTTP without the token", e.name, got.status)
		}
	}
}

func TestALostPathSaysHowASlashIsWritten(t *testing.T) {
	if p := build(t).get(t, "/api/contexts/rule/revive/unused-parameter").problem(t); !strings.Contains(p.Hint, "%2F") {
		t.Errorf("%+v", p)
	}
}
