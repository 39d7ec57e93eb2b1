package ingest

import (
	"slices"
	"strings"
	"testing"

	"learnloop.dev/events"
	"learnloop.dev/privacy"
)

// talking is one event of each kind that a switch of source document 003 concerns.
var talking = []struct {
	kind events.Kind
	data string
}{
	{events.ExchangeRecorded.Kind, talked},
	{events.FeedbackResponse.Kind, `{"exchange_id":"x","user_id":"anna","feedback_type":"copy","feedback_text":"okapi"}`},
	{events.FeedbackEngagement.Kind, `{"exchange_id":"x","session_id":"s","user_id":"anna","follow_up_type":"end"}`},
}

// traits is what may be seen in stored facts, by what a switch names.
var traits = map[string]string{
	"the exchange":     `"type":"dev.learnloop.exchange.recorded.v1"`,
	"the sign":         `"feedback_type":"copy"`,
	"the deed":         `"follow_up_type":"end"`,
	"relevance":        `"relevance":`,
	"clarity":          `"clarity":`,
	"topics":           `"topics":`,
	"language":         `"language":`,
	"the answer":       `"code_blocks":1`,
	"the sketch":       `"sketch":`,
	"the sign's text":  `okapi`,
	"unscored things":  `"unscored":true`,
	"impersonal ones":  `"impersonal":true`,
	"untracked ones":   `"untracked":true`,
	"barred reactions": `"derived":`,
}

func TestEachSwitchStopsExactlyWhatItNamesFromTheNextEventOn(t *testing.T) {
	usual := []string{"the exchange", "the sign", "the deed", "relevance", "clarity", "topics", "language", "the answer", "the sketch"}
	for name, c := range map[string]struct {
		turn  func(*privacy.Settings)
		stops []string
		adds  []string
	}{
		"none":                     {func(*privacy.Settings) {}, nil, nil},
		"enabled":                  {func(s *privacy.Settings) { s.Enabled = false }, usual, nil},
		"enable_explicit_feedback": {func(s *privacy.Settings) { s.EnableExplicitFeedback = false }, []string{"the sign"}, nil},
		"enable_implicit_tracking": {
			func(s *privacy.Settings) { s.EnableImplicitTracking = false },
			[]string{"the deed", "the sketch"}, []string{"untracked ones"},
		},
		"enable_quality_scoring": {
			func(s *privacy.Settings) { s.EnableQualityScoring = false },
			[]string{"relevance", "clarity"}, []string{"unscored things", "barred reactions"},
		},
		"enable_personalization": {
			func(s *privacy.Settings) { s.EnablePersonalization = false },
			[]string{"topics", "language", "the answer"}, []string{"impersonal ones", "barred reactions"},
		},
		"store_raw_feedback_text": {func(s *privacy.Settings) { s.StoreRawFeedbackText = true }, nil, []string{"the sign's text"}},
	} {
		t.Run(name, func(t *testing.T) {
			policy := defaults()
			g := gate(t, policy)
			g.Policy = func() *Policy { return &policy }
			sees(t, g, usual)
			next := policy
			c.turn(&next.Privacy)
			g.Policy = func() *Policy { return &next }
			sees(t, g, append(slices.DeleteFunc(slices.Clone(usual), func(s string) bool { return slices.Contains(c.stops, s) }), c.adds...))
			g.Policy = func() *Policy { return &policy }
			sees(t, g, usual)
		})
	}
}

// sees has a conversation come in, and tells what of it is stored.
func sees(t *testing.T, g *Gate, want []string) {
	t.Helper()
	var stored strings.Builder
	for _, c := range talking {
		env := envelope("e", c.data)
		env.Kind = c.kind
		v, err := g.Admit("learn.in."+string(c.kind), env)
		if err != nil || v.Refusal.Refused() {
			t.Fatalf("%s: %v %+v", c.kind, err, v)
		}
		for _, m := range v.Messages {
			stored.Write(m.Data)
		}
	}
	for name, text := range traits {
		if is := strings.Contains(stored.String(), text); is != slices.Contains(want, name) {
			t.Errorf("%s: stored %v, in %s", name, is, stored.String())
		}
	}
}
