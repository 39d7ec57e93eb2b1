package web_test

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// note is what a page says of its connection.
func note(says string) step {
	return chromedp.WaitVisible(chromedp.Search(`//p[@id="connection"][contains(., "` + says + `")]`))
}

// signsOut ends the visit behind the page's back.
const signsOut = `fetch("/signin/out", {method: "POST"}).then(() => 0)`

func TestAPageSaysThatItsVisitHasEnded(t *testing.T) {
	for name, settings := range map[string][]string{"open": nil, "closed": {"access.behind_proxy=true"}} {
		t.Run(name, func(t *testing.T) {
			s := sit(t, settings...)
			for _, path := range []string{"/dead-letters", "/privacy"} { // follows alone; asks anew, too
				s.signIn(t)
				s.open(t, path)
				told(t, s, chromedp.Evaluate[int](signsOut, chromedp.EvalAwaitPromise))
				s.do(t, note("Signed out."), chromedp.Click(`#connection a[href="/signin"]`), chromedp.WaitReady("#token"))
				s.forgive() // the browser tells of 401
			}
		})
	}
}

func TestAPageSaysThatTheLoopDoesNotAnswer(t *testing.T) {
	s := sit(t)
	s.signIn(t)
	s.open(t, "/system")
	told(t, s, chromedp.Evaluate[int](`window.was = fetch; fetch = async () => new Response("", {status: 503}); 0`))
	s.do(t, note("The loop answers 503"))
	told(t, s, chromedp.Evaluate[int](`fetch = window.was; 0`))
	s.do(t, chromedp.WaitReady(`#connection:empty`))
}
