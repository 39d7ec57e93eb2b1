package app_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"learnloop.dev/api"
	"learnloop.dev/bus"
)

// life is what some people do, a while ago: everything that names a person.
func life(people ...string) (events []string) {
	for i := range 60 {
		who := people[i%len(people)]
		events = append(events, past(fmt.Sprint("fix", i), fixType, fix(fmt.Sprint("rule", i%4),
			`"accepted"`, []string{`"accepted"`, `"rejected"`, `"modified"`}[i%5%3],
			`"style"`, `"style","user_comment":"no `+who+`","user_id":"`+who+`"`)))
	}
	for _, who := range people {
		x := "x" + who[:1]
		user := `"user_id":"` + who + `"`
		events = append(events,
			past("e"+who, exchangeType, `{"exchange_id":"`+x+`","session_id":"s","user_text":"a","agent_text":"b",`+user+`}`),
			past("r"+who, responseType, `{"exchange_id":"`+x+`","feedback_type":"copy"}`),
			past("v"+who, "dev.learnloop.feedback.learning.v1", `{"learning_id":"l","task_id":"`+x+`","helpful":true,`+user+`}`),
			past("t"+who, "dev.learnloop.task.corrected.v1", `{"task_id":"`+x+`","tags":["a"],"instruction":"do",`+user+`}`),
			past("u"+who, "dev.learnloop.experiment.exposed.v1", `{"experiment":"y","unit_id":"`+who+`"}`))
	}
	return events
}

// past is an event of some time ago.
func past(id, ceType, data string) string {
	return strings.Replace(event(id, ceType, data), `"data"`, `"time":"2026-01-02T03:04:05Z","data"`, 1)
}

// facts is how many facts the events of a life become.
func factsOf(events []string) (fixes int) {
	for _, e := range events {
		if strings.Contains(e, fixType) {
			fixes++
		}
	}
	return fixes
}

// without leaves out events in which a text stands.
func without(events []string, text string) []string {
	return slices.DeleteFunc(slices.Clone(events), func(e string) bool { return strings.Contains(e, text) })
}

// known is what another loop with the same keys knows after some events.
func known(t *testing.T, dir string, events []string) map[string]string {
	t.Helper()
	other := t.TempDir()
	for _, name := range []string{"master.key", "pseudonyms.key"} {
		key, err := os.ReadFile(filepath.Join(dir, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(other, name), key, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	a := meet(t, other)
	defer a.stop()
	if len(events) > 0 {
		a.hear(t, events)
	}
	return a.contexts(t)
}

// hear takes events in through both doors and waits for the contexts.
func (a *agent) hear(t *testing.T, events []string) {
	t.Helper()
	a.publish(t, batch(events[:len(events)/2]...))
	a.drained(t)
	a.post(t, batch(events[len(events)/2:]...))
	a.reflected(t, factsOf(events))
}

// ordered gives an order and confirms it.
func ordered[Out any](t *testing.T, l *living, name string, args map[string]any) (out Out) {
	t.Helper()
	var first struct {
		Confirm api.Pledge `json:"confirm"`
	}
	if err := l.client.Call(t.Context(), name, args, &first); err != nil {
		t.Fatal(err)
	}
	args["confirm"] = first.Confirm.Token
	if err := l.client.Call(t.Context(), name, args, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// forgotten has a person forgotten and checks the proof.
func (l *living) forgotten(t *testing.T, user string) api.Forgetting {
	t.Helper()
	f := ordered[api.Forgetting](t, l, "forget", map[string]any{"user": user})
	for deadline := time.Now().Add(patience); f.Report == nil && time.Now().Before(deadline); { // a busy machine takes longer than a request waits
		if err := l.client.Call(t.Context(), "forget.get", map[string]any{"id": f.ID}, &f); err != nil {
			t.Fatal(err)
		}
	}
	if f.Report == nil || f.Report.Scan.Found != 0 || f.Report.Scan.Messages == 0 || f.Report.Scan.Keys == 0 {
		t.Fatalf("%+v, report %+v", f, f.Report)
	}
	return f
}

// pseudonyms are the people of the statistics, who have decided most first.
func (l *living) pseudonyms(t *testing.T) (names []string) {
	t.Helper()
	feedback, _ := l.statistics(t)["fix_feedback"].(map[string]any)
	by, _ := feedback["by_user"].(map[string]any)
	for name := range by {
		names = append(names, name)
	}
	return names
}

// everyMessage reads every message of every stream and bucket, decrypted.
func (l *living) everyMessage(t *testing.T, visit func(stream, subject, text string)) (read int) {
	t.Helper()
	names, err := bus.Streams(t.Context(), l.js)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		err := bus.Comb(t.Context(), l.js, name, func(e bus.Entry) error {
			read++
			var text strings.Builder
			for name, values := range e.Header {
				text.WriteString(name + ": " + strings.Join(values, " ") + "\n")
			}
			visit(name, e.Subject, text.String()+string(e.Data))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return read
}

// nowhere checks that none of some texts is in any stream or bucket.
func (l *living) nowhere(t *testing.T, texts ...string) {
	t.Helper()
	l.everyMessage(t, func(stream, subject, text string) {
		for _, planted := range texts {
			if strings.Contains(subject+"\n"+text, planted) {
				t.Errorf("%s is in %s %s: %s", planted, stream, subject, text)
			}
		}
	})
}

func TestAForgottenPersonIsNowhereAndStaysForgotten(t *testing.T) {
	dir := t.TempDir()
	people := life("ben-4711", "ann-4711", "eve-4711", "ann-4711")
	a := meet(t, dir)
	a.hear(t, people)
	before := a.pseudonyms(t)
	found := 0
	a.everyMessage(t, func(_, subject, text string) { found += strings.Count(subject+text, a.Stored("ann-4711")) })
	if found == 0 {
		t.Fatal("nobody is stored under the name that is looked for")
	}
	f := a.forgotten(t, "ann-4711")
	if f.Counts["feedback.fix"] != 30 || f.Counts["experiment.exposed"] != 1 || f.Counts["feedback.response"] == 0 {
		t.Errorf("removed %v", f.Counts)
	}
	after := a.pseudonyms(t)
	var gone []string
	for _, name := range before {
		if !strings.Contains(strings.Join(after, " "), name) {
			gone = append(gone, name)
		}
	}
	if len(before) != 3 || len(after) != 2 || len(gone) != 1 {
		t.Fatalf("people before %v, after %v", before, after)
	}
	stored := a.Stored("ann-4711")
	a.nowhere(t, stored, "ann-4711")
	left := a.contexts(t)
	differ(t, "forgetting leaves something else than never having known", left, known(t, dir, without(people, "ann-4711")))
	a.hear(t, life("ann-4711")) // what is sent again of before
	differ(t, "after the same was sent again", a.contexts(t), left)
	a.nowhere(t, stored)
	if again := a.forgotten(t, "ann-4711"); again.Records != 0 {
		t.Errorf("forgetting twice removed %v", again.Counts)
	}
	differ(t, "after forgetting twice", a.contexts(t), left)
	a.forgetContexts(t)
	b := a.foldedAnew(t, left)
	b.nowhere(t, stored)
}

// foldedAnew is the loop after a fresh fold of what is left of its log, which has to
// come to the same contexts.
func (a *agent) foldedAnew(t *testing.T, want map[string]string) *agent {
	t.Helper()
	a.stop()
	if err := os.RemoveAll(filepath.Join(a.data, "state")); err != nil {
		t.Fatal(err)
	}
	b := meet(t, a.data)
	b.reflected(t, 0)
	differ(t, "after a fresh fold of what is left of the log", b.contexts(t), want)
	return b
}

func TestWhatIsClearedWasNeverThereAndDoesNotComeBack(t *testing.T) {
	people := life("ben-4711", "ann-4711")
	for name, c := range map[string]struct {
		args map[string]any
		left []string
	}{
		"a rule":   {map[string]any{"rules": []string{"rule1"}}, without(people, `"rule1"`)},
		"a kind":   {map[string]any{"kind": "feedback.fix"}, without(people, fixType)},
		"a period": {map[string]any{"from": "2026-01-02T00:00:00Z", "to": "2026-01-03T00:00:00Z"}, nil},
		"all":      {map[string]any{"all": true}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			a := meet(t, dir)
			a.hear(t, people)
			if c := ordered[api.Clearing](t, a.living, "clear", c.args); !c.Cleared || c.Records == 0 {
				t.Fatalf("%+v", c)
			}
			want := known(t, dir, c.left)
			differ(t, "after clearing", a.contexts(t), want)
			a.emptied(t, factsOf(people)-factsOf(c.left))
			a.forgetContexts(t)
			b := a.foldedAnew(t, want)
			b.hear(t, people) // at a person's wish: what is sent again later counts
			differ(t, "after it was sent again", b.contexts(t), known(t, dir, people))
		})
	}
}

// emptied waits until so many facts of feedback have left the log.
func (l *living) emptied(t *testing.T, gone int) {
	t.Helper()
	for deadline := time.Now().Add(patience); ; {
		stream, err := l.js.Stream(t.Context(), "LEARN_EVENTS")
		if err != nil {
			t.Fatal(err)
		}
		state := stream.CachedInfo().State
		if state.NumDeleted+int(state.FirstSeq)-1 >= gone {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d entries have left the log, want %d", state.NumDeleted+int(state.FirstSeq)-1, gone)
		}
	}
}

func TestATokenConfirmsExactlyItsRequestOnce(t *testing.T) {
	a := meet(t, t.TempDir())
	a.hear(t, life("ann-4711"))
	ask := func(args map[string]any) (c api.Clearing, err error) {
		err = a.client.Call(t.Context(), "clear", args, &c)
		return c, err
	}
	first, err := ask(map[string]any{"rules": []string{"rule1"}})
	if err != nil || first.Cleared || first.Records != 15 || first.Confirm == nil {
		t.Fatalf("%v %+v", err, first)
	}
	token := first.Confirm.Token
	for name, args := range map[string]map[string]any{
		"another request": {"rules": []string{"rule2"}, "confirm": token},
		"another token":   {"rules": []string{"rule1"}, "confirm": "AAAA"},
	} {
		if got, err := ask(args); err == nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if got, err := ask(map[string]any{"rules": []string{"rule1"}, "confirm": token}); err != nil || !got.Cleared || got.Records != 15 {
		t.Fatalf("%v %+v", err, got)
	}
	if got, err := ask(map[string]any{"rules": []string{"rule1"}, "confirm": token}); err == nil {
		t.Errorf("the second time: %+v", got)
	}
	if got := a.total(t); got != 45 {
		t.Errorf("%d are left", got)
	}
}

func TestWhatIsTooOldOrTooMuchGoes(t *testing.T) {
	dir := t.TempDir()
	a := meet(t, dir)
	a.hear(t, life("ann-4711"))
	a.stop()
	b := meet(t, dir, "privacy.max_records=10")
	b.log.await(t, func() bool { return strings.Contains(b.log.read(), "deleted oldest feedback records to enforce limit") })
	b.reflected(t, 0)
	if got := b.total(t); got != 10 {
		t.Errorf("%d are left, want 10", got)
	}
	left := b.contexts(t)
	b.stop()
	if err := os.RemoveAll(filepath.Join(dir, "state")); err != nil {
		t.Fatal(err)
	}
	c := meet(t, dir)
	c.reflected(t, 0)
	differ(t, "after a fresh fold", c.contexts(t), left)
	c.stop()
	d := meet(t, dir, "privacy.max_data_age=1s")
	d.log.await(t, func() bool { return strings.Contains(d.log.read(), "deleted feedback records older than cutoff") })
	d.reflected(t, 0)
	if got := d.contexts(t); len(got) > 0 {
		t.Errorf("contexts are left: %v", got)
	}
}

func TestErasingOverHTTPNeedsTheAdminToken(t *testing.T) {
	a := meet(t, t.TempDir())
	a.hear(t, life("ann-4711"))
	token, err := os.ReadFile(filepath.Join(a.data, "admin.token"))
	if err != nil {
		t.Fatal(err)
	}
	post := func(path, body string, authorised bool) (int, string) {
		m := message{map[string]string{"Content-Type": "application/json"}, body}
		if authorised {
			m.header["Authorization"] = "Bearer " + strings.TrimSpace(string(token))
		}
		status, data := a.ask(t, "POST "+path, m)
		return status, string(data)
	}
	for _, call := range [][3]string{
		{"/api/clear", `{"all":true}`, "confirm"},
		{"/api/forget", `{"user":"ann-4711"}`, "confirm"},
		{"/api/clear", `{"clearAll":true}`, "confirmationToken"}, // as source document 000 calls it
		{"/api/clear", `{"ruleIds":["r"],"period":{"start":"2000-01-01T00:00:00Z"}}`, "confirmationToken"},
	} {
		path, body := call[0], call[1]
		if status, _ := post(path, body, false); status != 401 {
			t.Errorf("%s without the token: %d", path, status)
		}
		status, said := post(path, body, true)
		var first struct {
			Records int        `json:"records"`
			Confirm api.Pledge `json:"confirm"`
		}
		decode(t, []byte(said), &first)
		if status != 200 || first.Records == 0 {
			t.Errorf("%s: %d %s", path, status, said)
		}
		confirmed := strings.TrimSuffix(body, "}") + `,"` + call[2] + `":"` + first.Confirm.Token + `"}`
		if status, said := post(path, confirmed, true); status != 200 || !strings.Contains(said, `"cleared":true`) {
			t.Errorf("%s, confirmed: %d %s", path, status, said)
		}
		a.hear(t, []string{event("more "+path, fixType, fix("r", `"s1"`, `"s1","user_id":"ann-4711"`))})
	}
	if status, said := post("/api/clear", `{"from":"2000-01-01T00:00:00Z","period":{}}`, true); status != 422 {
		t.Errorf("two periods: %d %s", status, said)
	}
	if status, said := post("/api/clear", `{"all":true,"nonsense":1}`, true); status != 422 {
		t.Errorf("an unknown argument: %d %s", status, said)
	}
	if status, said := post("/api/clear", `{}`, true); status != 422 {
		t.Errorf("no argument: %d %s", status, said)
	}
}

func TestAPersonIsForgottenByTheNameThatIsShown(t *testing.T) {
	a := meet(t, t.TempDir())
	a.hear(t, life("ann-4711"))
	if f := a.forgotten(t, a.pseudonyms(t)[0]); f.Counts["feedback.fix"] != 60 || len(a.contexts(t)) != 0 {
		t.Errorf("removed %v", f.Counts)
	}
	a.nowhere(t, a.Stored("ann-4711"))
}
