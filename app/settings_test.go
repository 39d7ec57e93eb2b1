package app_test

import (
	"context"
	"strings"
	"testing"

	"learnloop.dev/app"
	"learnloop.dev/learn"

	"github.com/nats-io/nats.go/jetstream"
)

func TestStoredSettingsThatCannotBeUsedAreToldAndReplacedByWhatIsGiven(t *testing.T) {
	for group, c := range map[string]struct{ broken, given, stays string }{
		"privacy":     {`{"text_mode":"everything","max_records":7}`, "privacy.text_mode=full", `"max_records":0`},
		"entitlement": {`[]`, "entitlement.tier=enterprise", `"learning_loop":true`},
	} {
		t.Run(group, func(t *testing.T) {
			dir := t.TempDir()
			a := meet(t, dir)
			a.stored(t, group, "{")
			values, err := a.living.js.KeyValue(t.Context(), learn.Settings)
			if err == nil {
				_, err = values.Put(t.Context(), group, []byte(c.broken))
			}
			if err != nil {
				t.Fatal(err)
			}
			a.stop()
			fails(t, app.Everything, "stored settings "+group, "data="+dir)
			b := meet(t, dir, c.given)
			_, value, _ := strings.Cut(c.given, "=")
			if after := b.stored(t, group, value); !strings.Contains(after, c.stays) {
				t.Errorf("stored: %s\nwant what was given and the defaults", after)
			}
			b.stop()
			meet(t, dir)
		})
	}
}

// stored waits until the bucket holds a group of settings with the text in it.
func (a *agent) stored(t *testing.T, group, text string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	values, err := a.living.js.KeyValue(ctx, learn.Settings)
	if err != nil {
		t.Fatal(err)
	}
	watch, err := values.Watch(ctx, group, jetstream.IgnoreDeletes())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = watch.Stop() }()
	for {
		select {
		case e := <-watch.Updates():
			if e != nil && strings.Contains(string(e.Value()), text) {
				return string(e.Value())
			}
		case <-ctx.Done():
			t.Fatalf("%s never held %s", group, text)
		}
	}
}
