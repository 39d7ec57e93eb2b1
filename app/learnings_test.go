package app_test

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

// taught are events about two learnings, one of which has an ordinary name.
const taught = `{"specversion":"1.0","id":"v","source":"/t","time":"2026-01-02T05:04:05Z","type":"dev.learnloop.feedback.learning.v1","data":{"learning_id":"learn_a","task_id":"t1","helpful":true,"user_id":"u-4711"}}
{"specversion":"1.0","id":"1","source":"/t","time":"2026-01-02T03:04:05Z","type":"dev.learnloop.learning.created.v1","data":{"id":"learn_a","title":"A","context":"c","observation":"o","implication":"i","action":"a"}}
{"specversion":"1.0","id":"2","source":"/t","time":"2026-01-02T03:04:05Z","type":"dev.learnloop.learning.created.v1","data":{"id":"learnings","title":"B","context":"c","observation":"o","implication":"i","action":"a"}}
{"specversion":"1.0","id":"3","source":"/t","time":"2026-01-02T04:04:05Z","type":"dev.learnloop.injection.recorded.v1","data":{"task_id":"t1","outcome_id":"o","items":[{"learning_id":"learn_a"}]}}
{"specversion":"1.0","id":"4","source":"/t","time":"2026-01-02T06:04:05Z","type":"dev.learnloop.task.output.v1","data":{"task_id":"t1","output":"LEARNING_NOT_HELPFUL: learn_b"}}`

// learning reads one learning.
func (l *living) learning(t *testing.T, id string) (entry struct {
	Confidence   float64 `json:"confidence"`
	TimesHelpful int     `json:"times_helpful"`
	Title        string  `json:"title"`
}) {
	t.Helper()
	if err := l.client.Call(t.Context(), "learnings.get", map[string]string{"id": id}, &entry); err != nil {
		t.Fatal(err)
	}
	return entry
}

func TestForgettingAVoterTakesTheVoteBack(t *testing.T) {
	l, _ := start(t, t.TempDir(), "clock.ticks=false")
	events := strings.Split(taught, "\n")
	var lines [][]byte
	for _, e := range events {
		lines = append(lines, []byte(e))
	}
	l.publish(t, lines)
	l.reflected(t, len(lines))
	if got := l.learning(t, "learn_a"); got.Confidence != 0.55 || got.TimesHelpful != 1 {
		t.Errorf("%+v", got)
	}
	if got := l.learning(t, "learnings"); got.Title != "B" {
		t.Errorf("%+v", got)
	}
	var asked struct {
		Confirm struct {
			Token string `json:"token"`
		} `json:"confirm"`
	}
	if err := l.client.Call(t.Context(), "forget", map[string]string{"user": "u-4711"}, &asked); err != nil {
		t.Fatal(err)
	}
	var done map[string]any
	err := l.client.Call(t.Context(), "forget", map[string]string{"user": "u-4711", "confirm": asked.Confirm.Token}, &done)
	if err != nil {
		t.Fatal(err)
	}
	if got := l.learning(t, "learn_a"); got.Confidence != 0.5 || got.TimesHelpful != 0 {
		report, _ := json.Marshal(done)
		t.Errorf("%+v after %s", got, report)
	}
}
