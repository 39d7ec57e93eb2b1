package web_test

import (
	"context"
	"os"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// rulesOfAccess is a program that checks pages in the browser, as the CI installs it.
func rulesOfAccess(t *testing.T) string {
	t.Helper()
	path := os.Getenv("LEARNLOOP_AXE")
	if path == "" {
		t.Skip("set LEARNLOOP_AXE to axe.min.js (npm ci in .ci/browser)")
	}
	program, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(program)
}

// violations are what the rules of WCAG 2.2 AA say against the page that is shown.
const violations = `axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]})
	.then(found => found.passes.length < 10 ? ["only " + found.passes.length + " rules were tried"] :
		found.violations.map(v => v.id + ": " + v.nodes.slice(0, 3).map(n => n.html.slice(0, 200)).join(" | ")))`

func TestPagesKeepTheRulesOfAccess(t *testing.T) {
	program := rulesOfAccess(t)
	s := sit(t)
	for _, e := range planted() {
		s.take(t, e)
	}
	s.signIn(t)
	s.do(t, bypass)
	pages := []string{}
	for _, list := range everyPage() {
		pages = append(pages, list)
		if links := s.linked(t, list); len(links) > 0 {
			pages = append(pages, links[0])
		}
	}
	for look, steps := range looks() {
		s.do(t, steps...)
		for _, path := range pages {
			s.open(t, path)
			told(t, s, chromedp.Evaluate[any](program+"; 0"))
			for _, v := range told(t, s, chromedp.Evaluate[[]string](violations, chromedp.EvalAwaitPromise)) {
				t.Errorf("%s %s: %s", path, look, v)
			}
		}
	}
}

// bypass lets the test put its program into pages, which their policy would not.
func bypass(ctx context.Context, tab *chromedp.Target) (chromedp.Void, error) {
	_, err := cdp.Call(ctx, tab, page.SetBypassCSP, page.SetBypassCSPParams{Enabled: true})
	return chromedp.Void{}, err
}
