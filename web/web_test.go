package web_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"learnloop.dev/api"
	"learnloop.dev/web"

	"github.com/go-json-experiment/json/jsontext"
)

// mute is a loop of which every operation says the same.
type mute struct{ says error }

func (m mute) Do(context.Context, api.Call) (jsontext.Value, error) { return nil, m.says }

// site serves the dashboard of a loop.
func site(t *testing.T, l web.Loop) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	s := web.New(web.Deps{Loop: l, Gate: web.NewSessions(func(token string) bool { return token == "right" }, time.Now)})
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

func TestTheCookieOfWhoSignsInStaysOnThisSite(t *testing.T) {
	s := site(t, mute{})
	enter := func(token string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		req := httptest.NewRequest(http.MethodPost, "/signin/in", strings.NewReader("token="+token))
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		s.Config.Handler.ServeHTTP(w, req)
		return w
	}
	if w := enter("wrong"); w.Code != http.StatusForbidden || len(w.Result().Cookies()) != 0 {
		t.Errorf("a wrong token: %d", w.Code)
	}
	cookies := enter("right").Result().Cookies()
	if len(cookies) != 1 || !cookies[0].HttpOnly || cookies[0].SameSite != http.SameSiteStrictMode || strings.Contains(cookies[0].Value, "right") {
		t.Errorf("the cookies are %v", cookies)
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
