package web_test

import (
	"fmt"
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"learnloop.dev/api"
	"learnloop.dev/events"
	"learnloop.dev/pipeline"

	"github.com/chromedp/chromedp"
	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go"
)

func TestAnUnknownPathIsAPageForPeopleAndAProblemForPrograms(t *testing.T) {
	s := sit(t)
	s.open(t, "/nowhere/at/all")
	if h1 := told(t, s, chromedp.Text("h1")); h1 != "There is no such page" {
		t.Errorf("it is called %q", h1)
	}
	s.forgive() // the browser tells of the status
	s.do(t, chromedp.Click(`main a[href="/"]`), chromedp.WaitVisible(chromedp.Search(`//h1[text()="Overview"]`)))
	for accept, want := range map[string]string{"text/html": "text/html; charset=utf-8", "*/*": "application/problem+json", "": "application/problem+json"} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.address+"/nowhere", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Accept", accept)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if got := resp.Header.Get("Content-Type"); resp.StatusCode != http.StatusNotFound || got != want {
			t.Errorf("Accept %q: %d %s", accept, resp.StatusCode, got)
		}
	}
}

func TestAnOperatorWidensAnExperiment(t *testing.T) {
	s := sit(t)
	s.defines(t, `{"name":"narrow","treatment_percentage":10,"control_percentage":10,"is_active":true,
		"treatments":[{"name":"third","percentage":10}]}`)
	s.signIn(t)
	s.open(t, "/experiment?name=narrow")
	s.do(t, chromedp.Click(chromedp.Search(`//summary[text()="Widen"]`)), chromedp.SetValue("#control", "30"),
		chromedp.SetValue("#treatment", "30"), chromedp.SetValue("#share-0", "30"),
		chromedp.Click(`form[action="/experiment/widen"] button`), chromedp.WaitReady(".said"))
	var e struct {
		Definition events.ExperimentDesign `json:"definition"`
	}
	if err := json.Unmarshal([]byte(s.get(t, "/api/experiments/narrow")), &e); err != nil {
		t.Fatal(err)
	}
	d := e.Definition
	if d.TreatmentPercentage != 30 || d.ControlPercentage == nil || *d.ControlPercentage != 30 || d.Treatments[0].Percentage != 30 {
		t.Errorf("it has %+v", d)
	}
	s.quiet(t, "widen")
	s.do(t, chromedp.Click(chromedp.Search(`//summary[text()="Widen"]`)), chromedp.SetValue("#control", "much"),
		chromedp.Click(`form[action="/experiment/widen"] button`), chromedp.WaitVisible(chromedp.Search(`//h1[text()="A share is a number from 0 to 100"]`)))
	s.forgive()
}

func TestAnOperatorDrivesAgainWhatTheAnalyzerRefused(t *testing.T) {
	s := sit(t)
	nc, err := nats.Connect(s.Addresses().NATS, nats.UserCredentials(filepath.Join(s.data, "admin.creds")))
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	if _, err := nc.Request(pipeline.LogSubject(0, events.FeedbackFix.Kind), []byte("not a fact"), patience); err != nil {
		t.Fatal(err)
	}
	s.signIn(t)
	s.open(t, "/dead-letters")
	s.take(t, fix("1", "r", "accepted"))                   // with the next event the log is read on
	s.do(t, chromedp.WaitVisible(`a[href="/letter?n=1"]`), // by itself, when it is not there at once
		chromedp.Click(`a[href="/letter?n=1"]`), chromedp.WaitVisible(`form[action="/letter/redrive"]`), chromedp.Click(`form[action="/letter/redrive"] button`),
		chromedp.WaitVisible(".said"))
	if says := told(t, s, chromedp.Text("main")); !strings.Contains(says, "refused again") || !strings.Contains(says, "for dead letter 1") {
		t.Errorf("it says %q", says)
	}
	s.quiet(t, "redrive")
}

func TestWhatOthersMaySeeLeavesOutWhatFewPeopleStandBehind(t *testing.T) {
	s := sit(t)
	for person := range 6 {
		s.take(t, by(person, "many"))
		if person < 4 { // the threshold is five
			s.take(t, by(person, "few"))
		}
	}
	s.settled(t)
	s.signIn(t)
	s.open(t, "/privacy")
	if says := told(t, s, chromedp.Text("main")); !strings.Contains(says, "rule-of-many") || strings.Contains(says, "rule-of-few") {
		t.Errorf("others may see: %s", says)
	}
	for _, own := range []string{"/", "/rules", "/rule?id=rule-of-few"} { // what the installation itself may see
		s.open(t, own)
		if says := told(t, s, chromedp.Text("main")); !strings.Contains(says, "rule-of-few") {
			t.Errorf("%s leaves out what is its own: %s", own, says)
		}
	}
	s.quiet(t, "threshold")
}

// by is feedback of one of several people.
func by(person int, rule string) string {
	id := fmt.Sprintf("%s-%d", rule, person)
	return strings.Replace(fix(id, "rule-of-"+rule, "accepted"), `"anna"`, fmt.Sprintf(`"person-%d"`, person), 1)
}

func TestAReviewerIsNotAskedToSignIn(t *testing.T) {
	s := sit(t)
	s.open(t, "/")
	if says := told(t, s, chromedp.Text("main")); !strings.Contains(says, "Sign in") {
		t.Errorf("nobody is told %q", says)
	}
	var made api.MintedToken
	if err := json.Unmarshal([]byte(s.post(t, "/api/tokens", "application/json", `{"name":"rita","roles":["review"]}`)), &made); err != nil {
		t.Fatal(err)
	}
	s.signInWith(t, made.Token)
	s.open(t, "/")
	if says := told(t, s, chromedp.Text("main")); strings.Contains(says, "Sign in") || !strings.Contains(says, "role admin") {
		t.Errorf("a reviewer is told %q", says)
	}
}

func TestThePageOfPrivacyCountsWhatWasRemoved(t *testing.T) {
	s := sit(t)
	s.signIn(t)
	s.open(t, "/privacy")
	if says := told(t, s, chromedp.Text("main")); !strings.Contains(says, "Nothing yet") {
		t.Errorf("it says %q", says)
	}
	s.take(t, strings.Replace(fix("1", "r", "rejected"), `"user_id"`, `"user_comment":"ask grace.hopper@example.org","user_id"`, 1))
	s.do(t, chromedp.WaitVisible(chromedp.Search(`//tr[th/code[text()="EMAIL"]]/td[1][normalize-space()="1"]`))) // the page follows
	if says := told(t, s, chromedp.Text("body")); strings.Contains(says, "grace") {
		t.Error("the page shows what was found")
	}
	s.quiet(t, "privacy")
}

func TestAPageWithoutItsThingSaysWhatToDo(t *testing.T) {
	s := sit(t)
	s.signIn(t)
	for path, name := range map[string]string{"/rule?id=x": "200", "/learning?id=x": "404", "/task?type=x": "200", "/template?id=x": "404",
		"/experiment?name=x": "404", "/person?user=x": "200", "/letter?n=9": "404"} {
		s.open(t, path)
		if says := told(t, s, chromedp.Text("#page")); len(says) < 30 {
			t.Errorf("%s (%s) says only %q", path, name, says)
		}
	}
	s.forgive()
}

// walked are all pages of a loop with much in it, some of it hostile, by name.
func (s *sitting) walked(t *testing.T) map[string]string {
	t.Helper()
	s.furnish(t, invented(time.Now()))
	s.settled(t)
	s.signIn(t)
	return s.furnished(t)
}

func TestNoPageScrollsSidewaysOnAPhoneOrWeighsMuch(t *testing.T) {
	s := sit(t)
	pages := s.walked(t)
	const most = 200_000 // bytes, with all it loads
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		for _, width := range []int64{360, 768, 1280} {
			s.do(t, chromedp.EmulateViewport(width, 800))
			s.open(t, pages[name])
			if wide := told(t, s, chromedp.Evaluate[int64](`document.documentElement.scrollWidth`)); wide > width {
				t.Errorf("%s is %d wide on a screen of %d", name, wide, width)
			}
		}
		weight := told(t, s, chromedp.Evaluate[int](`[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
			.reduce((sum, e) => sum + e.decodedBodySize, 0)`))
		if t.Logf("%s: %d bytes", name, weight); weight == 0 || weight > most {
			t.Errorf("%s weighs %d bytes", name, weight)
		}
	}
	s.quiet(t, "walk")
}

// focused tells what has the keyboard: where it stands in the document, and whether one sees it.
const focused = `(() => {
	const is = document.activeElement, all = [...document.querySelectorAll("*")], style = getComputedStyle(is);
	return [all.indexOf(is), is === document.body ? 0 : 1, style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2 ? 1 : 0];
})()`

func TestTheKeyboardReachesEverythingInTheOrderOfThePage(t *testing.T) {
	s := sit(t)
	pages := s.walked(t)
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		s.open(t, pages[name])
		want := told(t, s, chromedp.Evaluate[int](`
			[...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']")]
				.filter(e => e.checkVisibility()).length`))
		before, reached := -1, 0
		for range want + 1 {
			s.do(t, chromedp.KeyEvent("\t"))
			at := told(t, s, chromedp.Evaluate[[]int](focused))
			if at[1] == 0 {
				break
			}
			if at[0] <= before || at[2] == 0 {
				t.Errorf("%s: the keyboard goes from element %d to %d, seen: %d", name, before, at[0], at[2])
				break
			}
			before, reached = at[0], reached+1
		}
		if reached < want {
			t.Errorf("%s: the keyboard reaches %d of %d", name, reached, want)
		}
	}
	s.open(t, "/rules")
	s.do(t, chromedp.KeyEvent("\t"), chromedp.KeyEvent("\r")) // skips the menu
	if at := told(t, s, chromedp.Evaluate[string](`document.activeElement.id`)); at != "main" {
		t.Errorf("skipping leads to %q", at)
	}
	told(t, s, chromedp.Evaluate[bool](`document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key: "/", bubbles: true, cancelable: true}))`))
	s.do(t, chromedp.KeyEvent("oxford"), chromedp.KeyEvent("\r"), chromedp.WaitReady(`#search[value="oxford"]`))
	if says := told(t, s, chromedp.Text("main")); !strings.Contains(says, "oxford-comma") || strings.Contains(says, "plain-words") {
		t.Errorf("the search finds %s", says)
	}
	s.quiet(t, "keyboard")
}
