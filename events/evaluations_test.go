package events

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// judged is an evaluation in the three forms that are read.
var judged = map[string]string{
	"log records": `{"resourceLogs":[{"resource":{"attributes":[]},"scopeLogs":[{"scope":{"name":"s"},"logRecords":[
		{"timeUnixNano":"1767323045000000000","eventName":"other","attributes":[]},
		{"timeUnixNano":"1767323045000000000","eventName":"gen_ai.evaluation.result","traceId":"0af7","spanId":"b7ad","attributes":[
			{"key":"gen_ai.evaluation.name","value":{"stringValue":"Relevance"}},{"key":"gen_ai.evaluation.score.value","value":{"doubleValue":0.9}},
			{"key":"gen_ai.evaluation.explanation","value":{"stringValue":"It answers."}},{"key":"gen_ai.response.id","value":{"stringValue":"chatcmpl-1"}}]}]}]}]}`,
	"events of spans": `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"0af7","spanId":"b7ad","name":"chat","events":[
		{"timeUnixNano":1767323045000000000,"name":"gen_ai.evaluation.result","attributes":[
			{"key":"gen_ai.evaluation.name","value":{"stringValue":"Relevance"}},{"key":"gen_ai.evaluation.score.value","value":{"doubleValue":0.9}},
			{"key":"gen_ai.evaluation.explanation","value":{"stringValue":"It answers."}},{"key":"gen_ai.response.id","value":{"stringValue":"chatcmpl-1"}}]}]}]}]}]}`,
	"a record alone": `{"event_name":"gen_ai.evaluation.result","timestamp":"2026-01-02T03:04:05Z","traceId":"0af7","spanId":"b7ad","attributes":{
		"gen_ai.evaluation.name":"Relevance","gen_ai.evaluation.score.value":0.9,"gen_ai.evaluation.explanation":"It answers.","gen_ai.response.id":"chatcmpl-1"}}`,
}

var usual = Scale{Good: 0.7, Poor: 0.4}

func TestAnEvaluationBecomesTheSameFeedbackHoweverItIsWritten(t *testing.T) {
	ids := map[string]bool{}
	for form, line := range judged {
		list, err := ReadEvaluations([]byte(line))
		if err != nil || len(list) != 1 {
			t.Fatalf("%s: %v %+v", form, err, list)
		}
		env, err := list[0].Feedback(usual)
		if err != nil || env.Kind != FeedbackResponse.Kind || !env.Time.Equal(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)) {
			t.Errorf("%s: %v %+v", form, err, env)
		}
		if want := `{"exchange_id":"chatcmpl-1","feedback_type":"thumbs_up","feedback_text":"Relevance: It answers."}`; string(env.Data) != want {
			t.Errorf("%s: %s", form, env.Data)
		}
		if _, refusal := Decode(FeedbackResponse, env.Data); refusal.Refused() {
			t.Errorf("%s: %+v", form, refusal)
		}
		ids[env.ID] = true
	}
	if len(ids) != 1 {
		t.Errorf("ids %v", ids)
	}
}

func TestLabelsDecideBeforeScoresAndScalesAreTheEvaluators(t *testing.T) {
	for _, c := range []struct {
		label string
		score string
		scale Scale
		want  ResponseSign
		err   error
	}{
		{"pass", "0.1", usual, ThumbsUp, nil},
		{"Not relevant", "1", usual, ThumbsDown, nil},
		{"so-so", "0.7", usual, ThumbsUp, nil},
		{"", "0.39", usual, ThumbsDown, nil},
		{"", "0.4", usual, "", ErrNoVerdict},
		{"", `"4"`, Scale{Good: 4, Poor: 2}, ThumbsUp, nil},
		{"", `"high"`, usual, "", ErrNoVerdict},
		{"", "null", usual, "", ErrNoVerdict},
	} {
		line := fmt.Sprintf(`{"name":"gen_ai.evaluation.result","attributes":{"gen_ai.evaluation.score.label":%q,`+
			`"gen_ai.evaluation.score.value":%s,"gen_ai.response.id":"r"}}`, c.label, c.score)
		list, err := ReadEvaluations([]byte(line))
		if err != nil || len(list) != 1 {
			t.Fatalf("%s: %v %v", line, err, list)
		}
		env, err := list[0].Feedback(c.scale)
		if !errors.Is(err, c.err) || c.err == nil && !strings.Contains(string(env.Data), string(c.want)) {
			t.Errorf("%+v: %v %s", c, err, env.Data)
		}
	}
}

func TestWhatIsNoVerdictAboutAResponseBecomesNothing(t *testing.T) {
	for line, want := range map[string]error{
		`{"name":"gen_ai.evaluation.result","attributes":{"gen_ai.evaluation.score.label":"pass"}}`:                                          ErrNoResponse,
		`{"name":"gen_ai.evaluation.result","attributes":{"gen_ai.response.id":"r","error.type":"timeout"}}`:                                 ErrNotJudged,
		`{"name":"gen_ai.evaluation.result","attributes":{"gen_ai.response.id":"r"}}`:                                                        ErrNoVerdict,
		`{"attributes":{"event.name":"gen_ai.evaluation.result","gen_ai.evaluation.score.value":1,"gen_ai.response.id":"r"},"time":"never"}`: nil,
	} {
		list, err := ReadEvaluations([]byte(line))
		if err != nil || len(list) != 1 {
			t.Fatalf("%s: %v %v", line, err, list)
		}
		if _, err := list[0].Feedback(usual); !errors.Is(err, want) {
			t.Errorf("%s: %v", line, err)
		}
	}
	for _, line := range []string{`{"name":"chat","attributes":{}}`, `{}`, `{"resourceLogs":[]}`} {
		if list, err := ReadEvaluations([]byte(line)); err != nil || len(list) != 0 {
			t.Errorf("%s: %v %v", line, err, list)
		}
	}
	for _, line := range []string{`[]`, `{"secret"`, `"secret"`, `{"attributes":"secret"}`} {
		if _, err := ReadEvaluations([]byte(line)); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", line, err)
		}
	}
}

func FuzzReadEvaluations(f *testing.F) {
	for _, line := range judged {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		list, err := ReadEvaluations(line)
		if err != nil {
			return
		}
		for _, e := range list {
			env, err := e.Feedback(usual)
			if err != nil {
				continue
			}
			if _, err := EncodeStructured(env); err != nil {
				t.Errorf("%v: %s", err, line)
			}
		}
	})
}
