package web_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"learnloop.dev/api"
	"learnloop.dev/web"

	"github.com/go-json-experiment/json/jsontext"
)

// mute is a loop of which every operation says the same.
type mute struct{ says error }

func (m mute) Do(context.Context, api.Call) (jsontext.Value, error) { return nil, m.says }

// doorman lets in who shows the right word.
type doorman struct{}

func (doorman) Enter(w http.ResponseWriter, _ *http.Request, token string) int {
	switch token {
	case "right":
		return http.StatusOK
	case "guess":
		w.Header().Set("Retry-After", "6")
		return http.StatusTooManyRequests
	}
	return http.StatusForbidden
}

func (doorman) Leave(http.ResponseWriter, *http.Request) {}

// site serves the dashboard of a loop.
func site(t *testing.T, l web.Loop) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	s := web.New(web.Deps{Loop: l, Gate: doorman{}})
	s.Handle(mux.Handle)
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server
}

func TestAPageSaysWhatWentWrongAndWhatToDo(t *testing.T) {
	s := site(t, mute{&api.Problem{Status: http.StatusServiceUnavailable, Title: "A part does not answer", Detail: "no answer <b>", Hint: "look"}})
	w := httptest.NewRecorder()
	req := httptest.NewRequest(http.MethodGet, "/rules", http.NoBody)
	s.Config.Handler.ServeHTTP(w, req)
	page := w.Body.String()
	for _, want := range []string{"A part does not answer", "No answer &lt;b&gt;.", "Look."} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Header().Get("Content-Security-Policy"), "script-src 'self'") {
		t.Errorf("%d with policy %q", w.Code, w.Header().Get("Content-Security-Policy"))
	}
}

func TestALinkNeedsNothingButAButton(t *testing.T) {
	s := site(t, mute{})
	w := httptest.NewRecorder()
	s.Config.Handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, `/signin?t=CODE"><b>`, http.NoBody))
	if page := w.Body.String(); !strings.Contains(page, `value="CODE&#34;&gt;&lt;b&gt;"`) ||
		strings.Contains(page, "<b>") || strings.Contains(page, `type="password"`) {
		t.Error(page)
	}
	w = httptest.NewRecorder()
	s.Config.Handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/signin", http.NoBody))
	if !strings.Contains(w.Body.String(), `type="password"`) {
		t.Error("without a link nothing asks for a token")
	}
}

func TestOnlyTheRightWordLetsIn(t *testing.T) {
	s := site(t, mute{})
	for token, want := range map[string]int{"wrong": http.StatusForbidden, "right": http.StatusSeeOther} {
		w := httptest.NewRecorder()
		req := httptest.NewRequest(http.MethodPost, "/signin/in", strings.NewReader("token="+token))
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		if s.Config.Handler.ServeHTTP(w, req); w.Code != want {
			t.Errorf("%s: %d", token, w.Code)
		}
	}
}

func TestWhoGuessesIsToldHowLongToWait(t *testing.T) {
	s := site(t, mute{})
	for token, waits := range map[string]bool{"wrong": false, "guess": true} {
		w := httptest.NewRecorder()
		req := httptest.NewRequest(http.MethodPost, "/signin/in", strings.NewReader("token="+token))
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		s.Config.Handler.ServeHTTP(w, req)
		if told := strings.Contains(w.Body.String(), "wait 6 seconds before"); told != waits || (w.Code == http.StatusTooManyRequests) != waits {
			t.Errorf("%s: %d %s", token, w.Code, w.Body)
		}
	}
}

func TestAPreferenceThatIsNoNumberIsAskedForAgain(t *testing.T) {
	s := site(t, mute{})
	w := httptest.NewRecorder()
	req := httptest.NewRequest(http.MethodPost, "/person/set", strings.NewReader("user=anna&key=brevity&value=much"))
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	s.Config.Handler.ServeHTTP(w, req)
	if w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), "A preference is a number from 0 to 1") {
		t.Errorf("it answers %d: %s", w.Code, w.Body)
	}
}
