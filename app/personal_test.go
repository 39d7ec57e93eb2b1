package app_test

import (
	"context"
	"strings"
	"testing"
	"time"

	middleware "learnloop.dev/agent"
	"learnloop.dev/api"
	"learnloop.dev/kv"
)

const basePrompt = "You help Ada."

// tutor is an agent of Ada's with the middleware around its generator.
type tutor struct {
	*living
	contexts *kv.Reader
}

// prompt is what the generator gets.
func (u *tutor) prompt(t *testing.T) string {
	t.Helper()
	m := middleware.New(middleware.Options{Contexts: u.contexts, Patience: time.Minute, Key: func(ctx context.Context, user string) (string, error) {
		return kv.KeyOfUser(ctx, u.nc, user)
	}})
	defer m.Close()
	return m.Before(t.Context(), middleware.Turn{UserID: "ada", Base: basePrompt}).Prompt
}

// becomes waits until the prompt says what it has to: the base when that is nothing.
func (u *tutor) becomes(t *testing.T, says string) {
	t.Helper()
	done := func() bool {
		got := u.prompt(t)
		return got == basePrompt == (says == "") && strings.Contains(got, says)
	}
	changes := u.contexts.Changes(t.Context(), "user.")
	if done() {
		return
	}
	for range changes {
		if done() {
			return
		}
	}
}

func TestAnAgentFollowsWhatAPersonLikesUntilThatIsSwitchedOffOrDeleted(t *testing.T) {
	l, _ := start(t, t.TempDir(), "clock.ticks=false")
	contexts, err := kv.NewReader(t.Context(), l.nc, kv.ReaderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(contexts.Close)
	u := &tutor{l, contexts}
	if got := u.prompt(t); got != basePrompt {
		t.Errorf("before anything is known: %q", got)
	}
	l.publish(t, [][]byte{exchange("x1", 59, "How do maps grow in Go?", "Maps in Go grow by doubling their buckets.")})
	l.reflected(t, 1)
	set := map[string]any{"user": "ada", "preference_type": "style", "preference_key": "length_preference", "preference_value": 0.1}
	l.call(t, "preferences.correct", set)
	u.becomes(t, "concise")

	former := l.keyOf(t, "ada")
	if _, err := l.rotate(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	u.becomes(t, "concise")
	if now := l.keyOf(t, "ada"); now == former {
		t.Errorf("still shown as %s", now)
	}

	if _, err := l.govern(t.Context(), map[string]any{"enable_personalization": false}); err != nil {
		t.Fatal(err)
	}
	u.becomes(t, "")
	if got := l.tuned(t); got.Prompt != basePrompt || got.Personalized {
		t.Errorf("switched off: %+v", got)
	}
	if _, err := l.govern(t.Context(), map[string]any{"enable_personalization": true}); err != nil {
		t.Fatal(err)
	}
	u.becomes(t, "concise")
	if got := l.tuned(t); !got.Personalized || len(got.Changes) != 1 {
		t.Errorf("switched on: %+v", got)
	}

	l.call(t, "preferences.delete", map[string]any{"user": "ada"})
	u.becomes(t, "")
}

func (l *living) tuned(t *testing.T) (out api.TunedPrompt) {
	t.Helper()
	if err := l.client.Call(t.Context(), "prompt", map[string]any{"user": "ada", "base": basePrompt}, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestAnArmSaysHowStronglyAPersonsPreferencesAct(t *testing.T) {
	l, _ := start(t, t.TempDir(), "clock.ticks=false")
	l.publish(t, [][]byte{exchange("x1", 59, "How do maps grow in Go?", "Maps in Go grow by doubling their buckets.")})
	l.reflected(t, 1)
	l.call(t, "preferences.correct", map[string]any{"user": "ada", "preference_type": "style", "preference_key": "length_preference", "preference_value": 0.1})
	off := map[string]any{"length_weight": 0}
	l.call(t, "experiments.create", map[string]any{"name": "length", "is_active": true, "treatment_percentage": 50,
		"control_config": off, "treatment_config": off})
	for unit, want := range map[string]bool{"": true, "session": false} {
		var out api.TunedPrompt
		if err := l.client.Call(t.Context(), "prompt", map[string]any{"user": "ada", "base": basePrompt, "unit_id": unit}, &out); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(out.Prompt, "concise"); got != want || len(out.Experiments) > 0 == want {
			t.Errorf("unit %q: %+v", unit, out)
		}
	}
	l.call(t, "experiments.stop", map[string]any{"name": "length"})
	var out api.TunedPrompt
	if err := l.client.Call(t.Context(), "prompt", map[string]any{"user": "ada", "base": basePrompt, "unit_id": "session"}, &out); err != nil {
		t.Fatal(err)
	}
	if len(out.Experiments) > 0 {
		t.Errorf("stopped: %+v", out)
	}
}
