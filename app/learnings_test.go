package app_test

import (
	"path/filepath"
	"testing"

	"github.com/go-json-experiment/json"
)

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
	taught := lines(t, filepath.Join("testdata", "taught.jsonl"))
	l.publish(t, taught)
	l.reflected(t, len(taught))
	if got := l.learning(t, "learn_a"); got.Confidence != 0.55 || got.TimesHelpful != 1 {
		t.Errorf("%+v", got)
	}
	if got := l.learning(t, "learnings"); got.Title != "B" { // called like rows of the model
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
