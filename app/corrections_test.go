package app_test

import (
	"strings"
	"testing"

	"learnloop.dev/kv"
)

// What people said about tasks goes into prompts; who and what it was about does not.
func TestUserCorrectionsAreRedacted(t *testing.T) {
	l, _ := start(t, t.TempDir(), "clock.ticks=false", "privacy.text_mode=full")
	l.report(t, "task.finished", "1", `{"task_id":"t-1","goal":"Send the invoices","status":"completed",
		"subtasks":[{"id":"send-invoices","model_used":"small-1","model_tier":1,"success":true}],
		"corrections":[{"tags":["mail","ada@planted-mail.example"],"instruction":"Always copy ada@planted-mail.example, never 4111 1111 1111 1111"}]}`)
	l.report(t, "task.corrected", "2", `{"task_id":"t-1","tags":"login","instruction":"Call +1 415-555-0132 first; password=Planted-Secret-77"}`)
	l.reflected(t, 3)
	var list struct {
		Total int `json:"total"`
	}
	if err := l.client.Call(t.Context(), "patterns.list", map[string]any{"type": "user_correction"}, &list); err != nil || list.Total != 3 {
		t.Errorf("%d patterns, %v", list.Total, err)
	}
	for _, key := range []string{kv.Key("task", "send-invoices"), kv.Key("goal", "invoices-send-the")} {
		context := l.contexts(t)[key]
		if !strings.Contains(context, "Always copy [EMAIL_1], never [") || !strings.Contains(context, "first; password=[SECRET_1]") {
			t.Errorf("%s: %s", key, context)
		}
	}
	l.nowhere(t, "planted-mail", "4111 1111", "555-0132", "Planted-Secret")
}
