package app_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/learn"
	"learnloop.dev/learn/rules"
	"learnloop.dev/privacy"

	"github.com/go-json-experiment/json/jsontext"
)

// effects show for each setting of privacy, by name, that it does something: seen
// tells what can be seen of it, and must not be the same before and after it is set.
var effects = map[string]struct {
	to   string // JSON
	seen func(t *testing.T, a *agent, try string) string
}{
	"enabled":                      {`false`, declinedOf(fixType, fix("r"))},
	"enable_explicit_feedback":     {`false`, declinedOf(responseType, `{"exchange_id":"x","feedback_type":"copy","user_id":"anna"}`)},
	"enable_implicit_tracking":     {`false`, declinedOf("dev.learnloop.feedback.engagement.v1", `{"exchange_id":"x","session_id":"s","user_id":"anna"}`)},
	"enable_personalization":       {`false`, personalContext},
	"enable_quality_scoring":       {`false`, keptOf(exchangeType, asked, `"unscored":true`)},
	"anonymize_users":              {`false`, keptOf(fixType, fix("r", `"rule_id"`, `"user_id":"anna","rule_id"`), `"user_id":"anna"`)},
	"anonymize_pii":                {`false`, keptOf(fixType, fix("r", `"rule_id"`, `"user_comment":"ask jane@example.org","rule_id"`), "jane@example.org")},
	"confirmed":                    {`true`, unconfirmed},
	"text_mode":                    {`"full"`, keptOf(fixType, fix("r", `"was done"`, `"the work was done"`, `"did"`, `"the work did"`), "the work was")},
	"opt_out_patterns":             {`["*.zap"]`, keptOf(fixType, fix("r", `"rule_id"`, `"user_comment":`+quoted(zapped)+`,"rule_id"`), "planted")},
	"store_raw_feedback_text":      {`true`, keptOf(responseType, praise, "well said")},
	"alias_window":                 {`"0"`, formerName},
	"participate_in_team_learning": {`false`, shared},
	"team_threshold":               {`2`, shared},
}

const (
	zapped = "see\n--- a/my.zap\n+++ b/my.zap\n@@ -1 +1 @@\n-x\n+planted\n"
	asked  = `{"exchange_id":"x","session_id":"s","user_id":"anna","user_text":"why?","agent_text":"because it is"}`
	praise = `{"exchange_id":"x","feedback_type":"copy","feedback_text":"well said","user_id":"anna"}`
)

// notHere are the settings whose effect is not to be seen here, and why.
var notHere = map[string]string{
	"max_data_age":          "retention: shown where records expire",
	"max_records":           "retention: shown where records expire",
	"custom_retention_days": "overrides the days per kind: see privacy.Settings.Keeps and its test; records expire elsewhere",
	"retention_days":        "retention: shown where records expire",
	"aggregate_after_days":  "conversations: see TestConversationsAreSummedUpAndWhatIsKnownStays",
}

func TestEverySettingOfPrivacyDoesSomething(t *testing.T) {
	settings := reflect.TypeFor[privacy.Settings]()
	named := map[string]bool{}
	for field := range settings.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		named[name] = true
		effect, here := effects[name]
		if _, there := notHere[name]; here == there {
			t.Errorf("%s: shown here %v, explained %v; want one of them", name, here, there)
		}
		if here {
			t.Run(name, func(t *testing.T) { takesEffect(t, name, effect.to, effect.seen) })
		}
	}
	for name := range effects {
		if !named[name] {
			t.Errorf("there is no setting %s", name)
		}
	}
	for name := range notHere {
		if !named[name] {
			t.Errorf("there is no setting %s", name)
		}
	}
}

// takesEffect sees what there is to see, changes a setting, and sees again.
func takesEffect(t *testing.T, name, to string, seen func(*testing.T, *agent, string) string) {
	t.Helper()
	a := meet(t, t.TempDir())
	before := seen(t, a, "before")
	patch := map[string]any{name: jsontext.Value(to)}
	if name == "anonymize_pii" {
		patch["confirmed"] = true
	}
	if name == "confirmed" {
		patch["anonymize_pii"] = false
	}
	if _, err := a.govern(t.Context(), patch); err != nil {
		t.Fatal(err)
	}
	if after := seen(t, a, "after"); after == before {
		t.Errorf("%s: %s, before and after", name, after)
	}
}

// declinedOf sees whether an event is declined.
func declinedOf(ceType, data string) func(*testing.T, *agent, string) string {
	return func(t *testing.T, a *agent, try string) string {
		t.Helper()
		got := a.post(t, structured(event(try, ceType, data)))
		if got.Accepted != 1 {
			t.Fatalf("%+v", got)
		}
		return fmt.Sprint("declined: ", got.Declined)
	}
}

// keptOf sees whether a text of an event stands in the log.
func keptOf(ceType, data, text string) func(*testing.T, *agent, string) string {
	return func(t *testing.T, a *agent, try string) string {
		t.Helper()
		if got := a.post(t, structured(event(try, ceType, data))); got.Accepted != 1 || len(got.Declined) > 0 {
			t.Fatalf("%+v", got)
		}
		kind := strings.TrimSuffix(strings.TrimPrefix(ceType, "dev.learnloop."), ".v1")
		m, err := bus.LastMsg(t.Context(), a.living.js, "LEARN_EVENTS", "learn.ev.*."+kind)
		if err != nil || !strings.Contains(string(m.Data), `"id":"`+try+`"`) {
			t.Fatalf("%v: %s", err, m.Data)
		}
		return fmt.Sprint("kept: ", strings.Contains(string(m.Data), text))
	}
}

func personalContext(t *testing.T, a *agent, try string) string {
	t.Helper()
	bucket, err := a.living.js.KeyValue(t.Context(), learn.Contexts)
	if err == nil {
		_, err = bucket.Put(t.Context(), "user."+a.keyOf(t, "anna"), []byte(`{"kind":"user","prompt":"Be brief."}`))
	}
	var c struct {
		Prompt string `json:"prompt"`
	}
	for end := time.Now().Add(patience); err == nil; { // the loop sees what somebody else put a little later
		err = a.client.Call(t.Context(), "contexts.get", map[string]any{"user": "anna"}, &c)
		if c.Prompt != "" || try != "before" || time.Now().After(end) {
			break
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return "prompt: " + c.Prompt
}

func unconfirmed(t *testing.T, a *agent, _ string) string {
	t.Helper()
	_, err := a.govern(t.Context(), map[string]any{"anonymize_pii": false})
	return fmt.Sprint("switched off: ", err == nil)
}

func formerName(t *testing.T, a *agent, _ string) string {
	t.Helper()
	old := a.keyOf(t, "anna")
	if _, err := a.rotate(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint("found by the former name: ", a.keyOf(t, old) == a.keyOf(t, "anna"))
}

// shared sees what may leave of feedback of three people.
func shared(t *testing.T, a *agent, _ string) string {
	t.Helper()
	for _, person := range []string{"anna", "bob", "eve"} {
		a.post(t, owned(person, person))
	}
	a.reflected(t, 3)
	var s rules.Share
	if err := a.client.Call(t.Context(), "rules.share", nil, &s); err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%d rules with %+v", len(s.Rules), s.Decisions)
}

func TestWhoDoesNotTakePartIsNotInWhatIsShared(t *testing.T) {
	a := meet(t, t.TempDir(), "privacy.team_threshold=3")
	if got := shared(t, a, ""); !strings.HasPrefix(got, "1 rules") {
		t.Fatal(got)
	}
	a.optOut(t, map[string]any{"user": "eve", "team_only": true})
	if got := shared(t, a, ""); !strings.HasPrefix(got, "0 rules") {
		t.Errorf("with one who does not take part: %s", got)
	}
	if status, body := a.ask(t, "GET /api/share", message{}); status != 401 {
		t.Errorf("a stranger gets %d %s", status, body)
	}
	if got := a.total(t); got != 3 {
		t.Errorf("own statistics count %d", got)
	}
}
