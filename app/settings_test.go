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
			a.reflected(t, 0) // each partition has the settings written again
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

func TestAGroupOfSettingsIsReplacedWholeNowAndAfterARestart(t *testing.T) {
	dir := t.TempDir()
	a := meet(t, dir)
	a.log.await(t, func() bool { return a.log.applied() == 2 }) // the defaults of both groups, told at the first start
	a.sets(t, "1", "privacy", `{"enabled":false}`)
	if got := a.post(t, structured(event("1", fixType, fix("r")))); got.Declined["opt_out"] != 1 {
		t.Fatalf("capture goes on: %+v", got)
	}
	a.sets(t, "2", "privacy", `{"text_mode":"full"}`) // says nothing of enabled: it is as by default
	if got := a.post(t, structured(event("2", fixType, fix("r")))); got.Accepted != 1 || len(got.Declined) > 0 {
		t.Errorf("while it runs: %+v", got)
	}
	a.stop()
	b := meet(t, dir)
	if got := b.post(t, structured(event("3", fixType, fix("r")))); got.Accepted != 1 || len(got.Declined) > 0 {
		t.Errorf("after a restart: %+v", got)
	}
}

// sets changes a group of settings as an operator and waits until it is in force.
func (a *agent) sets(t *testing.T, id, group, value string) {
	t.Helper()
	before := a.log.applied()
	change := structured(event("settings-"+id, "dev.learnloop.control.settings.changed.v1", `{"key":"`+group+`","value":`+value+`}`))
	change.header["Authorization"] = "Bearer " + a.token(t)
	if got := a.post(t, change); got.Accepted != 1 {
		t.Fatalf("%+v", got)
	}
	a.log.await(t, func() bool { return a.log.applied() > before })
}
