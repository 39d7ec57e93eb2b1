package web_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// markup is what somebody writes who wants to be more than text.
const markup = `<script>pwned=1</script>"><img src=x onerror=pwned=2>'><svg onload=pwned=3></title></textarea>`

// planted are events with markup in every text that pages show.
func planted() (events []string) {
	m := strings.ReplaceAll(markup, `"`, `\"`)
	add := func(kind, data string) {
		events = append(events, event(fmt.Sprintf("planted-%d", len(events)), kind, strings.ReplaceAll(data, "$", m)))
	}
	for i := range 12 {
		add("feedback.fix", fmt.Sprintf(`{"suggestion_id":"s%d","deviation_id":"d%d","rule_id":"$","category":"$","decision":"%s",
			"original_text":"$ a","suggested_text":"$ b","final_text":"$ c","user_modification":"$ d","user_comment":"$",
			"user_id":"$","original_confidence":0.9,"model":"$"}`,
			i, i, []string{"rejected", "accepted", "modified"}[i%3]))
	}
	add("learning.created", `{"id":"planted","title":"$","context":"$","observation":"$","implication":"$","action":"$",
		"tags":["$"],"domain":"$","source_task_id":"$","source_outcome_id":"$"}`)
	add("learning.proposed", `{"id":"proposed","title":"$","context":"$","observation":"$","implication":"$","action":"$","tags":["$"],"domain":"$"}`)
	for i := range 3 {
		add("task.finished", fmt.Sprintf(`{"task_id":"t%d$","goal":"$ do it","status":"completed",
			"subtasks":[{"id":"$","description":"$","success":%t,"model_used":"$","retry_count":2,"failure_reasons":["$"],"prompt_features":["$"]}],
			"corrections":[{"tags":["$"],"instruction":"$"}]}`, i, i > 0))
	}
	add("template.added", `{"name":"$","keywords":["$"],"plan":[{"id":"$","description":"$"}]}`)
	add("experiment.outcome", `{"experiment":"$","unit_id":"u1","value":1,"metric":"$","variant":"control"}`)
	add("experiment.outcome", `{"experiment":"$","unit_id":"u2","value":2,"metric":"$","variant":"$"}`)
	add("exchange.recorded", `{"exchange_id":"$","session_id":"$","user_text":"$ what is go","agent_text":"$ a language","user_id":"$"}`)
	add("sample.captured", `{"sample_id":"$","sample_family":"$","created_at":"2026-01-01T00:00:00Z","input":{"text":"$"},"output":{"text":"$"},
		"feedback":{"source":"user","type":"approval","details":{"note":"$"},"quality_label":"good"}}`)
	return events
}

// linked are the pages that lists lead to.
func (s *sitting) linked(t *testing.T, list string) []string {
	t.Helper()
	s.open(t, list)
	return told(t, s, chromedp.Evaluate[[]string](`[...document.querySelectorAll("main a[href^='/']")].map(a => a.getAttribute("href"))`))
}

// disguise has operators write markup where they may write.
func (s *sitting) disguise(t *testing.T) {
	t.Helper()
	m := strings.ReplaceAll(markup, `"`, `\"`)
	s.defines(t, `{"name":"`+m+` x","description":"`+m+`","treatments":[{"name":"`+m+`","percentage":10}],"treatment_percentage":10,
		"control_percentage":10,"primary_metric":"`+m+`","is_active":true}`)
	s.call(t, "PATCH /api/privacy", "application/json", `{"opt_out_patterns":["`+m+`"],"actor":"`+m+`"}`)
	s.post(t, "/api/learnings/planted/review", "application/json", `{"verdict":"approved","comment":"`+m+`"}`)
}

func TestMarkupInStoredTextsIsInert(t *testing.T) {
	s := sit(t)
	for _, e := range planted() {
		s.take(t, e)
	}
	s.disguise(t)
	s.signIn(t)
	s.open(t, "/samples")
	pages := map[string]bool{}
	for _, list := range everyPage() {
		pages[list] = true
		for _, to := range s.linked(t, list) {
			path, _, _ := strings.Cut(to, "?")
			switch path {
			case "/rule", "/learning", "/task", "/template", "/experiment", "/person", "/letter":
				pages[to] = true
			}
		}
	}
	shown := 0
	for path := range pages {
		s.open(t, path)
		seen := told(t, s, chromedp.Evaluate[[]int](`[window.pwned || 0,
			document.querySelectorAll("img, iframe, object, embed, script:not([src]), [onerror], [onload], [onclick]").length,
			document.body.textContent.includes("onerror=pwned") ? 1 : 0]`))
		if seen[0] != 0 || seen[1] != 0 {
			t.Errorf("%s: markup came alive: %v", path, seen)
		}
		shown += seen[2]
		s.quiet(t, path)
	}
	if shown < 8 {
		t.Errorf("of %d pages only %d show what was planted: the test looks at nothing", len(pages), shown)
	}
}
