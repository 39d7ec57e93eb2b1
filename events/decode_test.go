package events

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"learnloop.dev/schemas"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// hot is what is accepted without a schema.
var hot = []Spec{
	FeedbackFix, FeedbackResponse, FeedbackEngagement, FeedbackLearning,
	InjectionRecorded, TaskFinished, SampleCaptured, ExchangeRecorded,
}

// quick reports whether the typed reading and the kind's check accept data.
func quick(s Spec, data []byte) bool {
	p := s.NewPayload()
	c, ok := p.(checked)
	return ok && read(data, p) == nil && c.check(sent(data))
}

func TestEveryExampleIsAccepted(t *testing.T) {
	for s := range All() {
		for n, example := range schemaOf(t, s.Name()).Examples {
			if _, r := Decode(s, example); r.Refused() {
				t.Errorf("%s example %d: %v", s.Name(), n, r)
			}
			if v := Validate(s, example); v != nil {
				t.Errorf("%s example %d: %v", s.Name(), n, v)
			}
		}
	}
}

func TestExamplesOfHotKindsNeedNoSchema(t *testing.T) {
	for _, s := range hot {
		for n, example := range schemaOf(t, s.Name()).Examples {
			lacksFeedback := s == Spec(SampleCaptured) && !strings.Contains(string(example), `"feedback"`)
			if quick(s, example) == lacksFeedback {
				t.Errorf("%s example %d: accepted without the schema: %v", s.Name(), n, !lacksFeedback)
			}
		}
	}
}

const goodFix = `{"suggestion_id":"s","deviation_id":"d","rule_id":"r","category":"c","decision":"accepted","original_text":"a","suggested_text":"b"}`

// fixWith is a good decision with one more member, or another value of one.
func fixWith(name, value string) string {
	var members map[string]jsontext.Value
	if err := json.Unmarshal([]byte(goodFix), &members); err != nil {
		panic(err)
	}
	members[name] = jsontext.Value(value)
	data, err := json.Marshal(members, json.Deterministic(true))
	if err != nil {
		panic(err)
	}
	return string(data)
}

func TestRefusalsSayWhereAndWhatButNeverWhatWasSent(t *testing.T) {
	long := strings.Repeat("x", MaxString+1)
	deep := strings.Repeat("[", 100) + strings.Repeat("]", 100)
	for name, c := range map[string]struct {
		data, pointer, expected string
		reason                  Reason
	}{
		"nothing":            {``, "", "valid JSON", ReasonMalformed},
		"half":               {`{"rule_id":"secret`, "/rule_id", "valid JSON", ReasonMalformed},
		"two values":         {goodFix + `{}`, "", "valid JSON", ReasonMalformed},
		"not a number":       {`{"original_confidence":NaN}`, "/original_confidence", "valid JSON", ReasonMalformed},
		"a name twice":       {`{"rule_id":"secret","rule_id":"secret"}`, "/rule_id", "each name once", ReasonMalformed},
		"not UTF-8":          {"{\"secret\":\"\xff\"}", "/*", "UTF-8", ReasonMalformed},
		"an array":           {`["secret"]`, "", "object", ReasonSchema},
		"null":               {`null`, "", "object", ReasonSchema},
		"missing":            {strings.Replace(goodFix, `"original_text":"a",`, "", 1), "/original_text", "required", ReasonSchema},
		"a wrong choice":     {fixWith("decision", `"secret"`), "/decision", "accepted, rejected, modified, skipped", ReasonSchema},
		"another case":       {fixWith("Rule_ID", `"secret"`), "/*", "rule_id", ReasonSchema},
		"an unknown name":    {fixWith("secret", `1`), "/*", "one of the fields", ReasonSchema},
		"a product's own":    {fixWith("derived", `null`), "/*", "one of the fields", ReasonSchema},
		"a wrong type":       {fixWith("original_text", `["secret"]`), "/original_text", "string", ReasonSchema},
		"null for required":  {fixWith("original_text", `null`), "/original_text", "string", ReasonSchema},
		"an empty id":        {fixWith("rule_id", `""`), "/rule_id", "at least 1", ReasonSchema},
		"an empty user":      {fixWith("user_id", `""`), "/user_id", "at least 1", ReasonSchema},
		"a broken id":        {fixWith("rule_id", `4.5`), "/rule_id", "string", ReasonSchema},
		"an endless id":      {fixWith("rule_id", `1e999999999`), "/rule_id", "at most", ReasonSchema},
		"too sure":           {fixWith("original_confidence", `1.01`), "/original_confidence", "at most 1", ReasonSchema},
		"no time":            {fixWith("timestamp", `"secret"`), "/timestamp", "RFC 3339", ReasonSchema},
		"too much":           {fixWith("user_comment", `"`+strings.Repeat("x", MaxData)+`"`), "", "262144 bytes", ReasonTooLarge},
		"too long a text":    {fixWith("user_comment", `"`+long+`"`), "", "65536 bytes", ReasonTooLarge},
		"too deep":           {fixWith("user_comment", deep), "", "32 levels", ReasonTooDeep},
		"too deep and wrong": {strings.Repeat(`{"secret":`, 100), "", "32 levels", ReasonTooDeep},
	} {
		t.Run(name, func(t *testing.T) {
			p, r := Decode(FeedbackFix, []byte(c.data))
			if p != nil || r.Reason != c.reason {
				t.Fatalf("payload %v, reason %q, want %q", p, r.Reason, c.reason)
			}
			found := slices.ContainsFunc(r.Violations, func(v Violation) bool {
				return v.Pointer == c.pointer && strings.Contains(v.Expected, c.expected)
			})
			if !found {
				t.Errorf("%v names no %s at %q", r.Violations, c.expected, c.pointer)
			}
			for _, v := range r.Violations {
				if strings.Contains(v.Pointer+v.Expected, "secret") {
					t.Errorf("tells what was sent: %v", v)
				}
			}
			if got := Validate(FeedbackFix, []byte(c.data)); !slices.Equal(got, r.Violations) {
				t.Errorf("Validate says %v, Decode %v", got, r.Violations)
			}
		})
	}
}

func TestWhatIsUnusualButAllowedIsRead(t *testing.T) {
	for name, c := range map[string]struct {
		member, value string
		check         func(*FixFeedback) bool
	}{
		"an integer id":         {"rule_id", `42`, func(f *FixFeedback) bool { return f.RuleID == "42" }},
		"a whole number":        {"rule_id", `42.0`, func(f *FixFeedback) bool { return f.RuleID == "42" }},
		"an exponent":           {"rule_id", `1e3`, func(f *FixFeedback) bool { return f.RuleID == "1000" }},
		"minus zero":            {"rule_id", `-0`, func(f *FixFeedback) bool { return f.RuleID == "0" }},
		"a 64-bit id":           {"rule_id", `18446744073709551615`, func(f *FixFeedback) bool { return f.RuleID == "18446744073709551615" }},
		"a 5,000-byte id":       {"rule_id", `"` + strings.Repeat("r", 5000) + `"`, func(f *FixFeedback) bool { return len(f.RuleID) == 5000 }},
		"an id of wildcards":    {"rule_id", `"*.> \r\n"`, func(f *FixFeedback) bool { return f.RuleID == "*.> \r\n" }},
		"an empty original":     {"original_text", `""`, func(f *FixFeedback) bool { return f.OriginalText == "" }},
		"an empty suggestion":   {"suggested_text", `""`, func(f *FixFeedback) bool { return f.SuggestedText == "" }},
		"an empty final text":   {"final_text", `""`, func(f *FixFeedback) bool { return f.FinalText != nil && *f.FinalText == "" }},
		"no final text":         {"final_text", `null`, func(f *FixFeedback) bool { return f.FinalText == nil }},
		"no confidence":         {"original_confidence", `null`, func(f *FixFeedback) bool { return f.OriginalConfidence == nil }},
		"no comment":            {"user_comment", `null`, func(f *FixFeedback) bool { return f.UserComment == "" }},
		"no user":               {"user_id", `null`, func(f *FixFeedback) bool { return f.Person() == "" }},
		"the other user":        {"anonymized_user_id", `"u"`, func(f *FixFeedback) bool { return f.Person() == "u" }},
		"a time with an offset": {"timestamp", `"2026-01-02T03:04:05.678+09:00"`, func(f *FixFeedback) bool { return f.When().Unix() == 1767290645 }},
		"an escaped text":       {"original_text", `"\u0430\ud83d\ude00"`, func(f *FixFeedback) bool { return f.OriginalText == "а😀" }},
	} {
		t.Run(name, func(t *testing.T) {
			p, r := Decode(FeedbackFix, []byte(fixWith(c.member, c.value)))
			if r.Refused() {
				t.Fatal(r)
			}
			if !c.check(p.(*FixFeedback)) {
				t.Errorf("read %+v", p)
			}
		})
	}
}

func TestRequiredAndAbsentAreToldApart(t *testing.T) {
	for _, c := range []struct {
		spec Spec
		data string
		want string // pointer of the first violation, "" when accepted, "@" for the root
	}{
		{FeedbackLearning, `{"learning_id":"l","task_id":"t","helpful":false}`, ""},
		{FeedbackLearning, `{"learning_id":"l","task_id":"t"}`, "/helpful"},
		{FeedbackLearning, `{"learning_id":"l","task_id":"t","helpful":null}`, "/helpful"},
		{InjectionRecorded, `{"task_id":"t","outcome_id":"o","items":[]}`, ""},
		{InjectionRecorded, `{"task_id":"t","outcome_id":"o"}`, "/items"},
		{InjectionRecorded, `{"task_id":"t","outcome_id":"o","items":[{}]}`, "/items/0"},
		{InjectionRecorded, `{"task_id":"t","outcome_id":"o","items":[],"arm":""}`, "/arm"},
		{TaskFinished, `{"task_id":"t","goal":"","status":"failed","subtasks":[{"id":1,"success":null},{"id":1,"success":true}]}`, ""},
		{TaskFinished, `{"task_id":"t","goal":"g","status":"failed","subtasks":[{"id":1}]}`, "/subtasks/0/success"},
		{TaskFinished, `{"task_id":"t","goal":"g","status":"failed","subtasks":[{"id":1,"success":true,"duration_seconds":-1}]}`, "/subtasks/0/duration_seconds"},
		{TaskFinished, `{"task_id":"t","goal":"g","status":"failed","subtasks":[{"id":1,"success":true,"tokens_used":4111111111111111}]}`, "/subtasks/0/tokens_used"},
		{TaskFinished, `{"task_id":"t","status":"failed","subtasks":[]}`, "/goal"},
		{TaskFinished, `{"task_id":"t","goal":"g","status":"failed","subtasks":[],"corrections":[null]}`, "/corrections/0"},
		{FeedbackEngagement, `{"exchange_id":1,"session_id":"s","response_time_ms":-5}`, "/response_time_ms"},
		{FeedbackEngagement, `{"exchange_id":1,"session_id":"s","session_position":2.0,"user_message_length":1e2}`, ""},
		{ExchangeRecorded, `{"exchange_id":1,"session_id":"s","user_text":"","agent_text":"","corrections":["",{}]}`, ""},
		{ExchangeRecorded, `{"exchange_id":1,"session_id":"s","user_text":"","agent_text":"","corrections":[1]}`, "/corrections/0"},
		{ExchangeRecorded, `{"exchange_id":1,"session_id":"s","user_text":""}`, "/agent_text"},
		{TaskCorrected, `{"task_id":"t","tags":"","instruction":"i"}`, "/tags"},
		{TaskCorrected, `{"task_id":"t","tags":[],"instruction":"i"}`, "/tags"},
		{LearningCreated, fmt.Sprintf(`{"title":%q,"context":"","observation":"","implication":"","action":""}`, strings.Repeat("t", 101)), "/title"},
		{TemplateAdded, `{"name":"n","plan":[{"id":"a","color":"red"}]}`, ""},
		{TemplateAdded, `{"name":"n","plan":[{"description":"a"}]}`, "/plan/0/id"},
		{LearningSuperseded, `{"id":"l"}`, "@"},
	} {
		_, r := Decode(c.spec, []byte(c.data))
		switch {
		case c.want == "" && r.Refused():
			t.Errorf("%s %s: %v", c.spec.Name(), c.data, r)
		case c.want == "@" && (len(r.Violations) != 1 || r.Violations[0].Pointer != ""):
			t.Errorf("%s %s: %v", c.spec.Name(), c.data, r)
		case c.want != "" && c.want != "@" && (len(r.Violations) == 0 || r.Violations[0].Pointer != c.want):
			t.Errorf("%s %s: %v, want %s", c.spec.Name(), c.data, r, c.want)
		}
	}
}

func TestSamplesWithoutFeedbackAreJudgedByTheirMeta(t *testing.T) {
	sample := `{"sample_id":"s","sample_family":"f","created_at":"2026-01-01T00:00:00Z","input":{},"output":{}%s}`
	for _, c := range []struct {
		more string
		want SampleFeedback // zero when refused
	}{
		{`,"meta":{"human_feedback_label":"approved","quality_score":0.1}`, SampleFeedback{Source: ByUser, Type: Approval, QualityLabel: Good}},
		{`,"meta":{"human_feedback_label":"rejected"}`, SampleFeedback{Source: ByUser, Type: Rejection, QualityLabel: Poor}},
		{`,"meta":{"human_feedback_label":"pending","quality_score":0.7}`, SampleFeedback{Source: BySystem, Type: Score, QualityLabel: Good}},
		{`,"meta":{"quality_score":0.4},"feedback":null`, SampleFeedback{Source: BySystem, Type: Score, QualityLabel: Acceptable}},
		{`,"meta":{"quality_score":0.39,"human_feedback_label":7}`, SampleFeedback{Source: BySystem, Type: Score, QualityLabel: Poor}},
		{`,"feedback":{"source":"user","type":"score"},"meta":{"quality_score":0.9}`, SampleFeedback{Source: ByUser, Type: Score}},
		{`,"meta":{"quality_score":1.5}`, SampleFeedback{}},
		{`,"meta":{"human_feedback_label":"pending"}`, SampleFeedback{}},
		{`,"meta":null`, SampleFeedback{}},
		{``, SampleFeedback{}},
	} {
		p, r := Decode(SampleCaptured, fmt.Appendf(nil, sample, c.more))
		if c.want.Source == "" {
			if len(r.Violations) != 1 || r.Violations[0].Pointer != "/feedback" {
				t.Errorf("%s: %v, want a violation that names the feedback", c.more, r)
			}
			continue
		}
		if r.Refused() {
			t.Errorf("%s: %v", c.more, r)
		} else if diff := cmp.Diff(c.want, p.(*Sample).Feedback); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.more, diff)
		}
	}
}

func TestTwoHundredMistakesAreToldAsThirtyTwo(t *testing.T) {
	steps := strings.Repeat(`{"id":""},`, 200)
	_, r := Decode(TaskFinished, []byte(`{"task_id":"t","goal":"g","status":"failed","subtasks":[`+steps[:len(steps)-1]+`]}`))
	if len(r.Violations) != 32 {
		t.Errorf("%d violations", len(r.Violations))
	}
}

func TestTheProducerCanBeToldItsOwnNames(t *testing.T) {
	_, r := Decode(FeedbackFix, []byte(fixWith("colour/red", "1")))
	want := []Violation{{Pointer: "/*", Sent: "/colour~1red"}}
	r.Violations[0].Expected = ""
	if diff := cmp.Diff(want, r.Violations); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	data, err := json.Marshal(schemas.Violation{Sent: "/secret"})
	if err != nil || strings.Contains(string(data), "secret") {
		t.Errorf("a stored violation is %s, %v", data, err)
	}
}

func TestDataIsReadForRewritingWithoutBeingCompleted(t *testing.T) {
	p, err := Read(FeedbackFix, []byte(`{"rule_id":"r","original_text":"a"}`))
	if err != nil {
		t.Fatal(err)
	}
	if fix, ok := p.(*FixFeedback); !ok || fix.OriginalText != "a" || fix.Derived != nil {
		t.Errorf("read %+v", p)
	}
	if _, err := Read(ExchangeRecorded, []byte(`{"session_position":3.0}`)); err != nil {
		t.Errorf("a whole number with a point: %v", err)
	}
	_, err = Read(FeedbackFix, []byte(`{"secret_member":"secret text"}`))
	if err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("an unknown member: %v", err)
	}
}
