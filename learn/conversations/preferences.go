package conversations

// schemaUser names the shape of the context of a person.
const schemaUser = "dev.learnloop.context.user.v1"

// Preferences is what generators are told about a person: how answers are liked, what
// about, and what goes wrong. Numbers are 0..1 unless said otherwise, rounded so that
// they stand still under noise.
type Preferences struct {
	Kind   string `json:"kind"` // "user"
	ID     string `json:"id"`   // pseudonym
	Schema string `json:"schema"`
	Prompt string `json:"prompt"` // empty up to a confidence of 0.3
	// Advice is what the prompt says, one line each: who tunes a prompt of their own picks.
	Advice []Advice `json:"advice"`

	// Confidence is that of the style: the exchanges it was learned from, of fifty.
	Confidence float64 `json:"confidence"`
	SampleSize int64   `json:"sample_size"` // exchanges with a quality score

	Style         Style          `json:"style"`
	Topics        []Topic        `json:"topics"` // the best first
	ErrorPatterns []ErrorPattern `json:"error_patterns"`
	TimeOfDay     *TimeOfDay     `json:"time_of_day"` // null with less than ten exchanges
	Anomalies     []Anomaly      `json:"anomalies"`
	GoodAnswers   []GoodAnswer   `json:"good_answers"` // the best first, of a confidence above 0.3
	// Corrected names what the person set or deleted by hand: "style/length_preference".
	Corrected []string `json:"corrected"`
	Evidence  Evidence `json:"evidence"`
}

// Style is how a person likes answers to be written (003, StylePreferences).
type Style struct {
	LengthPreference   float64 `json:"length_preference"`   // 0 concise, 1 detailed
	DepthPreference    float64 `json:"depth_preference"`    // 0 simple, 1 advanced
	PreferredFormat    string  `json:"preferred_format"`    // balanced, lists, prose
	ExamplesPreference float64 `json:"examples_preference"` // 0 none, 1 many
	Confidence         float64 `json:"confidence"`
	SampleSize         int64   `json:"sample_size"`

	Length   Trait `json:"length"`
	Depth    Trait `json:"depth"`
	Format   Trait `json:"format"` // 0 prose, 1 lists
	Examples Trait `json:"examples"`
}

// Trait is one dimension of style.
type Trait struct {
	Value      float64 `json:"value"` // 0.5 says nothing
	Confidence float64 `json:"confidence"`
	SampleSize int64   `json:"sample_size"`
	// Typical is what answers that were liked measure: words of the length, thousandths
	// of demanding words of the depth, lines in lists of the format, examples. Null
	// while too little is known.
	Typical   *float64 `json:"typical"`
	Corrected bool     `json:"corrected"` // set by the person
}

// Topic is how much a person engages with a topic.
type Topic struct {
	Topic string `json:"topic"`
	// Affinity is the mean engagement, shrunk to the person's mean: small samples say little.
	Affinity float64 `json:"affinity"`
	Shown    float64 `json:"shown"` // from the least affinity, 0, to the greatest, 1: for display (003)
	Samples  int64   `json:"samples"`
	// Trend is the affinity of the last thirty days minus that before; null without both.
	Trend     *float64 `json:"trend"`
	High      bool     `json:"high_affinity"` // among the best fifth
	Corrected bool     `json:"corrected"`
}

// The types of error patterns (003, ErrorPattern).
const (
	PatternClarification = "clarification"
	PatternRegeneration  = "regeneration"
	PatternNegative      = "negative_cluster"
	PatternCorrection    = "correction"
)

// ErrorPattern is what goes wrong again and again.
type ErrorPattern struct {
	Type        string   `json:"pattern_type"`
	Topic       string   `json:"topic"` // empty: whatever it is about
	Description string   `json:"description"`
	Frequency   int64    `json:"frequency"`
	Examples    []string `json:"examples"` // exchange ids, the newest first, five at most
	Fix         string   `json:"suggested_fix"`
}

// TimeOfDay is when a person asks, by hours of UTC.
type TimeOfDay struct {
	Peak   []int64 `json:"peak_hours"` // the three hours with most exchanges, by hour
	Counts []int64 `json:"counts"`     // of the hours 0 to 23
	// SessionMinutes is the mean time between the first and the last exchange of a session.
	SessionMinutes float64 `json:"session_minutes"`
}

// Anomaly is a day that is unlike the others.
type Anomaly struct {
	Day      string  `json:"day"`    // YYYY-MM-DD
	Metric   string  `json:"metric"` // "quality", "exchanges"
	Value    float64 `json:"value"`
	Expected float64 `json:"expected"`
}

// GoodAnswer points to an answer that went well; its text is not kept.
type GoodAnswer struct {
	ExchangeID string   `json:"exchange_id"`
	Score      float64  `json:"score"`
	Topics     []string `json:"topics"`
}

// Evidence is what the context of a person rests on.
type Evidence struct {
	First     string `json:"first"` // day, YYYY-MM-DD
	Last      string `json:"last"`
	Exchanges int64  `json:"exchanges"`
	Sessions  int64  `json:"sessions"`
	Explicit  int64  `json:"explicit_feedback"`
	Implicit  int64  `json:"implicit_feedback"`
	// Quality is the mean score, null when nothing is scored.
	Quality *float64 `json:"quality"`
}
