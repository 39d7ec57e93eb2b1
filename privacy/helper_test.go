package privacy

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// newTestGuard returns a guard with keys that every test shares.
func newTestGuard(tb testing.TB, s Settings) *Guard {
	tb.Helper()
	g, err := NewGuard(newTestKeys(tb), s)
	if err != nil {
		tb.Fatal(err)
	}
	return g
}

func newTestKeys(tb testing.TB) *Keys {
	tb.Helper()
	k, err := NewKeys([]byte("the master key of the tests, 32+ bytes"))
	if err != nil {
		tb.Fatal(err)
	}
	return k
}

// fixPayload and samplePayload stand for the payloads of events.
type fixPayload struct {
	FeedbackID         string `privacy:"id"`
	SuggestionID       string `privacy:"id"`
	RuleID             string `privacy:"id"`
	Category           string `privacy:"id"`
	Decision           string `privacy:"enum"`
	OriginalText       string
	SuggestedText      string
	FinalText          *string
	OriginalConfidence *float64
	Comment            string `privacy:"text"`
	UserID             string `privacy:"person"`
	Session            string `privacy:"session"`
	Unit               string `privacy:"unit"`
	Tags               []string
	Bulk               bool
}

type samplePayload struct {
	SampleID string         `privacy:"id"`
	Input    jsontext.Value `privacy:"open"`
	Meta     map[string]string
	Parts    []samplePart
}

type samplePart struct {
	Text string
	Next *samplePart
}
