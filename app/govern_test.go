package app_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"learnloop.dev/api"
	"learnloop.dev/bus"
	"learnloop.dev/privacy"

	"github.com/go-json-experiment/json"
)

// govern changes settings as an operator and returns those in force.
func (l *living) govern(ctx context.Context, patch map[string]any) (s privacy.Settings, err error) {
	err = l.client.Call(ctx, "privacy.set", patch, &s)
	return s, err
}

// owned is feedback of a person.
func owned(id, user string) message {
	return structured(event(id, fixType, strings.Replace(fix("r"), `{`, `{"user_id":`+quoted(user)+`,`, 1)))
}

func TestTheNextEventMeetsWhatWasSet(t *testing.T) {
	a := meet(t, t.TempDir())
	for i := range 10 {
		on := i%2 == 1
		if _, err := a.govern(t.Context(), map[string]any{"enabled": on}); err != nil {
			t.Fatal(err)
		}
		if got := a.post(t, owned(fmt.Sprint(i), "anna")); got.Accepted != 1 || len(got.Declined) > 0 == on {
			t.Fatalf("enabled %v: %+v", on, got)
		}
	}
	a.reflected(t, 5)
	if got := a.total(t); got != 5 {
		t.Errorf("%d events count", got)
	}
}

func TestOperatorsAtOneTimeDoNotOverwriteEachOther(t *testing.T) {
	a := meet(t, t.TempDir())
	const each, operators = 5, 4
	var work sync.WaitGroup
	for who := range operators {
		work.Go(func() {
			for n := 0; n < each; {
				err := a.increase(t.Context(), fmt.Sprint("operator ", who))
				p, ok := errors.AsType[*api.Problem](err)
				switch {
				case err == nil:
					n++
				case !ok || p.Code != api.Outdated:
					t.Error(err)
					return
				}
			}
		})
	}
	work.Wait()
	var now privacy.Settings
	if err := a.client.Call(t.Context(), "privacy.get", nil, &now); err != nil || now.MaxRecords != each*operators {
		t.Errorf("max_records is %d after %d increases: %v", now.MaxRecords, each*operators, err)
	}
	a.stored(t, "privacy", fmt.Sprintf(`"max_records":%d,`, each*operators))
	var h api.History
	if err := a.client.Call(t.Context(), "privacy.history", map[string]any{"group": "privacy"}, &h); err != nil {
		t.Fatal(err)
	}
	for i, c := range h.Changes[:len(h.Changes)-1] { // the last is the start
		d := c.Changed["max_records"]
		if want := fmt.Sprint(each*operators - i); string(d.To) != want || !strings.HasPrefix(c.Actor, "operator ") || len(c.Changed) != 1 {
			t.Errorf("change %d: %+v", i, c)
		}
	}
	if len(h.Changes) != each*operators+1 {
		t.Errorf("history has %d changes", len(h.Changes))
	}
}

// increase adds one to a setting, unless somebody changed the settings meanwhile.
func (l *living) increase(ctx context.Context, actor string) error {
	m, err := l.nc.RequestWithContext(ctx, "learn.svc.privacy.get", nil)
	if err != nil {
		return err
	}
	var now privacy.Settings
	if err := json.Unmarshal(m.Data, &now); err != nil {
		return err
	}
	_, err = l.govern(ctx, map[string]any{"max_records": now.MaxRecords + 1, "if_match": m.Header.Get("ETag"), "actor": actor})
	return err
}

func TestWhatWasSetSurvivesAKillAtOnce(t *testing.T) {
	dir := t.TempDir()
	for i := range 3 {
		d := spawn(t, dir)
		want := privacy.Age(i+1) * privacy.Day
		if _, err := d.govern(t.Context(), map[string]any{"alias_window": i + 1}); err != nil {
			t.Fatal(err)
		}
		d.kill()
		d = spawn(t, dir)
		var now privacy.Settings
		if err := d.client.Call(t.Context(), "privacy.get", nil, &now); err != nil || now.AliasWindow != want {
			t.Fatalf("after the kill: %v, %v; want %v", now.AliasWindow, err, want)
		}
		d.kill()
	}
}

func TestWhoOptsOutIsDeclinedAndCountedUntilTheyComeBack(t *testing.T) {
	dir := t.TempDir()
	a := meet(t, dir)
	if got := a.post(t, owned("before", "anna")); got.Accepted != 1 || len(got.Declined) > 0 {
		t.Fatalf("%+v", got)
	}
	a.optOut(t, map[string]any{"user": "anna"})
	a.declines(t, "1")
	a.publish(t, batch(event("2", fixType, strings.Replace(fix("r"), `{`, `{"user_id":"anna",`, 1)), event("3", fixType, fix("r"))))
	a.drained(t)
	a.reflected(t, 2)
	if got := a.total(t); got != 2 {
		t.Errorf("%d events count, want the one from before and that of nobody", got)
	}
	if _, metrics := a.ask(t, "GET /metrics", message{}); !strings.Contains(string(metrics), `stage="ingest",why="opt_out"} 1`) ||
		!strings.Contains(string(metrics), `stage="http",why="opt_out"} 2`) {
		t.Error("the declined are not counted")
	}
	a.stop()
	b := meet(t, dir)
	b.declines(t, "4")
	b.optOut(t, map[string]any{"user": "anna", "undo": true})
	if got := b.post(t, owned("5", "anna")); len(got.Declined) > 0 {
		t.Errorf("who came back is declined: %+v", got)
	}
	if strings.Contains(b.log.read(), "anna") {
		t.Error("the log names her")
	}
}

func (l *living) optOut(t *testing.T, args map[string]any) {
	t.Helper()
	if err := l.client.Call(t.Context(), "privacy.opt-out", args, nil); err != nil {
		t.Fatal(err)
	}
}

// declines checks that feedback of anna is declined, also what counted before.
func (a *agent) declines(t *testing.T, id string) {
	t.Helper()
	if got := a.post(t, owned(id, "anna")); got.Declined["opt_out"] != 1 {
		t.Errorf("anna: %+v", got)
	}
	if got := a.post(t, owned("before", "anna")); got.Declined["opt_out"] != 1 {
		t.Errorf("anna again: %+v", got)
	}
}

func TestProtectionThatIsOffIsWarnedAboutAtTheStart(t *testing.T) {
	dir := t.TempDir()
	a := meet(t, dir)
	if strings.Contains(a.log.read(), "is off") {
		t.Errorf("nothing is off: %s", a.log.read())
	}
	a.stop()
	b := meet(t, dir, "privacy.anonymize_pii=false", "privacy.confirmed=true", "privacy.anonymize_users=false", "privacy.store_raw_feedback_text=true")
	b.stop()
	c := meet(t, dir) // nothing is given: it is so still
	for _, says := range []string{"anonymize_pii is off", "anonymize_users is off", "store_raw_feedback_text is on"} {
		for _, a := range []*agent{b, c} {
			if !strings.Contains(a.log.read(), says) {
				t.Errorf("nobody says that %s", says)
			}
		}
	}
}

func TestSettingsOfOthersAreProtectedAndOursAreNot(t *testing.T) {
	a := meet(t, t.TempDir())
	a.set(t, "mine jane@example.org", `{"ask":"jane@example.org"}`)
	a.set(t, "privacy", `{"opt_out_patterns":["/home/jane/**"]}`)
	a.stored(t, "privacy", "/home/jane/**")
	a.drained(t) // the other one may come later
	if strings.Contains(a.settingsLog(t), "jane@example.org") {
		t.Error("the address stands in the log")
	}
}

// settingsLog is all that the log says about settings.
func (a *agent) settingsLog(t *testing.T) string {
	t.Helper()
	facts, err := bus.FactsFrom(t.Context(), a.living.js, "learn.ev.0.control.settings.changed", 1)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, f := range facts {
		all.Write(f.Data)
	}
	if !strings.Contains(all.String(), "EMAIL_1") {
		t.Errorf("nothing was protected: %s", all.String())
	}
	return all.String()
}
