package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"learnloop.dev/api"

	"github.com/chromedp/chromedp"
	"github.com/go-json-experiment/json"
)

// event is a CloudEvent in JSON.
func event(id, kind, data string) string {
	return fmt.Sprintf(`{"specversion":"1.0","id":"%s","source":"/test","type":"dev.learnloop.%s.v1","datacontenttype":"application/json","data":%s}`,
		id, kind, data)
}

// fix is an event: somebody decided about a suggestion.
func fix(id, rule, decision string) string {
	return event(id, "feedback.fix", fmt.Sprintf(`{"suggestion_id":"s-%s","deviation_id":"d-%s","rule_id":"%s","category":"style",
		"decision":"%s","original_text":"was done","suggested_text":"did","user_id":"anna"}`, id, id, rule, decision))
}

// learning is a request for a learning.
func learning(id, title string) string {
	return fmt.Sprintf(`{"id":"%s","title":"%s","context":"c","observation":"o","implication":"i","action":"a"}`, id, title)
}

func TestAnOpenPageFollowsWhatHappens(t *testing.T) {
	s := sit(t)
	s.open(t, "/rules")
	s.do(t, chromedp.WaitReady(".nothing"))
	s.take(t, fix("1", "passive-voice", "accepted"))
	s.do(t, chromedp.WaitVisible(`a[href="/rule?id=passive-voice"]`))
	s.take(t, fix("2", "oxford-comma", "rejected"))
	s.do(t, chromedp.WaitVisible(`a[href="/rule?id=oxford-comma"]`))
	s.quiet(t, "rules")
}

func TestWhatSomebodyIsWritingStaysWhilePagesFollow(t *testing.T) {
	s := sit(t)
	s.post(t, "/api/learnings", "application/json", learning("learn_a", "First"))
	s.signIn(t)
	s.open(t, "/learning?id=learn_a")
	s.do(t, chromedp.Click("details summary"), chromedp.SendKeys("#title", " and more"))
	s.post(t, "/api/learnings/learn_a/feedback", "application/json", `{"task_id":"t","helpful":true}`)
	s.post(t, "/api/learnings/learn_a/review", "application/json", `{"verdict":"approved","comment":"fine"}`)
	s.do(t, chromedp.WaitVisible(chromedp.Search(`//code[text()="learning.reviewed"]`))) // the rest of the page follows
	if got := told(t, s, chromedp.Value("#title")); !strings.Contains(got, "First") || !strings.Contains(got, " and more") {
		t.Errorf("the field says %q", got)
	}
}

func TestAReviewerEditsSupersedesAndArchives(t *testing.T) {
	s := sit(t)
	for id, title := range map[string]string{"learn_a": "First", "learn_b": "Second"} {
		s.post(t, "/api/learnings", "application/json", learning(id, title))
	}
	s.signIn(t)
	s.open(t, "/learnings")
	s.do(t, chromedp.Click(`a[href="/learning?id=learn_a"]`), chromedp.WaitVisible("form[action='/learning/edit'] , details"))
	s.do(t, chromedp.Click(chromedp.Search(`//summary[text()="Edit"]`)), chromedp.SetValue("#title", "First, mended"),
		chromedp.Click(`form[action="/learning/edit"] button`), chromedp.WaitReady(".said"))
	if h1 := told(t, s, chromedp.Text("h1")); h1 != "First, mended" {
		t.Errorf("it is called %q", h1)
	}
	s.do(t, chromedp.Click(chromedp.Search(`//summary[text()="Supersede"]`)), chromedp.SendKeys("#superseded_by", "learn_b"),
		chromedp.Click(`form[action="/learning/supersede"] button`), chromedp.WaitReady(`main a[href="/learning?id=learn_b"]`))
	s.open(t, "/learning?id=learn_b")
	s.do(t, chromedp.Click(chromedp.Search(`//summary[text()="Archive"]`)), chromedp.Click(`form[action="/learning/archive"] button`),
		chromedp.WaitReady(`form[action="/learning/restore"]`))
	s.quiet(t, "learnings")
}

func TestAProposalIsApprovedFromTheQueue(t *testing.T) {
	s := sit(t)
	s.take(t, event("p", "learning.proposed", learning("learn_p", "Proposed")))
	s.signIn(t)
	s.open(t, "/learnings")
	s.do(t, chromedp.WaitReady(`form[action="/learning/review"]`),
		chromedp.Click(chromedp.Search(`//button[text()="Approve"]`)), chromedp.WaitReady(`tbody a[href="/learning?id=learn_p"]`))
	s.quiet(t, "queue")
}

func TestAReviewerDecidesOnThePagesAndSeesNoPeople(t *testing.T) {
	s := sit(t)
	s.take(t, event("p", "learning.proposed", learning("learn_p", "Proposed")), fix("1", "r", "accepted"))
	var made api.MintedToken
	if err := json.Unmarshal([]byte(s.post(t, "/api/tokens", "application/json", `{"name":"rita","roles":["review"]}`)), &made); err != nil {
		t.Fatal(err)
	}
	s.signInWith(t, made.Token)
	s.open(t, "/learnings")
	s.do(t, chromedp.WaitReady(`form[action="/learning/review"]`),
		chromedp.Click(chromedp.Search(`//button[text()="Approve"]`)), chromedp.WaitReady(`tbody a[href="/learning?id=learn_p"]`))
	s.open(t, "/learning?id=learn_p")
	s.do(t, chromedp.Click(chromedp.Search(`//summary[text()="Archive"]`)), chromedp.Click(`form[action="/learning/archive"] button`),
		chromedp.WaitReady(`form[action="/learning/restore"]`))
	s.quiet(t, "review")
	s.open(t, "/people")
	if body := told(t, s, chromedp.Text("body")); !strings.Contains(body, "Only operators see this page.") || !strings.Contains(body, "Sign out") {
		t.Errorf("it says %q", body)
	}
	s.forgive()
}

func TestAPersonIsForgottenAfterAQuestion(t *testing.T) {
	s := sit(t)
	s.take(t, fix("1", "r", "accepted"))
	s.signIn(t)
	s.open(t, "/person?user=anna")
	s.do(t, chromedp.Click(chromedp.Search(`//summary[text()="Forget the person"]`)), chromedp.Click(`form[action="/person/forget"] button`),
		chromedp.WaitReady(`input[name="confirm"]`))
	if body := told(t, s, chromedp.Text("#page")); !strings.Contains(body, "feedback.fix") {
		t.Errorf("it says %q", body)
	}
	s.do(t, chromedp.Click(`form[action="/person/forget"] button`), chromedp.WaitVisible(chromedp.Search(`//h1[text()="Forgotten"]`)))
	s.quiet(t, "forget")
}

func TestStrangersSeeNoPeopleAndChangeNothing(t *testing.T) {
	s := sit(t)
	s.take(t, fix("1", "r", "accepted"))
	s.post(t, "/api/learnings", "application/json", learning("learn_a", "First"))
	for _, path := range []string{
		"/people", "/person?user=anna", "/privacy", "/system", "/dead-letters", "/letter?n=1",
		"/samples/file?format=jsonl&min_quality=any",
	} {
		if got := s.status(t, http.MethodGet, path, ""); got != http.StatusUnauthorized {
			t.Errorf("%s answers %d", path, got)
		}
	}
	for path, form := range map[string]string{
		"/learning/archive": "id=learn_a", "/learning/edit": "id=learn_a&title=x", "/learning/supersede": "id=learn_a&superseded_by=learn_b",
		"/learning/review": "id=learn_a&verdict=rejected", "/person/forget": "user=anna", "/person/optout": "user=anna",
		"/privacy/set": "text_mode=full", "/experiment/stop": "name=x", "/template/delete": "id=x",
	} {
		if got := s.status(t, http.MethodPost, path, form); got != http.StatusUnauthorized {
			t.Errorf("%s answers %d", path, got)
		}
	}
}

// status is what a program without a token is answered.
func (s *sitting) status(t *testing.T, method, path, form string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, s.address+path, strings.NewReader(form))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	return resp.StatusCode
}
