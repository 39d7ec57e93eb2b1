package api

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"learnloop.dev/learn"
	"learnloop.dev/learn/learnings"
	"learnloop.dev/learn/rules"
	"learnloop.dev/pipeline/analyze"
	"learnloop.dev/pipeline/inject"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/nats-io/nats.go/micro"
)

const passive = `{"accepted_patterns":[{"original_pattern":"was done","pattern":"abc","suggested_pattern":"did"}],` +
	`"id":"passive","kind":"rule","prompt":"Prefer the active voice.","rejected_patterns":[],"sample_count":12}`

// furnished is a house in which something is known.
func furnished(tb testing.TB, change ...func(*Deps)) *house {
	tb.Helper()
	now := time.Date(2026, 2, 1, 12, 0, 0, 0, time.UTC)
	change = append(change, func(d *Deps) {
		d.Now = func() time.Time { return now }
		d.People = capitals{}
	})
	h := build(tb, change...)
	h.put(tb, "rule", "passive", passive)
	h.put(tb, "rule", "go/fmt rule", `{"id":"go/fmt rule","kind":"rule"}`)
	h.put(tb, "category", "style", `{"id":"style","kind":"category"}`)
	h.put(tb, "user", "p_ANNA", `{"id":"p_ANNA","kind":"user","prompt":"Be brief."}`)
	h.put(tb, "summary", "", `{"id":"","kind":"summary"}`)
	h.set(tb, learn.Settings, inject.Reflected(0), "7")
	h.enter(tb, learnings.Learning{ID: "learn_a", Title: "Sign the body", Status: learnings.Active, Confidence: 0.7, CreatedAt: now})
	h.enter(tb, learnings.Learning{ID: "x/1.2", Title: "Old", Status: learnings.Archived, Confidence: 0.4, CreatedAt: now})
	first := now.Add(-time.Hour)
	line := analyze.Line{Count: 1, First: first, Last: first, Events: []analyze.Witness{{ID: "e1", Kind: "feedback.fix", Time: first, Sequence: 7}}}
	busy := idle(0, 2)
	busy.lines = map[string]analyze.Line{"sample_count": line, "accepted_patterns/abc": line, "rejected_patterns/abc": line, "comment": line}
	busy.tally = analyze.Tally{Stored: 3, Duplicates: 1, Last: map[int]uint64{0: 7}}
	h.employ(tb, busy, idle(1, 3))
	return h
}

// sameThings are calls that must come to the same through all doors.
var sameThings = []struct {
	name, args, path string
}{
	{"contexts.get", `{"kind":"rule","id":"passive"}`, "/api/contexts/rule/passive"},
	{"contexts.get", `{"kind":"rule","id":"go/fmt rule"}`, "/api/contexts/rule/go%2Ffmt%20rule"},
	{"contexts.get", `{"ruleId":"passive","kind":"rule"}`, "/api/contexts/rule/passive"},
	{"contexts.get", `{"key":"category.style"}`, "/api/contexts/category/style"},
	{"contexts.get", `{"key":"rule.go/fmt rule"}`, "/api/contexts/rule/go%2Ffmt%20rule"},
	{"contexts.get", `{"key":"rule.go/fmt=20rule"}`, "/api/contexts/rule/go%2Ffmt%20rule"},
	{"contexts.get", `{"key":"summary"}`, "/api/contexts/summary"},
	{"contexts.get", `{"kind":"rule","id":"unheard of"}`, "/api/contexts/rule/unheard%20of"},
	{"contexts.get", `{"kind":"category","id":"unheard of"}`, "/api/contexts/category/unheard%20of"},
	{"contexts.get", `{"kind":"rule","id":"a\u0000b"}`, "/api/contexts/rule/a%00b"},
	{"contexts.get", `{"kind":"RULE","id":"a"}`, "/api/contexts/RULE/a"},
	{"contexts.get", `{"kind":"summary","id":"x"}`, "/api/contexts/summary/x"},
	{"contexts.summary", ``, "/api/contexts/summary"},
	{"contexts.list", ``, "/api/contexts"},
	{"contexts.list", `{"prefix":"rule."}`, "/api/contexts?prefix=rule."},
	{"contexts.list", `{"limit":2}`, "/api/contexts?limit=2"},
	{"contexts.list", `{"limit":2,"cursor":"rule.go/fmt=20rule"}`, "/api/contexts?limit=2&cursor=rule.go%2Ffmt%3D20rule"},
	{"contexts.list", `{"limit":0}`, "/api/contexts?limit=0"},
	{"contexts.list", `{"size":2}`, "/api/contexts?size=2"},
	{"rules.get", `{"id":"passive"}`, "/api/rules/passive"},
	{"rules.list", ``, "/api/rules"},
	{"rules.list", `{"search":"pass","order":"kept","limit":1}`, "/api/rules?search=pass&order=kept&limit=1"},
	{"rules.list", `{"cursor":"rule.unheard"}`, "/api/rules?cursor=rule.unheard"},
	{"rules.get", `{"id":"unheard of"}`, "/api/rules/unheard%20of"},
	{"statistics.get", ``, "/api/statistics"},
	{"statistics.get", `{"from":"2026-01-01T00:00:00Z","excludeBulk":true,"ruleIds":["a,b","c"]}`,
		"/api/statistics?from=2026-01-01T00:00:00Z&excludeBulk=true&ruleIds=a,b&ruleIds=c"},
	{"statistics.get", `{"from":"2026-01-02T00:00:00Z","to":"2026-01-01T00:00:00Z"}`,
		"/api/statistics?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z"},
	{"samples.metrics", ``, "/api/samples/metrics"},
	{"samples.metrics", `{"from":"2026-01-01T00:00:00Z","sampleFamily":["a,b","c"]}`,
		"/api/samples/metrics?from=2026-01-01T00:00:00Z&sampleFamily=a,b&sampleFamily=c"},
	{"samples.metrics", `{"from":"2026-01-02T00:00:00Z","to":"2026-01-01T00:00:00Z"}`,
		"/api/samples/metrics?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z"},
	{"explain", `{"key":"rule.passive"}`, "/api/explain/rule.passive"},
	{"explain", `{"key":"category.style"}`, "/api/explain/category.style"},
	{"explain", `{"key":"passive"}`, "/api/explain/passive"},
	{"replays.get", `{"id":"r1"}`, "/api/replays/r1"},
	{"dlq.list", `{"limit":1}`, "/api/dlq?limit=1"},
	{"dlq.get", `{"sequence":1}`, "/api/dlq/1"},
	{"dlq.get", `{"sequence":99}`, "/api/dlq/99"},
	{"dlq.get", `{"sequence":0}`, "/api/dlq/0"},
	{"learnings.list", ``, "/api/learnings"},
	{"learnings.list", `{"minConfidence":0.6,"status":"active"}`, "/api/learnings?minConfidence=0.6&status=active"},
	{"learnings.list", `{"search":"BODY","limit":1,"offset":0}`, "/api/learnings?search=BODY&limit=1&offset=0"},
	{"learnings.list", `{"status":"gone"}`, "/api/learnings?status=gone"},
	{"learnings.get", `{"id":"learn_a"}`, "/api/learnings/learn_a"},
	{"learnings.get", `{"id":"x/1.2"}`, "/api/learnings/x%2F1.2"},
	{"learnings.get", `{"id":"learn_unheard"}`, "/api/learnings/learn_unheard"},
	{"learnings.search", `{"q":"sign a BODY"}`, "/api/learnings/search?q=sign+a+BODY"},
	{"learnings.search", `{"query":"sign*","minConfidence":0,"excludeOutcomeId":"o","status":"all","limit":1}`,
		"/api/learnings/search?query=sign*&minConfidence=0&excludeOutcomeId=o&status=all&limit=1"},
	{"learnings.search", `{"q":"body","strategy":"hybrid","semanticWeight":0.5}`, "/api/learnings/search?q=body&strategy=hybrid&semanticWeight=0.5"},
	{"learnings.search", `{"q":"the of and"}`, "/api/learnings/search?q=the+of+and"},
	{"learnings.search", `{"q":"body","strategy":"guess"}`, "/api/learnings/search?q=body&strategy=guess"},
	{"learnings.lift", ``, "/api/learnings/lift"},
	{"learnings.lift", `{"id":"learn_a"}`, "/api/learnings/lift?id=learn_a"},
	{"learnings.lift", `{"learningId":"learn_unheard"}`, "/api/learnings/lift?learningId=learn_unheard"},
	{"learnings.queue", ``, "/api/learnings/review"},
	{"contexts.get", `{"key":"learn_a"}`, "/api/contexts/learning/learn_a"},
	{"patterns.list", `{"pattern_type":"retry_pattern","min_frequency":2}`, "/api/patterns?pattern_type=retry_pattern&min_frequency=2"},
	{"templates.match", `{"q":"fix the bug","limit":2}`, "/api/templates/match?q=fix+the+bug&limit=2"},
	{"templates.list", ``, "/api/templates"},
	{"templates.get", `{"name":"bug fix"}`, "/api/templates/bug%20fix"},
	{"templates.get", `{"id":"unheard"}`, "/api/templates/unheard"},
	{"patterns.list", `{"type":"guess"}`, "/api/patterns?type=guess"},
	{"patterns.get", `{"type":"model_failure","key":"a/b c"}`, "/api/patterns/model_failure/a%2Fb%20c"},
	{"feedback.stats", `{"start":"2026-01-01T00:00:00Z"}`, "/api/feedback/stats?start=2026-01-01T00:00:00Z"},
	{"feedback.stats", `{"from":"2026-01-02T00:00:00Z","to":"2026-01-01T00:00:00Z"}`, "/api/feedback/stats?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z"},
	{"feedback.daily", ``, "/api/feedback/daily"},
	{"statistics.daily", `{"from":"2026-01-01T00:00:00Z","to":"2026-03-01T00:00:00Z"}`, "/api/statistics/daily?from=2026-01-01T00:00:00Z&to=2026-03-01T00:00:00Z"},
	{"feedback.exchange", `{"exchangeId":"x/1"}`, "/api/feedback/exchange/x%2F1"},
	{"experiments.list", ``, "/api/experiments"},
	{"experiments.get", `{"test_name":"a/b c"}`, "/api/experiments/a%2Fb%20c"},
	{"experiments.report", `{"name":"unheard"}`, "/api/experiments/unheard/report"},
	{"experiments.assign", `{"name":"x","unit":"u"}`, "/api/experiments/x/assign?unit=u"},
	{"experiments.assign", `{"name":"x"}`, "/api/experiments/x/assign"},
	{"changes", `{"after":"contexts:0","topics":["contexts","dead_letters"]}`, "/api/changes?after=contexts:0&topics=contexts&topics=dead_letters"},
	{"changes", `{"topics":["weather"]}`, "/api/changes?topics=weather"},
	{"tokens.list", ``, "/api/tokens"},
	{"audit.list", `{"limit":3}`, "/api/audit?limit=3"},
	{"health", ``, "/healthz"},
	{"ready", ``, "/readyz"},
}

// sameChanges are the same for what is more than a GET.
var sameChanges = []struct {
	name, args, line, body string
}{
	{"route", `{"subtask_type":"run-tests","requestId":"r","candidates":[{"model":"small","tier":1,"cost":1},{"tier":2}]}`, "POST /api/route",
		`{"subtask_type":"run-tests","requestId":"r","candidates":[{"model":"small","tier":1,"cost":1},{"tier":2}]}`},
	{"route", `{"type":"run-tests","candidates":[{"cost":1}]}`, "POST /api/route", `{"type":"run-tests","candidates":[{"cost":1}]}`},
	{"route", `{}`, "POST /api/route", `{}`},
	{"prompt", `{"userId":"p_ANNA","baseSystemPrompt":"b"}`, "POST /api/prompt", `{"userId":"p_ANNA","baseSystemPrompt":"b"}`},
	{"rerank", `{"user":"p_ANNA","results":[{"id":"a","score":1}]}`, "POST /api/rerank", `{"user":"p_ANNA","results":[{"id":"a","score":1}]}`},
	{"calibrate", `{"user":"p_ANNA"}`, "POST /api/calibrate", `{"user":"p_ANNA"}`},
	{"templates.add", `{"name":"n","plan":[{"id":"a","depends_on":["b"]}]}`, "POST /api/templates", `{"name":"n","plan":[{"id":"a","depends_on":["b"]}]}`},
	{"templates.add", `{"name":"n","keywords":"w","plan":[{"id":"a"},{"id":"b","depends_on":["a"]}]}`, "POST /api/templates",
		`{"name":"n","keywords":"w","plan":[{"id":"a"},{"id":"b","depends_on":["a"]}]}`},
	{"templates.add", `{"name":"n","plan":[]}`, "POST /api/templates", `{"name":"n","plan":[]}`},
	{"feedback.add", `{"exchangeId":"x","feedbackType":"applause"}`, "POST /api/feedback", `{"exchangeId":"x","feedbackType":"applause"}`},
	{"feedback.add", `{"feedback_type":"copy"}`, "POST /api/feedback", `{"feedback_type":"copy"}`},
	{"learnings.create", `{"title":""}`, "POST /api/learnings", `{"title":""}`},
	{"learnings.create", `{"title":"t","context":"c","observation":"o","implication":"i","action":"a","tags":{}}`, "POST /api/learnings",
		`{"title":"t","context":"c","observation":"o","implication":"i","action":"a","tags":{}}`},
	{"learnings.revise", `{"id":"learn_unheard","title":"t"}`, "PATCH /api/learnings/learn_unheard", `{"title":"t"}`},
	{"learnings.revise", `{"id":"learn_unheard","titel":"t"}`, "PATCH /api/learnings/learn_unheard", `{"titel":"t"}`},
	{"learnings.revise", `{"id":"learn_unheard"}`, "PATCH /api/learnings/learn_unheard", `{}`},
	{"learnings.archive", `{"learningId":"learn_unheard"}`, "DELETE /api/learnings/learn_unheard", ``},
	{"learnings.review", `{"id":"learn_unheard","verdict":"approved"}`, "POST /api/learnings/learn_unheard/review", `{"verdict":"approved"}`},
	{"learnings.supersede", `{"id":"learn_unheard","superseded_by":"learn_b"}`, "POST /api/learnings/learn_unheard/supersede", `{"superseded_by":"learn_b"}`},
	{"learnings.supersede", `{"id":"learn_b","superseded_by":"learn_b"}`, "POST /api/learnings/learn_b/supersede", `{"superseded_by":"learn_b"}`},
	{"learnings.feedback", `{"id":"learn_unheard","taskId":"t","helpful":true}`, "POST /api/learnings/learn_unheard/feedback", `{"taskId":"t","helpful":true}`},
	{"inject", `{"taskId":"t","taskTitle":"sign the body","outcomeId":"o","maxLearnings":1}`, "POST /api/inject",
		`{"taskId":"t","taskTitle":"sign the body","outcomeId":"o","maxLearnings":1}`},
	{"inject", `{"task_id":"t","limit":6}`, "POST /api/inject", `{"task_id":"t","limit":6}`},
	{"inject", `{"title":"sign the body"}`, "POST /api/inject", `{"title":"sign the body"}`},
	{"tokens.create", `{"name":"n","roles":["root"]}`, "POST /api/tokens", `{"name":"n","roles":["root"]}`},
	{"tokens.create", `{"name":"n","roles":["read"],"expires":"2001-01-01T00:00:00Z"}`, "POST /api/tokens",
		`{"name":"n","roles":["read"],"expires":"2001-01-01T00:00:00Z"}`},
	{"tokens.create", `{"name":"operator","roles":["read"]}`, "POST /api/tokens", `{"name":"operator","roles":["read"]}`},
	{"tokens.revoke", `{"id":"unheard"}`, "DELETE /api/tokens/unheard", ``},
	{"dlq.redrive", `{"sequence":99}`, "POST /api/dlq/99/redrive", ``},
	{"tasks.output", `{"id":"t","output":"LEARNING_HELPFUL: learn_a, as learn_b"}`, "POST /api/tasks/t/output",
		`{"output":"LEARNING_HELPFUL: learn_a, as learn_b"}`},
}

func TestAllDoorsChangeTheSame(t *testing.T) {
	h := furnished(t)
	third := h.third(t, h.agent(t, token, nil))
	for _, c := range sameChanges {
		t.Run(c.name+c.args, func(t *testing.T) {
			over := h.do(t, c.line, c.body, asAdmin)
			m, err := h.nc.RequestMsgWithContext(briefly(t), message(subjectOf(c.name), c.args))
			if err != nil {
				t.Fatal(err)
			}
			if got := string(m.Data); got != over.body {
				t.Errorf("NATS  %s\nHTTP %d %s", got, over.status, over.body)
			}
			third.compare(t, c.name, c.args, over)
		})
	}
}

func TestAllDoorsGiveTheSameAnswers(t *testing.T) {
	h := furnished(t)
	third := h.third(t, h.agent(t, token, nil))
	h.do(t, "POST /v1/events", `{}`, "Content-Type: application/cloudevents+json") // leaves a dead letter
	for _, c := range sameThings {
		t.Run(c.name+c.args, func(t *testing.T) {
			over := h.get(t, c.path, asAdmin, "Accept: "+mediaJSON)
			m, err := h.nc.RequestMsgWithContext(briefly(t), message(subjectOf(c.name), c.args))
			if err != nil {
				t.Fatal(err)
			}
			if got := string(m.Data); got != over.body {
				t.Errorf("NATS  %s\nHTTP %d %s", got, over.status, over.body)
			}
			if code := m.Header.Get(micro.ErrorCodeHeader); (code != "") != (over.status != 200) {
				t.Errorf("NATS says %q, HTTP %d", code, over.status)
			}
			if tag := m.Header.Get("ETag"); tag != over.header.Get("ETag") {
				t.Errorf("tags differ: %s and %s", tag, over.header.Get("ETag"))
			}
			third.compare(t, c.name, c.args, over)
		})
	}
	named := map[string]bool{"events.publish": true, "samples.export": true, "status": true, "dashboard.link": true} // compared elsewhere; counts calls
	for _, c := range sameThings {
		named[c.name] = true
	}
	for _, c := range sameChanges {
		named[c.name] = true
	}
	for _, e := range h.api.registry.entries {
		if !named[e.name] {
			t.Errorf("no call of %s is compared", e.name)
		}
	}
}

func TestEveryOperationIsDiscoverableWithItsSchemas(t *testing.T) {
	h := build(t)
	m, err := h.stranger(t).RequestWithContext(briefly(t), "$SRV.INFO.learnloop", nil)
	if err != nil {
		t.Fatal(err)
	}
	var info micro.Info
	response{body: string(m.Data)}.read(t, &info)
	var subjects []string
	for _, e := range info.Endpoints {
		subjects = append(subjects, e.Subject)
		for _, name := range []string{"request_schema", "response_schema"} {
			if !jsontext.Value(e.Metadata[name]).IsValid() || strings.Contains(e.Metadata[name], defs) && !strings.Contains(e.Metadata[name], `"$defs"`) {
				t.Errorf("%s: %s is %s", e.Subject, name, e.Metadata[name])
			}
		}
	}
	for _, want := range AnonymousSubjects() {
		if !slices.Contains(subjects, want) {
			t.Errorf("%s is not discoverable", want)
		}
	}
	if len(subjects) != len(h.api.registry.entries) || info.Version != "1.2.3" {
		t.Errorf("version %s with %d endpoints, %d operations", info.Version, len(subjects), len(h.api.registry.entries))
	}
}

func TestStrangersCallReadServicesAndAreToldWhatNeedsACredential(t *testing.T) {
	h := furnished(t)
	c := NewClient(h.stranger(t))
	var got struct {
		Prompt string `json:"prompt"`
	}
	if err := c.Call(briefly(t), "contexts.get", map[string]string{"key": "rule.passive"}, &got); err != nil || got.Prompt == "" {
		t.Fatalf("%+v, %v", got, err)
	}
	for _, name := range []string{"dlq.list", "dlq.get", "status"} {
		err := c.Call(briefly(t), name, nil, nil)
		var p *Problem
		if !errors.As(err, &p) || p.Code != NotAllowed || p.Hint == "" {
			t.Errorf("%s: %v", name, err)
		}
		if err := NewClient(h.nc).Call(briefly(t), name, map[string]int{"sequence": 1}, nil); errors.As(err, &p) && p.Code == NotAllowed {
			t.Errorf("%s with a credential: %v", name, err)
		}
	}
}

func TestAClientTellsThatNobodyAnswers(t *testing.T) {
	h := &house{}
	h.serve(t)
	var p *Problem
	if err := NewClient(h.nc).Call(briefly(t), "health", nil, nil); !errors.As(err, &p) || p.Code != Unavailable {
		t.Error(err)
	}
}

func TestAClientWhoseServerHasGoneSaysSo(t *testing.T) {
	h := &house{}
	h.serve(t)
	c := NewClient(h.stranger(t))
	h.server.Shutdown()
	ctx, cancel := timeout(t, time.Second)
	defer cancel()
	var p *Problem
	if err := c.Call(ctx, "health", nil, nil); !errors.As(err, &p) || p.Code != Unavailable && p.Code != TimedOut {
		t.Error(err)
	}
}

func TestStatisticsAreTheFieldsOfTheSourceDocumentAndABlockBeside(t *testing.T) {
	h := build(t)
	var asked []string
	clerk := idle(0, 1, 2, 3)
	clerk.asked = func(model, question string, args jsontext.Value) (any, error) {
		if model != rules.Name {
			return struct{}{}, nil
		}
		asked = append(asked, model+"/"+question+string(args))
		return rules.Part{}, nil
	}
	h.employ(t, clerk)
	var got map[string]jsontext.Value
	h.get(t, "/api/statistics?rules=a&exclude_skipped=true").read(t, &got)
	for _, name := range []string{"total_feedback", "overall_acceptance_rate", "by_rule", "by_category", "period", "fix_feedback"} {
		if got[name] == nil {
			t.Errorf("no %s among %v", name, slices.Sorted(maps.Keys(got)))
		}
	}
	if len(asked) != partitions || !strings.HasPrefix(asked[0], "rules/statistics{") ||
		!strings.Contains(asked[0], `"rules":["a"],"exclude_skipped":true`) {
		t.Errorf("asked %s", asked)
	}
}

func TestWhoDoesNotAnswerIsNamed(t *testing.T) {
	h := build(t)
	if p := h.get(t, "/api/statistics").problem(t); p.Code != Unavailable || !strings.Contains(p.Detail, "0, 1, 2, 3") {
		t.Errorf("without analyzers: %+v", p)
	}
	h.employ(t, idle(0, 2))
	a := asker{h.nc, partitions}
	ctx, cancel := timeout(t, 200*time.Millisecond)
	defer cancel()
	_, err := a.ask(ctx, question{Model: rules.Name, Ask: rules.AskStatistics})
	if err == nil || !strings.Contains(err.Error(), "partitions 1, 3") {
		t.Errorf("with half of them: %v", err)
	}
}

func TestAPanickingAnswerFailsAndTellsNothing(t *testing.T) {
	var told []string
	h := build(t, func(d *Deps) { d.Failed = func(op string, err error) { told = append(told, op+": "+err.Error()) } })
	clerk := idle(0, 1, 2, 3)
	clerk.asked = func(string, string, jsontext.Value) (any, error) { panic("secret payload") }
	h.employ(t, clerk)
	if got := h.get(t, "/api/statistics"); got.problem(t).Code != Internal || strings.Contains(got.body, "secret") {
		t.Errorf("answered %s", got.body)
	}
	if len(told) != 1 || !strings.HasPrefix(told[0], "statistics.get: ") || strings.Contains(told[0], "secret") {
		t.Errorf("told %q", told)
	}
}
