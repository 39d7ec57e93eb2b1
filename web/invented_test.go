package web_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
)

// invention makes up what happened in a house that writes and programs with agents. It
// is the same each time, but for the days it happened on: the last four weeks.
type invention struct {
	chance *rand.Rand
	now    time.Time
	events []string
}

// invented are events of which every page has something to show.
func invented(now time.Time) []string {
	v := &invention{chance: rand.New(rand.NewPCG(7, 11)), now: now}
	v.fixes()
	v.lessons()
	v.work()
	v.talk()
	v.trial()
	v.samples()
	v.mistakes()
	return v.events
}

// add makes up an event that happened so many days ago.
func (v *invention) add(kind string, daysAgo float64, data map[string]any) {
	n := len(v.events)
	at := v.now.Add(-time.Duration(daysAgo * float64(24*time.Hour))).UTC()
	text, err := json.Marshal(map[string]any{
		"specversion": "1.0", "id": fmt.Sprintf("invented-%04d", n), "source": "/demo/invented", "type": "dev.learnloop." + kind + ".v1",
		"time": at.Format(time.RFC3339), "datacontenttype": "application/json", "data": data,
	}, json.Deterministic(true))
	if err != nil {
		panic(err)
	}
	v.events = append(v.events, string(text))
}

// happens reports whether something of a probability happens.
func (v *invention) happens(p float64) bool { return v.chance.Float64() < p }

func (v *invention) one(of string) string {
	list := strings.Split(of, "|")
	return list[v.chance.IntN(len(list))]
}

// days is a time of the last so many days, in days.
func (v *invention) days(most float64) float64 { return v.chance.Float64() * most }

const people = "ada|ben|cleo|dan|eve|fay|gus|hal|ivy|jon|kim|lea"

// habits are rules with how often people keep their fixes at first and in the end.
var habits = []struct {
	rule, category, from, to string
	often                    int
	first, last              float64
	reason                   string
}{
	{"plain-words", "wording", "utilize|leverage|in order to|prior to", "use|use|to|before", 210, .78, .95, "Fine, but not in quotations"},
	{"revive/unused-parameter", "go", "ctx|req|opts", "_|_|_", 180, .5, .04, "The interface asks for it"},
	{"passive-voice", "style", "was decided|is being built|were asked", "we decided|we build|we asked", 160, .55, .74, "It does not matter who did it"},
	{"oxford-comma", "punctuation", "tests, docs and code|red, green and blue", "tests, docs, and code|red, green, and blue",
		140, .12, .06, "Our house style leaves the last comma out"},
	{"errcheck", "go", "defer f.Close()|json.Unmarshal(b, &v)", "err = f.Close()|err := json.Unmarshal(b, &v)", 120, .85, .93, "It is a test"},
	{"long-sentence", "style", "a sentence that goes on and on", "two short sentences", 90, .42, .55, "They belong together"},
	{"alt-text", "access", "image without a description", "image with a description", 64, .93, .97, "It is decoration"},
	{"title-case", "style", "How To Begin|What Is Kept", "How to begin|What is kept", 38, .61, .66, "It is a name"},
}

func (v *invention) fixes() {
	for _, h := range habits {
		from, to := strings.Split(h.from, "|"), strings.Split(h.to, "|")
		for i := range h.often {
			ago := v.days(29)
			likely := h.last + (h.first-h.last)*ago/29
			fix := map[string]any{
				"suggestion_id": fmt.Sprintf("%s-%d", h.rule, i), "deviation_id": fmt.Sprintf("%s-d%d", h.rule, i), "rule_id": h.rule, "category": h.category,
				"original_text": from[i%len(from)], "suggested_text": to[i%len(to)], "user_id": v.one(people), "language": "en",
				"original_confidence": min(max(likely+v.chance.NormFloat64()*.1, .05), .99),
			}
			switch {
			case v.happens(.07):
				fix["decision"] = "skipped"
			case v.happens(likely):
				fix["decision"] = "accepted"
				if v.happens(.18) {
					fix["decision"], fix["user_modification"], fix["final_text"] = "modified", to[i%len(to)]+" (briefly)", to[i%len(to)]+" (briefly)"
				}
			default:
				fix["decision"], fix["user_comment"] = "rejected", h.reason+v.one("||||||||||. Ask ada.lovelace@example.org|. Call +49 30 1234567")
			}
			v.add("feedback.fix", ago, fix)
		}
	}
}

// insights are what agents wrote down.
var insights = []struct {
	id, title, context, observation, implication, action, field, status string
	helps                                                               float64
}{
	{
		"learn_migrate", "Migrations are tried on a copy first",
		"A schema is about to change", "Two of five migrations failed on data nobody expected",
		"A rollback costs more than a rehearsal", "Run the migration on last night's copy before the real one",
		"databases", "", .9,
	},
	{
		"learn_flaky", "A test that fails now and then has a race",
		"A test fails once in fifty runs", "Behind all of seven stood shared state, behind none slow machines",
		"Trying again hides a defect that users meet", "Run it two hundred times under the race detector before anything else",
		"testing", "", .82,
	},
	{
		"learn_refund", "Refunds are idempotent by order, not by request",
		"A refund is sent again after a timeout", "Clients make a new request id when they try again",
		"Customers were paid twice", "Use the order and its version as the key",
		"payments", "", .74,
	},
	{
		"learn_tokens", "Long files are edited by parts",
		"A file has more than 800 lines", "Models drop lines in the middle of whole rewrites",
		"What is lost shows late", "Send the functions that change, and apply them as a patch",
		"agents", "", .68,
	},
	{
		"learn_tone", "Release notes begin with what users notice",
		"Notes are written for a release", "Readers stop after the second line",
		"What is first is read", "Put the change that users notice first, the ticket last",
		"writing", "", .6,
	},
	{
		"learn_cache", "Raise the cache before adding a replica",
		"Reads are slow", "The hit rate was 61 %",
		"More machines would have hidden it", "Look at the hit rate first",
		"databases", "", .35,
	},
	{
		"learn_retry", "Retries carry jitter",
		"Many clients try again at once", "The second wave was larger than the first",
		"The service stays down", "Add jitter of at least half the pause",
		"services", "proposed", 0,
	},
	{
		"learn_index", "Build indexes beside the running load",
		"An index is added to a large table", "Writes waited four minutes",
		"People saw errors", "Build it concurrently, and watch for locks",
		"databases", "proposed", 0,
	},
}

func (v *invention) lessons() {
	for i, l := range insights {
		kind := "learning.created"
		if l.status != "" {
			kind = "learning.proposed"
		}
		v.add(kind, 27-float64(i), map[string]any{"id": l.id, "title": l.title, "context": l.context, "observation": l.observation,
			"implication": l.implication, "action": l.action, "domain": l.field, "tags": []string{l.field}})
	}
}

// kinds are types of steps, and how well the models do them.
var kinds = []struct {
	step     string
	small    float64
	middle   float64
	large    float64
	seconds  float64
	failures string
}{
	{"inspect-codebase", .93, .95, .97, 14, "missed a caller"},
	{"write-tests", .55, .81, .92, 48, "the test passes without the change|flaky"},
	{"refactor", .38, .74, .9, 75, "does not compile|changed behaviour"},
	{"fix-bug", .31, .66, .84, 92, "symptom, not cause|does not compile"},
	{"write-docs", .88, .92, .94, 22, "tells what the code says"},
}

func (v *invention) work() {
	for i := range 460 {
		ago := v.days(26)
		task, arm := fmt.Sprintf("task-%03d", i), "treatment"
		if v.happens(.25) {
			arm = "holdout"
		}
		items := []any{}
		used := insights[v.chance.IntN(6)]
		if arm == "treatment" {
			items = append(items, map[string]any{"learning_id": used.id})
		}
		v.add("injection.recorded", ago, map[string]any{"task_id": task, "outcome_id": "release-2", "items": items, "arm": arm,
			"shares": map[string]any{"holdout": .25}, "generator": "planner"})
		ok := v.happens(.5)
		if arm == "treatment" {
			ok = v.happens(.87)
			if v.happens(.5) {
				v.add("feedback.learning", max(ago-.02, 0), map[string]any{"learning_id": used.id, "task_id": task, "helpful": v.happens(used.helps)})
			}
		}
		v.finish(task, max(ago-.04, 0), ok)
	}
	v.add("template.added", 20, map[string]any{"name": "Bug with a failing test", "keywords": []string{"bug", "regression", "failing test"}, "plan": []any{
		map[string]any{"id": "inspect-codebase", "description": "Find the smallest input that fails", "model_tier": 1},
		map[string]any{"id": "write-tests", "description": "Put it into a test that fails", "model_tier": 2, "depends_on": []string{"inspect-codebase"}},
		map[string]any{"id": "fix-bug", "description": "Mend the cause", "model_tier": 3, "depends_on": []string{"write-tests"}},
	}})
}

// finish tells how a task ended, step by step.
func (v *invention) finish(task string, ago float64, ok bool) {
	var steps []any
	for _, k := range kinds[:1+v.chance.IntN(len(kinds))] {
		tier := 1 + v.chance.IntN(3)
		name := []string{"small-1", "middle-2", "large-3"}[tier-1]
		done := v.happens([]float64{k.small, k.middle, k.large}[tier-1])
		step := map[string]any{"id": k.step, "description": strings.ReplaceAll(k.step, "-", " "), "model_used": name, "model_tier": tier, "success": done,
			"retry_count": v.chance.IntN(2), "duration_seconds": k.seconds * (.6 + v.chance.Float64()), "tokens_used": 800 * tier * (1 + v.chance.IntN(4))}
		if v.happens(.5) {
			step["prompt_features"] = []string{"example"}
		}
		if !done {
			step["failure_reasons"], step["retry_count"] = []string{v.one(k.failures)}, 2
		}
		steps = append(steps, step)
	}
	data := map[string]any{"task_id": task, "goal": v.one("Fix the failing import|Speed up the search|Add an audit log|Document the export|Refactor the parser"),
		"status": "completed", "subtasks": steps, "user_id": v.one(people)}
	if !ok {
		data["status"] = "failed"
	}
	if v.happens(.1) {
		data["corrections"] = []any{map[string]any{"tags": []string{"scope"}, "instruction": v.one("Change nothing outside the package|Keep the public names")}}
	}
	v.add("task.finished", ago, data)
}

// talk are exchanges with four people.
func (v *invention) talk() {
	for i := range 120 {
		ago, who := v.days(24), v.one("ada|ben|cleo|dan")
		id := fmt.Sprintf("exchange-%d", i)
		answer := v.one("Close it with defer, and look at what it returns:\n\n- open\n- defer\n- check|Yes.|Use a context with a deadline, and pass it down. " +
			"Whoever waits then gives up in time, and the caller learns why from the cause of the context.")
		v.add("exchange.recorded", ago, map[string]any{"exchange_id": id, "session_id": fmt.Sprintf("%s-%d", who, i/8), "user_id": who,
			"user_text": v.one("How do I close a file in Go?|Can you show an example of a deadline?|What is a context for?|Is this query safe?"), "agent_text": answer,
			"topics": []string{v.one("go|databases|testing")}, "processing_time_ms": 900 + v.chance.IntN(2000), "model": "middle-2"})
		if v.happens(.7) {
			v.add("feedback.response", max(ago-.001, 0), map[string]any{"exchange_id": id, "user_id": who,
				"feedback_type": v.one("thumbs_up|thumbs_up|copy|thumbs_down|regenerate")})
		}
	}
}

// trial is an experiment whose units somebody else assigns.
func (v *invention) trial() {
	for i := range 700 {
		variant, value := "control", .5
		if i%2 == 1 {
			variant, value = "treatment", .69
		}
		score := 0.0
		if v.happens(value) {
			score = 1
		}
		v.add("experiment.outcome", 21-float64(i)*.03, map[string]any{"experiment": "shorter_prompts", "unit_id": fmt.Sprintf("session-%d", i),
			"variant": variant, "metric": "task_success", "value": score})
	}
}

func (v *invention) samples() {
	for i := range 90 {
		sample := map[string]any{"sample_id": fmt.Sprintf("sample-%d", i), "sample_family": v.one("error_correction|intent_resolution|multi_step_plan"),
			"created_at": v.now.UTC().Format(time.RFC3339), "input": map[string]any{"intent_text": "Make it shorter"}, "output": map[string]any{"result": "Shorter"}}
		sample["feedback"] = map[string]any{"source": "system", "type": "score"}
		if v.happens(.85) {
			label, kind := "good", "approval"
			switch {
			case v.happens(.2):
				label, kind = "poor", "rejection"
			case v.happens(.25):
				label, kind = "acceptable", "correction"
			}
			sample["feedback"] = map[string]any{"source": v.one("user|user|system"), "type": kind, "quality_label": label}
		}
		v.add("sample.captured", v.days(20), sample)
	}
}

// mistakes are events that are refused.
func (v *invention) mistakes() {
	v.add("feedback.fix", .2, map[string]any{"suggestion_id": "s", "deviation_id": "d", "rule_id": "plain-words", "decision": "maybe",
		"original_text": "a", "suggested_text": "b"})
	v.add("task.finished", .1, map[string]any{"task_id": "t", "goal": "g", "status": "done", "subtasks": []any{map[string]any{"success": "yes"}}})
	v.add("feedback.learning", .05, map[string]any{"learning_id": "learn_migrate", "helpful": true})
	v.add("sample.captured", .3, map[string]any{"sample_id": "x"})
}

// furnish puts what was invented into a loop, and what operators do beside it.
func (s *sitting) furnish(tb testing.TB, happened []string) {
	tb.Helper()
	s.defines(tb, `{"name":"shorter_prompts","description":"Prompts without examples, in half the words","external":true,"is_active":true,
		"primary_metric":{"name":"task_success","min":0,"max":1},"min_sample_size":200,"guardrails":[{"name":"retries","direction":"lower_is_better"}]}`)
	s.defines(tb, `{"name":"topic_affinity","description":"Answers led by topics that people like","treatment_percentage":10,"control_percentage":10,
		"primary_metric":"overall_quality_score","is_active":true}`)
	s.defines(tb, `{"name":"lists_for_all","description":"Lists in place of prose","treatment_percentage":20,"control_percentage":20}`)
	s.send(tb, happened)
}

func (s *sitting) defines(tb testing.TB, design string) {
	tb.Helper()
	s.post(tb, "/api/experiments", "application/json", design)
}

// send takes what is right of events; the rest leave dead letters.
func (s *sitting) send(tb testing.TB, events []string) {
	tb.Helper()
	for from := 0; from < len(events); from += 200 {
		s.post(tb, "/v1/events", "application/cloudevents-batch+json", "["+strings.Join(events[from:min(from+200, len(events))], ",")+"]")
	}
}
