package guide

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"learnloop.dev/kv"
	"learnloop.dev/learn/outcomes"

	"github.com/go-json-experiment/json"
)

// desk holds contexts as a reader of their bucket does.
type desk struct{ now, later []kv.Context }

func (d desk) All(string) iter.Seq[kv.Context] { return slices.Values(d.now) }

func (d desk) Changes(context.Context, string) iter.Seq[kv.Context] { return slices.Values(d.later) }

func published(tb testing.TB, kind, id string, value any) kv.Context {
	tb.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		tb.Fatal(err)
	}
	return kv.Context{Key: kv.Key(kind, id), Value: data, Revision: 1}
}

// runs is the context of a type of which small models succeeded so often.
func runs(tb testing.TB, id string, n, successes int64) kv.Context {
	tb.Helper()
	return published(tb, outcomes.KindTask, id, outcomes.TypeContext{ID: id, Evidence: outcomes.Evidence{
		Recent: []outcomes.Period{{Model: "small", Tier: 1, Fortnight: 1400, Runs: n, Successes: successes}},
	}})
}

func board(tb testing.TB, d desk, shipped ...outcomes.Template) *Board {
	tb.Helper()
	b := NewBoard(d, shipped)
	if err := b.Run(tb.Context(), func() {}); err != nil {
		tb.Fatal(err)
	}
	return b
}

func twoTiers() []outcomes.Candidate {
	return []outcomes.Candidate{{Model: "small", Tier: 1, Cost: 1}, {Model: "large", Tier: 2, Cost: 3}}
}

func TestWhatIsPublishedLaterChangesTheAnswer(t *testing.T) {
	good, bad := runs(t, "lint", 200, 198), runs(t, "lint", 200, 2)
	before := board(t, desk{now: []kv.Context{good}}).Route(Ask{Request: "r", Type: "lint", Candidates: twoTiers()})
	after := board(t, desk{now: []kv.Context{good}, later: []kv.Context{bad}}).Route(Ask{Request: "r", Type: "lint", Candidates: twoTiers()})
	if b, a := before.Options[before.Chosen].Model, after.Options[after.Chosen].Model; b != "small" || a != "large" {
		t.Errorf("first %s, then %s", b, a)
	}
	gone := board(t, desk{now: []kv.Context{good}, later: []kv.Context{{Key: good.Key}}})
	if a := gone.Route(Ask{Request: "r", Type: "lint", Candidates: twoTiers()}); !a.Blind || a.Known || len(gone.runs.models) > 0 || gone.runs.latest != 0 {
		t.Errorf("after it has gone: %+v", a)
	}
}

func TestAnUnknownTypeIsTakenForOneLikeIt(t *testing.T) {
	b := board(t, desk{now: []kv.Context{runs(t, "run-tests", 50, 48), runs(t, "write-docs", 50, 2)}})
	a := b.Route(Ask{Request: "r", Type: "run-unit-tests", Candidates: twoTiers()})
	if a.Like != "run-tests" || a.Options[0].Expected < 0.8 || !strings.Contains(a.Reason, `"run-tests"`) {
		t.Errorf("%+v", a)
	}
	if a := b.Route(Ask{Request: "r", Type: "paint", Candidates: twoTiers()}); a.Known || a.Like != "" {
		t.Errorf("%+v", a)
	}
}

func TestAnswersSayHowCarefulToBeUntilAStepIsProven(t *testing.T) {
	relaxed := outcomes.Defaults{VerificationTier: 1, AutoApproveConfidence: .7, Granularity: "normal", Replan: "on_failure"}
	proven := published(t, outcomes.KindTask, "lint", outcomes.TypeContext{ID: "lint", Defaults: relaxed})
	b := board(t, desk{now: []kv.Context{proven}})
	if a := b.Route(Ask{Request: "r", Type: "lint", Candidates: twoTiers()}); a.Defaults != relaxed {
		t.Errorf("of a proven step: %+v", a.Defaults)
	}
	if a := b.Route(Ask{Request: "r", Type: "paint", Candidates: twoTiers()}); a.Defaults != outcomes.ColdStart() || !a.Defaults.ColdStart {
		t.Errorf("of an unknown one: %+v", a.Defaults)
	}
}

func TestWithoutCandidatesThoseThatAreKnownStand(t *testing.T) {
	b := board(t, desk{now: []kv.Context{runs(t, "lint", 50, 48)}})
	if a := b.Route(Ask{Request: "r", Type: "lint"}); len(a.Options) != 1 || a.Options[0].Model != "small" {
		t.Errorf("%+v", a.Options)
	}
	if a := b.Route(Ask{Request: "r", Type: "paint"}); len(a.Options) != 2 || a.Options[1].String() != "tier 2" || a.Options[1].Seen != "" {
		t.Errorf("%+v", a.Options)
	}
}

// template is one that completed and failed so many tasks.
func template(id, source string, ends [2]int64, steps ...string) outcomes.Template {
	t := outcomes.Template{Kind: outcomes.KindTemplate, ID: id, Name: id, Source: source, Completed: ends[0], Failed: ends[1]}
	for _, s := range steps {
		t.Plan = append(t.Plan, outcomes.Step{ID: s})
	}
	return t.Rated()
}

func TestAmongTemplatesThatFitAlikeThoseThatWorkComeFirst(t *testing.T) {
	bad, good := template("a fix the login", outcomes.Added, [2]int64{1, 30}, "x"), template("b fix the login", outcomes.Added, [2]int64{30, 1}, "x")
	broken := template("c fix the login", outcomes.Added, [2]int64{9, 0})
	broken.Problem = "the steps wait for each other in a circle"
	d := desk{now: []kv.Context{
		published(t, outcomes.KindTemplate, bad.ID, bad), published(t, outcomes.KindTemplate, good.ID, good),
		published(t, outcomes.KindTemplate, broken.ID, broken),
	}}
	found := board(t, d).MatchTemplates("Fix the login", 5)
	if len(found) != 2 || found[0].Template.ID != good.ID || found[0].Similarity > 1 || found[0].Score <= found[1].Score {
		t.Errorf("%+v", found)
	}
}

func TestAShippedTemplateLearnsAndComesBack(t *testing.T) {
	shipped := template("bug-fix", outcomes.BuiltIn, [2]int64{0, 0}, "reproduce", "fix")
	used := published(t, outcomes.KindTemplate, "bug-fix", template("bug-fix", outcomes.Learned, [2]int64{3, 1}))
	b := board(t, desk{now: []kv.Context{used}}, shipped)
	if got, _ := b.Template("bug-fix"); got.Completed != 3 || got.Failed != 1 || len(got.Plan) != 2 || got.Source != outcomes.BuiltIn {
		t.Errorf("%+v", got)
	}
	own := published(t, outcomes.KindTemplate, "bug-fix", template("bug-fix", outcomes.Added, [2]int64{0, 0}, "mine"))
	b = board(t, desk{now: []kv.Context{own}}, shipped)
	if got, _ := b.Template("bug-fix"); got.Plan[0].ID != "mine" {
		t.Errorf("%+v", got)
	}
	b = board(t, desk{now: []kv.Context{own}, later: []kv.Context{{Key: own.Key}}}, shipped)
	if found := b.MatchTemplates("reproduce", 5); len(found) != 1 || len(b.Templates()) != 1 {
		t.Errorf("%+v", found)
	}
}

func BenchmarkRoute(b *testing.B) {
	var all []kv.Context
	for n := range int64(200) {
		all = append(all, runs(b, fmt.Sprint("type-", n), 100, n%100))
	}
	known := board(b, desk{now: all})
	var slow []time.Duration
	for n := 0; b.Loop(); n++ {
		start := time.Now()
		known.Route(Ask{Request: fmt.Sprint(n), Type: fmt.Sprint("type-", n%200), Candidates: twoTiers()})
		slow = append(slow, time.Since(start))
	}
	slices.Sort(slow)
	b.ReportMetric(float64(slow[len(slow)*99/100].Microseconds()), "p99-µs")
}

func BenchmarkMatchTenThousandTemplates(b *testing.B) {
	verbs, things := []string{"fix", "add", "move", "test", "speed up", "document", "clean"}, []string{"login", "parser", "index", "report", "queue", "cache"}
	var all []kv.Context
	for n := range 10_000 {
		id := fmt.Sprintf("plan-%d", n)
		t := template(id, outcomes.Learned, [2]int64{int64(n % 7), int64(n % 3)}, fmt.Sprint("step-", n%50), "run-tests", fmt.Sprint("check-", n%90))
		t.Goals = []string{fmt.Sprintf("%s the %s of service %d", verbs[n%len(verbs)], things[n%len(things)], n)}
		all = append(all, published(b, outcomes.KindTemplate, id, t))
	}
	known := board(b, desk{now: all})
	for b.Loop() {
		if len(known.MatchTemplates("Speed up the slow report queue of service 4711 and run tests", 5)) == 0 {
			b.Fatal("nothing fits")
		}
	}
}
