package app_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"learnloop.dev/learn/conversations"
)

func TestAnAnswerIsScoredWhenSomebodyReactsAndAgainWhenMoreIsKnown(t *testing.T) {
	l, _ := start(t, t.TempDir(), "clock.ticks=false")
	l.publish(t, [][]byte{exchange("x1", 59, "How do maps grow in Go?", "Maps in Go grow by doubling their buckets.")})
	l.reflected(t, 1)
	first := l.exchange(t, "x1")
	if first.Explicit != nil || first.Quality == nil || first.Quality.Helpfulness != nil {
		t.Errorf("before anybody reacted: %+v", first)
	}
	var taken struct {
		Success bool   `json:"success"`
		ID      string `json:"feedback_id"`
	}
	for _, sign := range []string{"thumbs_down", "thumbs_up"} {
		if err := l.client.Call(t.Context(), "feedback.add", map[string]any{"exchange_id": "x1", "feedback_type": sign}, &taken); err != nil {
			t.Fatal(err)
		}
		if !taken.Success || taken.ID == "" {
			t.Errorf("answered %+v", taken)
		}
	}
	l.reflected(t, 3)
	then := l.exchange(t, "x1")
	if then.Explicit == nil || then.Explicit.FeedbackType != "thumbs_up" || len(then.Signs) != 2 {
		t.Errorf("the last sign counts, both are kept: %+v", then)
	}
	if got := then.Quality.Confidence - first.Quality.Confidence; got < 0.2499 || got > 0.2501 {
		t.Errorf("confidence rose by %v, want the weight of helpfulness", got)
	}
	var stats struct {
		Total    int64    `json:"total_feedback"`
		Positive *float64 `json:"positive_rate"`
		Trend    *float64 `json:"recent_trend"`
	}
	if err := l.client.Call(t.Context(), "feedback.stats", map[string]any{}, &stats); err != nil {
		t.Fatal(err)
	}
	if stats.Total != 2 || stats.Positive == nil || *stats.Positive != 0.5 || stats.Trend == nil || *stats.Trend != 0 {
		t.Errorf("statistics %+v", stats)
	}
}

func TestWhatAPersonSetsAndDeletesChangesTheNextContext(t *testing.T) {
	l, _ := start(t, t.TempDir(), "clock.ticks=false")
	var log [][]byte
	for i := range 20 {
		id, answer, sign := fmt.Sprint("x", i), "Short and clear.", "thumbs_up"
		if i%2 == 0 {
			answer, sign = strings.Repeat("This goes on for a long while. ", 40), "thumbs_down"
		}
		log = append(log, exchange(id, i, "What about maps?", answer),
			[]byte(event("f"+id, responseType, `{"exchange_id":"`+id+`","user_id":"ada","feedback_type":"`+sign+`"}`)))
	}
	l.publish(t, log)
	l.reflected(t, len(log))
	learned := l.preferences(t)
	if learned.Style.LengthPreference >= 0.3 || !strings.Contains(learned.Prompt, "concise") {
		t.Errorf("likes short answers: %+v %q", learned.Style, learned.Prompt)
	}
	l.call(t, "preferences.correct", map[string]any{"user": "ada", "preference_type": "style", "preference_key": "length_preference", "preference_value": 0.9})
	if p := l.preferences(t); p.Style.LengthPreference != 0.9 || !strings.Contains(p.Prompt, "thorough") {
		t.Errorf("said otherwise: %+v %q", p.Style, p.Prompt)
	}
	l.call(t, "preferences.delete", map[string]any{"user": "ada"})
	if p := l.preferences(t); p.Prompt != "" || p.SampleSize != 0 {
		t.Errorf("after deleting: %+v", p)
	}
}

func TestWhatAPersonSaysCountsWithoutEvidence(t *testing.T) {
	l, _ := start(t, t.TempDir(), "clock.ticks=false")
	short := map[string]any{"user": "ada", "preference_type": "style", "preference_key": "length_preference", "preference_value": 0.1}
	for _, state := range []string{"before anything was heard", "after all was deleted"} {
		l.call(t, "preferences.correct", short)
		if p := l.preferences(t); p.Style.LengthPreference != 0.1 || !strings.Contains(p.Prompt, "concise") || p.Evidence.First != "" {
			t.Errorf("%s: %+v", state, p)
		}
		l.call(t, "preferences.delete", map[string]any{"user": "ada"})
		if people := l.contexts(t); len(people) != 0 {
			t.Errorf("%s: left after deleting: %v", state, people)
		}
	}
}

func TestContextsOfPeopleMoveWithTheirNames(t *testing.T) {
	dir := t.TempDir()
	l, stop := start(t, dir, "clock.ticks=false")
	l.publish(t, [][]byte{exchange("x1", 59, "How?", "So.")})
	l.reflected(t, 1)
	before := l.preferences(t)
	if _, err := l.rotate(t.Context(), map[string]any{"window": "0"}); err != nil {
		t.Fatal(err)
	}
	after, people := l.preferences(t), l.contexts(t)
	if after.ID == before.ID || after.Evidence.Exchanges != before.Evidence.Exchanges || len(people) != 1 ||
		!strings.Contains(people["user."+after.ID], after.ID) {
		t.Errorf("%s became %s: %v", before.ID, after.ID, people)
	}
	l.publish(t, [][]byte{exchange("x2", 60, "And then?", "So.")})
	l.reflected(t, 2)
	stop()
	again, _ := start(t, dir, "clock.ticks=false")
	if people := again.contexts(t); len(people) != 1 || again.preferences(t).Evidence.Exchanges != 2 {
		t.Errorf("after a restart: %v", people)
	}
}

func TestAnAnswerIsFoundByAnIdInWhichSomethingHadToBeHidden(t *testing.T) {
	l, _ := start(t, t.TempDir(), "clock.ticks=false")
	l.publish(t, [][]byte{exchange("x of jane.roe@example.com", 0, "How?", "So.")})
	l.reflected(t, 1)
	if x := l.exchange(t, "x of jane.roe@example.com"); !x.Recorded || strings.Contains(x.ExchangeID, "jane") {
		t.Errorf("%+v", x)
	}
}

// exchange is an event of ada's, so many minutes after others.
func exchange(id string, minutes int, question, answer string) []byte {
	at := time.Now().Add(-time.Hour + time.Duration(minutes)*time.Minute).UTC().Format(time.RFC3339Nano)
	return []byte(event(id, exchangeType, fmt.Sprintf(
		`{"exchange_id":%q,"session_id":"s","user_id":"ada","user_text":%q,"agent_text":%q,"timestamp":%q}`, id, question, answer, at)))
}

func (l *living) exchange(t *testing.T, id string) (x conversations.Exchange) {
	t.Helper()
	if err := l.client.Call(t.Context(), "feedback.exchange", map[string]any{"id": id}, &x); err != nil {
		t.Fatal(err)
	}
	return x
}

func (l *living) preferences(t *testing.T) (p conversations.Preferences) {
	t.Helper()
	if err := l.client.Call(t.Context(), "preferences.get", map[string]any{"user": "ada"}, &p); err != nil {
		t.Fatal(err)
	}
	return p
}

func (l *living) call(t *testing.T, operation string, args map[string]any) {
	t.Helper()
	var out any
	if err := l.client.Call(t.Context(), operation, args, &out); err != nil {
		t.Fatal(err)
	}
}
