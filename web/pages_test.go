package web_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
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

// recorded are events that others published, if there are any.
func recorded(t *testing.T) (events []string) {
	t.Helper()
	dir := os.Getenv("LEARNLOOP_TESTDATA")
	if dir == "" {
		t.Skip("set LEARNLOOP_TESTDATA to the folder of recorded events")
	}
	for _, name := range []string{"golint_cli", "mplp_r3", "dcs_ab_aime2024", "dcs_coia_aime2024", "tau1", "realhumaneval_chat_dev"} {
		data, err := os.ReadFile(filepath.Join(dir, name+".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, strings.Split(strings.TrimSpace(string(data)), "\n")...)
	}
	return events
}

func TestPagesLookAsInTheDocumentation(t *testing.T) {
	dir := os.Getenv("LEARNLOOP_SHOTS")
	if dir == "" {
		t.Skip("set LEARNLOOP_SHOTS to a folder for screenshots")
	}
	s := sit(t)
	sample, err := os.ReadFile("../cmd/learnloop/demo/sample.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	s.take(t, strings.Split(string(bytes.TrimSpace(sample)), "\n")...)
	s.take(t, recorded(t)...)
	s.signIn(t)
	s.do(t, chromedp.Navigate(s.address+"/routing"), chromedp.WaitReady("table"), chromedp.Navigate(s.address+"/experiments"), chromedp.WaitReady("table a"))
	pages := everyPage()
	for list, one := range map[string]string{"rules": "rule", "learnings": "learning", "routing": "task", "templates": "template",
		"experiments": "experiment", "people": "person", "dead-letters": "letter"} {
		s.open(t, everyPage()[list])
		pages[one] = told(t, s, chromedp.Evaluate[string](`document.querySelector("tbody th a").getAttribute("href")`))
	}
	for look, steps := range looks() {
		s.do(t, steps...)
		for name, path := range pages {
			s.open(t, path)
			picture := told(t, s, chromedp.FullScreenshot(100))
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s-%s.png", name, look)), picture, 0o600); err != nil {
				t.Fatal(err)
			}
			s.quiet(t, name+" "+look)
		}
	}
}
