package api

import (
	"strings"
	"testing"

	"learnloop.dev/kv"
	"learnloop.dev/privacy"
)

// brisk is the context of somebody who likes answers short, and Go.
const brisk = `{"kind":"user","id":"p_ANNA","confidence":0.9,"sample_size":45,"prompt":"Keep answers concise.",` +
	`"advice":[{"about":"length","text":"Keep answers concise."}],"good_answers":[{"exchange_id":"x-7","score":0.9,"topics":["go"]}],` +
	`"style":{"length":{"value":0.1,"confidence":0.9,"sample_size":45,"typical":120}},` +
	`"topics":[{"topic":"go","affinity":0.9,"samples":12,"high_affinity":true}]}`

// acquainted is a house that knows Anna.
func acquainted(t *testing.T, change ...func(*Deps)) *house {
	t.Helper()
	h := furnished(t, change...)
	key := kv.Key(kindUser, "p_ANNA")
	h.shelf[key] = kv.Context{Key: key, Value: []byte(brisk), Revision: 1}
	return h
}

func TestAPromptIsTunedForWhoIsKnown(t *testing.T) {
	h := acquainted(t)
	var got TunedPrompt
	h.do(t, "POST /api/prompt", `{"user":"p_ANNA","basePrompt":"You help. {length_style}"}`).read(t, &got)
	if got.Prompt != "You help. concise and to the point (about 120 words)" || !got.Personalized || got.SampleSize != 45 {
		t.Errorf("%+v", got)
	}
	if len(got.Changes) != 1 || got.Changes[0].Evidence != 45 || got.GoodAnswers[0].ExchangeID != "x-7" {
		t.Errorf("%+v", got)
	}
	h.do(t, "POST /api/prompt", `{"user":"p_ANNA","base":"You help.","length_weight":0}`).read(t, &got)
	if got.Prompt != "You help." || got.Personalized {
		t.Errorf("without the length: %+v", got)
	}
}

func TestThePromptOfAStrangerIsTheBase(t *testing.T) {
	h := acquainted(t)
	const base = `You help.\n{length_style}`
	got := h.do(t, "POST /api/prompt", `{"user":"p_EVE","base":"`+base+`"}`)
	if !strings.Contains(got.body, `"prompt":"`+base+`"`) || !strings.Contains(got.body, `"personalized":false`) {
		t.Error(got.body)
	}
	got = h.do(t, "POST /api/prompt", `{"user":"p_EVE","base":"`+base+`","neutral":true}`)
	if !strings.Contains(got.body, `balanced between`) {
		t.Error(got.body)
	}
}

func TestOnlyOperatorsTunePromptsByRawUserID(t *testing.T) {
	h := acquainted(t)
	for _, name := range []string{"anna", "p_ANNA", "old_ANNA"} {
		ask := `{"user":"` + name + `","base":"b"}`
		for who, headers := range map[string][]string{"a stranger": nil, "an operator": {asAdmin}} {
			tuned := strings.Contains(h.do(t, "POST /api/prompt", ask, headers...).body, "concise")
			if want := name != "anna" || headers != nil; tuned != want {
				t.Errorf("%s asks for %s: tuned %v", who, name, tuned)
			}
		}
	}
}

func TestNothingIsPersonalWhereItIsSwitchedOff(t *testing.T) {
	settings := privacy.Defaults()
	h := acquainted(t, func(d *Deps) { d.Settings = func() privacy.Settings { return settings } })
	asks := map[string]string{
		"POST /api/prompt":    `{"user":"p_ANNA","base":"b"}`,
		"POST /api/rerank":    `{"user":"p_ANNA","results":[{"id":"a","score":1},{"id":"b","score":0.9,"topics":["go"]},{"id":"c","score":0}]}`,
		"POST /api/calibrate": `{"user":"p_ANNA","response":"` + strings.Repeat("word ", 340) + `"}`,
	}
	for _, on := range []bool{true, false} {
		settings.EnablePersonalization = on
		for line, ask := range asks {
			if got := h.do(t, line, ask); strings.Contains(got.body, `"personalized":true`) != on {
				t.Errorf("%s, switched on %v: %d %s", line, on, got.status, got.body)
			}
		}
	}
}

func TestResultsComeInTheOrderThatSuits(t *testing.T) {
	h := acquainted(t)
	var got Reranking
	h.do(t, "POST /api/rerank", `{"user":"p_ANNA","results":[{"id":"a","score":0.9},{"id":"b","score":0.85,"text":"Maps in Go."},`+
		`{"id":"none"},{"id":"null","score":null},{"id":"c","score":0.1}]}`).read(t, &got)
	order := ""
	for _, r := range got.Results {
		order += r.ID + " "
	}
	if order != "b a c none null " || got.Results[0].TopicBoost != 0.18 || got.Results[0].Before != 1 || got.Results[3].Score != nil {
		t.Errorf("%s: %+v", order, got)
	}
}

func TestWhatWasRetrievedIsRefusedWhereItIsMalformed(t *testing.T) {
	h := acquainted(t)
	for _, ask := range []string{`{"results":[]}`, `{"user":"","results":[]}`, `{"user":"u"}`, `{"user":"u","results":[{"id":"a","quality":2}]}`,
		`{"user":"u","results":[{"id":"a","score":"high"}]}`, `{"user":"u","results":[],"topic_boost":-1}`} {
		if got := h.do(t, "POST /api/rerank", ask); got.status != 422 && got.status != 400 {
			t.Errorf("%s: %d %s", ask, got.status, got.body)
		}
	}
}

func TestALongAnswerIsTold(t *testing.T) {
	h := acquainted(t)
	got := h.do(t, "POST /api/calibrate", `{"user":"p_ANNA","response":"`+strings.Repeat("word ", 340)+`"}`)
	if !strings.Contains(got.body, "longer than this person likes: 340 words, likes about 120") {
		t.Error(got.body)
	}
}

func TestStrangersReachWhatIsPersonalOverNATS(t *testing.T) {
	h := acquainted(t)
	nc := h.stranger(t)
	m, err := nc.RequestWithContext(briefly(t), subjectOf("prompt"), []byte(`{"user":"p_ANNA","base":"b"}`))
	if err != nil || !strings.Contains(string(m.Data), "concise") {
		t.Errorf("%v %s", err, m.Data)
	}
}
