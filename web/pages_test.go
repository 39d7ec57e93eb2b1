package web_test

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// everyPage are the pages, each with something to show by name.
func everyPage() map[string]string {
	return map[string]string{
		"overview": "/", "rules": "/rules", "learnings": "/learnings", "samples": "/samples", "routing": "/routing",
		"templates": "/templates", "experiments": "/experiments", "people": "/people", "dead-letters": "/dead-letters",
		"privacy": "/privacy", "system": "/system", "signin": "/signin",
	}
}

func TestEveryPageOfAnEmptyLoopSaysWhatToDo(t *testing.T) {
	s := sit(t)
	for name, path := range everyPage() {
		s.open(t, path)
		if h1 := told(t, s, chromedp.Text("h1")); h1 == "" {
			t.Errorf("%s has no heading", name)
		}
	}
	s.forgive() // a page that is closed is told as one that failed to load
	s.signIn(t)
	for _, name := range []string{"rules", "learnings", "samples", "routing", "experiments", "people", "dead-letters"} {
		s.open(t, everyPage()[name])
		if says := told(t, s, chromedp.Text(".nothing")); len(says) < 40 {
			t.Errorf("%s says only %q", name, says)
		}
		s.quiet(t, name)
	}
}
