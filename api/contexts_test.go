package api

import (
	"slices"
	"strings"
	"testing"

	"learnloop.dev/bus"
	"learnloop.dev/kv"
	"learnloop.dev/learn/rules"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"
)

func TestAContextLeavesByteForByteAsTheBucketHoldsIt(t *testing.T) {
	h := furnished(t)
	got := h.get(t, "/api/contexts/rule/passive")
	if got.body != passive || got.header.Get("Learnloop-Key") != "rule.passive" || got.header.Get("Learnloop-Revision") != "1" {
		t.Errorf("%s %v", got.body, got.header)
	}
}

func TestARuleNothingIsKnownAboutHasAnEmptyContext(t *testing.T) {
	h := furnished(t)
	var c struct {
		ID           string   `json:"id"`
		SampleCount  int      `json:"sample_count"`
		Acceptance   *float64 `json:"acceptance_rate"`
		Prompt       string   `json:"prompt"`
		IsSufficient bool     `json:"has_sufficient_data"`
	}
	got := h.get(t, "/api/rules/unheard%20of")
	if got.read(t, &c); got.status != 200 || c.ID != "unheard of" || c.SampleCount != 0 || c.Acceptance != nil || c.Prompt != "" || c.IsSufficient {
		t.Errorf("%d %s", got.status, got.body)
	}
}

func TestAnOperatorWhoKnowsARawUserIDIsToldTheKey(t *testing.T) {
	h := furnished(t)
	client := NewClient(h.nc)
	for user, prompt := range map[string]string{"anna": "Be brief.", "bert": ""} {
		var c struct {
			Key    string `json:"key"`
			Kind   string `json:"kind"`
			Prompt string `json:"prompt"`
		}
		if err := client.Call(briefly(t), "contexts.get", map[string]string{"user": user}, &c); err != nil {
			t.Fatal(err)
		}
		if c.Key != kv.Key("user", "p_"+strings.ToUpper(user)) || c.Kind != "user" || c.Prompt != prompt {
			t.Errorf("%s: %+v", user, c)
		}
	}
}

func TestStrangersDoNotLearnWhoAPseudonymIs(t *testing.T) {
	h := furnished(t)
	nc := h.stranger(t)
	for _, header := range []string{"X: y", importedHeader + ": ", "Authorization: Bearer guess"} {
		m, err := nc.RequestMsgWithContext(briefly(t), message("learn.svc.contexts.get", `{"user":"anna"}`, header))
		if err != nil {
			t.Fatal(err)
		}
		if code := m.Header.Get(micro.ErrorCodeHeader); code != string(NotAllowed) || strings.Contains(string(m.Data), "p_ANNA") {
			t.Errorf("with %s: %q %s", header, code, m.Data)
		}
	}
}

func TestOnlyOperatorsSeePeopleInTheStatistics(t *testing.T) {
	h := build(t)
	known := analyst{numbers: []int{0, 1, 2, 3}, asked: func(model, _ string, _ jsontext.Value) (any, error) {
		if model != rules.Name {
			return struct{}{}, nil
		}
		return rules.Part{Users: map[string]int64{"p_ANNA": 1}}, nil
	}}
	h.employ(t, known)
	for who, ask := range map[string]func() string{
		"stranger over HTTP": func() string { return h.get(t, "/api/statistics").body },
		"stranger over NATS": func() string { return statistics(t, h.stranger(t)) },
		"operator over HTTP": func() string { return h.get(t, "/api/statistics", asAdmin).body },
		"operator over NATS": func() string { return statistics(t, h.nc) },
	} {
		if got := ask(); strings.Contains(got, "p_ANNA") != strings.HasPrefix(who, "operator") || !strings.Contains(got, `"by_user":{`) {
			t.Errorf("%s: %s", who, got)
		}
	}
}

// statistics asks over NATS.
func statistics(t *testing.T, nc *nats.Conn) string {
	t.Helper()
	m, err := nc.RequestWithContext(briefly(t), "learn.svc.statistics.get", nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(m.Data)
}

func TestAListIsReadPageByPageToItsEnd(t *testing.T) {
	h := furnished(t)
	long := strings.Repeat("x", 300)
	h.put(t, "rule", long, `{"id":"`+long+`","kind":"rule"}`)
	var keys, ids []string
	cursor := ""
	for range 10 {
		var page ContextList
		h.get(t, "/api/contexts?limit=2&cursor="+cursor).read(t, &page)
		for _, c := range page.Contexts {
			keys, ids = append(keys, c.Key), append(ids, c.ID)
			if c.Kind == "" || c.Revision == 0 || c.Changed.IsZero() {
				t.Errorf("%+v", c)
			}
		}
		if cursor = page.Next; cursor == "" {
			break
		}
	}
	want := []string{"category.style", "rule.=h", "rule.go/fmt=20rule", "rule.passive", "summary", "user.p_ANNA"}
	if len(keys) != len(want) || !slices.IsSorted(keys) {
		t.Fatalf("listed %q", keys)
	}
	for i, key := range keys {
		if !strings.HasPrefix(key, want[i]) {
			t.Errorf("%s instead of %s", key, want[i])
		}
	}
	if ids[1] != long || ids[2] != "go/fmt rule" {
		t.Errorf("ids %q", ids)
	}
}

func TestAnExplanationPutsEventsBesideWhatTheContextSays(t *testing.T) {
	h := furnished(t)
	var e Explanation
	h.get(t, "/api/explain/rule.passive").read(t, &e)
	var lines []string
	for _, l := range e.Lines {
		lines = append(lines, l.Line+" "+string(l.Value))
		if l.Count != 2 || len(l.Events) != 2 || l.Events[0].ID != "e1" || l.First.IsZero() {
			t.Errorf("%+v", l)
		}
	}
	want := []string{"comment ", "sample_count 12",
		`accepted_patterns/abc {"original_pattern":"was done","pattern":"abc","suggested_pattern":"did"}`}
	if e.Key != "rule.passive" || !slices.Equal(lines, want) {
		t.Errorf("%q", lines)
	}
}

func TestAReplayTellsHowFarItsEventsHaveCome(t *testing.T) {
	h := furnished(t)
	var r Replay
	h.get(t, "/api/replays/r1").read(t, &r)
	if r.Stored != 3 || r.Duplicates != 1 || !r.Reflected || r.Partitions["0"] != (Way{7, 7}) {
		t.Errorf("%+v", r)
	}
	if r.Refused != 0 || r.Declined != 0 || r.Waiting != 0 {
		t.Errorf("nothing came to the door: %+v", r)
	}
	of := func(id, kind, data string) string {
		return strings.Replace(event(id, kind, data), "{", `{"replayid":"r1",`, 1)
	}
	h.do(t, "POST /v1/events", of("1", "feedback.fix", `{}`), structured)
	h.do(t, "POST /v1/events", of("2", "feedback.response", `{"exchange_id":"x","feedback_type":"copy"}`), structured)
	h.do(t, "POST /v1/events", of("2", "feedback.response", `{"exchange_id":"x","feedback_type":"copy"}`), structured)
	if h.get(t, "/api/replays/r1").read(t, &r); r.Refused != 1 || r.Declined != 1 || r.Waiting != 1 {
		t.Errorf("one refused, one waiting and once more: %+v", r)
	}
	h.set(t, "learn_settings", "reflected.0", "6")
	if h.get(t, "/api/replays/r1").read(t, &r); r.Reflected {
		t.Errorf("contexts are behind: %+v", r)
	}
}

func TestStatusShowsStreamsAndPositions(t *testing.T) {
	h := furnished(t)
	h.do(t, "POST /v1/events", event("e", "feedback.fix", fix()), structured)
	var s Status
	if err := NewClient(h.nc).Call(briefly(t), "status", nil, &s); err != nil {
		t.Fatal(err)
	}
	named := func(name string) bool {
		return slices.ContainsFunc(s.Streams, func(s StreamStatus) bool { return s.Name == name })
	}
	if !s.Ready || s.Log != 1 || s.Partitions != partitions || !slices.Equal(s.Reflected, []uint64{7, 0, 0, 0}) ||
		!named(bus.InboxStream) || !named(bus.EventsStream) || !named("KV_learn_contexts") {
		t.Errorf("%+v", s)
	}
}

func TestDeadLettersAreReadPageByPage(t *testing.T) {
	h := build(t)
	for _, id := range []string{"a", "b", "c"} {
		h.do(t, "POST /v1/events", event(id, "feedback.fix", `{"note":"`+id+`"}`), structured)
	}
	var page Letters
	h.get(t, "/api/dlq?limit=2", asAdmin).read(t, &page)
	if len(page.Letters) != 2 || page.Letters[0].Number != 3 || page.Letters[0].Reason != "schema" || page.Next != 2 {
		t.Fatalf("%+v", page)
	}
	h.get(t, "/api/dlq?limit=2&before=2", asAdmin).read(t, &page)
	if len(page.Letters) != 1 || page.Letters[0].Number != 1 {
		t.Errorf("%+v", page)
	}
	var one Letter
	h.get(t, "/api/dlq/3", asAdmin).read(t, &one)
	if one.Number != 3 || one.Stage != "http" || one.SHA256 == "" || len(one.Violations) == 0 {
		t.Errorf("%+v", one)
	}
}

func TestOfAReplayNobodyHeardOfNothingIsSaid(t *testing.T) {
	h := build(t)
	h.employ(t, idle(0, 1, 2, 3))
	if p := h.get(t, "/api/replays/never").problem(t); p.Code != NotFound || p.Hint == "" {
		t.Errorf("%+v", p)
	}
}

func TestTheSummaryOfNothingIsEmpty(t *testing.T) {
	h := build(t)
	var c struct {
		Kind  string `json:"kind"`
		Total *int   `json:"total_feedback"`
	}
	got := h.get(t, "/api/contexts/summary")
	if got.read(t, &c); got.status != 200 || c.Kind != kindSummary || c.Total == nil || *c.Total != 0 {
		t.Errorf("%d %s", got.status, got.body)
	}
}

func TestAKeyThatIsNoneIsToldWithOneThatIs(t *testing.T) {
	h := build(t)
	for _, key := range []string{"oxford-comma", "nope", "rule.", ".x", "Rule.x"} {
		p := h.get(t, "/api/explain/"+key).problem(t)
		if p.Code != BadRequest || !strings.Contains(p.Detail, "kind.id, such as rule.oxford-comma") {
			t.Errorf("%s: %+v", key, p)
		}
	}
}
