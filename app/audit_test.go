package app_test

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"learnloop.dev/access"
	"learnloop.dev/api"
	"learnloop.dev/bus"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// deeds are the lines of the audit log, the oldest first, without times.
func (l *living) deeds(t *testing.T) (lines []string) {
	t.Helper()
	var page api.Audit
	if err := l.client.Call(t.Context(), "audit.list", nil, &page); err != nil {
		t.Fatal(err)
	}
	for _, d := range page.Deeds {
		lines = append(lines, strings.Join([]string{d.Who, d.Door, d.Operation, d.Key, d.Outcome}, " "))
	}
	slices.Reverse(lines)
	return lines
}

// signedIn returns a browser that used the link.
func (l *living) signedIn(t *testing.T) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := &http.Client{Jar: jar, Transport: &http.Transport{DisableKeepAlives: true}}
	_, code, _ := strings.Cut(l.SignInLink(), "?t=")
	l.submit(t, browser, "/signin/in", url.Values{"token": {code}})
	return browser
}

// submit sends a form of our own pages.
func (l *living) submit(t *testing.T, browser *http.Client, path string, form url.Values) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, l.Addresses().HTTP+path, strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Origin", l.Addresses().HTTP)
	resp, err := browser.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if body, _ := io.ReadAll(resp.Body); resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d %s", path, resp.StatusCode, body)
	}
}

// bearing sends a token with every request.
type bearing string

func (b bearing) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

func TestWhatPeopleChangeThroughAnyDoorStandsInTheAuditLog(t *testing.T) {
	l, _ := start(t, t.TempDir(), "clock.ticks=false")
	coia := map[string]any{"title": "t", "context": "c", "observation": "o", "implication": "i", "action": "a"}
	// Over NATS, as the commands do: what anybody may do too, and what nobody else may.
	var learned struct {
		ID string `json:"id"`
	}
	if err := l.client.Call(t.Context(), "learnings.create", coia, &learned); err != nil {
		t.Fatal(err)
	}
	l.call(t, "inject", map[string]any{"task_id": "t", "title": "t"}) // a question
	var made api.MintedToken
	if err := l.client.Call(t.Context(), "tokens.create", api.TokenWish{Name: "rita", Roles: access.Roles{access.Review}}, &made); err != nil {
		t.Fatal(err)
	}
	// Straight into the inbox.
	l.publishReserved(t, []string{event("c", "dev.learnloop.control.settings.changed.v1", `{"key":"mine","value":1}`)})
	for end := time.Now().Add(patience); len(l.deeds(t)) < 3; {
		if time.Now().After(end) {
			t.Fatal("it is not written down")
		}
	}
	// Over HTTP, by a token that is a person's.
	client := &http.Client{Transport: bearing(made.Token)}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodDelete, l.Addresses().HTTP+"/api/learnings/unheard", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	// Over MCP.
	s, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(),
		&mcp.StreamableClientTransport{Endpoint: l.Addresses().HTTP + "/mcp", HTTPClient: client, MaxRetries: -1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	review := &mcp.CallToolParams{Name: "learnings_review", Arguments: map[string]any{"id": "unheard", "verdict": "rejected"}}
	if _, err := s.CallTool(t.Context(), review); err != nil {
		t.Fatal(err)
	}
	// On the pages.
	l.submit(t, l.signedIn(t), "/privacy/set", url.Values{"text_mode": {"strict"}})
	want := []string{
		"operator nats learnings.create " + learned.ID + " done",
		"operator nats tokens.create " + made.ID + " done",
		"operator nats events.publish control.settings.changed done",
		"rita http learnings.archive unheard not_found",
		"rita mcp learnings.review unheard not_found",
		"operator dashboard privacy.set  done",
	}
	if got := l.deeds(t); !slices.Equal(got, want) {
		t.Errorf("%s", strings.Join(got, "\n"))
	}
}

func TestARequestThatIsSentAgainStandsInTheAuditLogWithWhatItMade(t *testing.T) {
	l, _ := start(t, t.TempDir(), "clock.ticks=false")
	wish := map[string]any{"title": "t", "context": "c", "observation": "o", "implication": "i", "action": "a", "idempotency_key": "key-0815"}
	var learned struct {
		ID string `json:"id"`
	}
	for range 2 {
		if err := l.client.Call(t.Context(), "learnings.create", wish, &learned); err != nil {
			t.Fatal(err)
		}
	}
	line := "operator nats learnings.create " + learned.ID + " done"
	if got := l.deeds(t); !slices.Equal(got, []string{line, line}) {
		t.Errorf("%s", strings.Join(got, "\n"))
	}
}

// await polls until something is so.
func await(t *testing.T, what string, so func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !so(); {
		if time.Now().After(end) {
			t.Fatalf("never: %s", what)
		}
	}
}

func TestCaptureGoesOnWhileTheAuditLogIsAwayAndNothingOfItIsLost(t *testing.T) {
	l, _ := start(t, t.TempDir(), "clock.ticks=false")
	log, err := l.js.Stream(t.Context(), bus.AuditStream)
	if err == nil {
		err = l.js.DeleteStream(t.Context(), bus.AuditStream)
	}
	if err != nil {
		t.Fatal(err)
	}
	l.publishReserved(t, []string{event("c", "dev.learnloop.control.settings.changed.v1", `{"key":"mine","value":1}`)})
	await(t, "the change is in the log", func() bool { return l.count(t, "learn.ev.*.control.settings.changed") > 0 })
	for i := range 20 { // whichever worker takes them
		l.report(t, "feedback.fix", "f"+strconv.Itoa(i), `{"suggestion_id":"s`+strconv.Itoa(i)+`","deviation_id":"d","rule_id":"passive","category":"style",
			"decision":"accepted","original_text":"was done","suggested_text":"did"}`)
	}
	await(t, "what came later is in the log", func() bool { return l.count(t, "learn.ev.*.feedback.fix") >= 20 })
	if _, err := l.js.CreateStream(t.Context(), log.CachedInfo().Config); err != nil {
		t.Fatal(err)
	}
	const want = "operator nats events.publish control.settings.changed done"
	await(t, "the line is written", func() bool { return slices.Contains(l.deeds(t), want) })
	await(t, "the message is settled", func() bool {
		consumer, err := l.js.Consumer(t.Context(), bus.InboxStream, "ingest")
		if err != nil {
			t.Fatal(err)
		}
		info, err := consumer.Info(t.Context())
		return err == nil && info.NumAckPending == 0 && info.NumPending == 0
	})
	if got := l.deeds(t); !slices.Equal(got, []string{want}) {
		t.Errorf("%q", got)
	}
}
