package privacy

import (
	"fmt"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Settings says what may be captured, how it is protected and how long it stays.
type Settings struct {
	Enabled                   bool      `json:"enabled"`
	AnonymizeUsers            bool      `json:"anonymize_users"`              // false stores ids as given
	AnonymizePII              bool      `json:"anonymize_pii"`                // false stores text and identifiers unredacted
	Confirmed                 bool      `json:"confirmed,omitzero"`           // that somebody means anonymize_pii false
	AliasWindow               Age       `json:"alias_window"`                 // how long former pseudonyms find people; 0 does not
	TextMode                  Mode      `json:"text_mode"`                    // what is kept of the texts of a fix
	ParticipateInTeamLearning bool      `json:"participate_in_team_learning"` // counts towards what leaves the installation
	TeamThreshold             int       `json:"team_threshold"`               // the fewest people behind anything that leaves
	MaxDataAge                Age       `json:"max_data_age"`                 // 0 keeps for ever
	MaxRecords                int       `json:"max_records"`                  // fix feedback in all; 0 is no cap
	OptOutPatterns            []string  `json:"opt_out_patterns"`             // globs on file names and paths
	EnableExplicitFeedback    bool      `json:"enable_explicit_feedback"`
	EnableImplicitTracking    bool      `json:"enable_implicit_tracking"`
	EnablePersonalization     bool      `json:"enable_personalization"`
	EnableQualityScoring      bool      `json:"enable_quality_scoring"`
	StoreRawFeedbackText      bool      `json:"store_raw_feedback_text"` // the text of feedback.response
	CustomRetentionDays       int       `json:"custom_retention_days"`   // overrides every kind below; 0 does not
	RetentionDays             Retention `json:"retention_days"`
	AggregateAfterDays        int       `json:"aggregate_after_days"` // then only daily aggregates of a conversation remain
}

// Retention is how many days each kind of conversation data stays; 0 keeps it.
type Retention struct {
	FeedbackExplicit int `json:"feedback_explicit"`
	FeedbackImplicit int `json:"feedback_implicit"`
	QualityScores    int `json:"quality_scores"`
	LearningMetrics  int `json:"learning_metrics"`
	ABTests          int `json:"ab_tests"` // counted from the end of the experiment
	UserPreferences  int `json:"user_preferences"`
}

// Defaults returns the settings of a new installation.
func Defaults() Settings {
	return Settings{
		Enabled:                   true,
		AnonymizeUsers:            true,
		AnonymizePII:              true,
		AliasWindow:               30 * Day,
		TextMode:                  Pattern,
		ParticipateInTeamLearning: true,
		TeamThreshold:             5,
		MaxDataAge:                365 * Day,
		OptOutPatterns: []string{"*.secret", "*.secrets", "*.env", ".env*", "*.pem", "*.key", "*.p12", "*.pfx",
			"id_rsa*", "id_ed25519*", "*.tfstate", "*.tfstate.*", "*.kdbx", ".netrc", ".npmrc", ".pypirc"},
		EnableExplicitFeedback: true,
		EnableImplicitTracking: true,
		EnablePersonalization:  true,
		EnableQualityScoring:   true,
		RetentionDays: Retention{FeedbackExplicit: 90, FeedbackImplicit: 90,
			QualityScores: 180, LearningMetrics: 365, ABTests: 180},
		AggregateAfterDays: 30,
	}
}

// StoreOriginalText reports whether redacted text is kept in full; it is the source document's name for that mode.
func (s Settings) StoreOriginalText() bool { return s.TextMode == Full }

// Keeps returns the retention in force, with the override applied.
func (s Settings) Keeps() Retention {
	if d := s.CustomRetentionDays; d > 0 {
		return Retention{FeedbackExplicit: d, FeedbackImplicit: d, QualityScores: d,
			LearningMetrics: d, ABTests: d, UserPreferences: d}
	}
	return s.RetentionDays
}

// Misfit is a setting that cannot be used, and what could be.
type Misfit struct { //nolint:errname // the setting does not fit
	Setting string // with dots: "retention_days.ab_tests"
	Want    string
}

// Error never quotes the value.
func (m *Misfit) Error() string { return fmt.Sprintf("validate %s: want %s", m.Setting, m.Want) }

// fewestPeople is the least team_threshold: behind less than two people stands one.
const fewestPeople = 2

// Validate returns the first setting that cannot be used, as a [*Misfit].
func (s Settings) Validate() error {
	if !s.TextMode.valid() {
		return &Misfit{"text_mode", "strict, pattern or full"}
	}
	if !s.AnonymizePII && !s.Confirmed {
		return &Misfit{"anonymize_pii", "true; or false with confirmed true beside it: what people write is then stored unredacted"}
	}
	if s.TeamThreshold < fewestPeople {
		return &Misfit{"team_threshold", fmt.Sprintf("a number of people from %d on", fewestPeople)}
	}
	for i, p := range s.OptOutPatterns {
		if p == "" || !doublestar.ValidatePattern(p) {
			return &Misfit{fmt.Sprintf("opt_out_patterns.%d", i), "a glob on a file name or path, such as *.env"}
		}
	}
	return s.validateNumbers()
}

func (s Settings) validateNumbers() error {
	r := s.RetentionDays
	for _, n := range []struct {
		name  string
		value int
	}{
		{"max_data_age", int(s.MaxDataAge)}, {"max_records", s.MaxRecords}, {"alias_window", int(s.AliasWindow)},
		{"custom_retention_days", s.CustomRetentionDays}, {"aggregate_after_days", s.AggregateAfterDays},
		{"retention_days.feedback_explicit", r.FeedbackExplicit}, {"retention_days.feedback_implicit", r.FeedbackImplicit},
		{"retention_days.quality_scores", r.QualityScores}, {"retention_days.learning_metrics", r.LearningMetrics},
		{"retention_days.ab_tests", r.ABTests}, {"retention_days.user_preferences", r.UserPreferences},
	} {
		if n.value < 0 {
			return &Misfit{n.name, "nothing below zero"}
		}
	}
	return nil
}

// plain has the fields of Settings without its methods.
type plain Settings

// wire is Settings with the alias store_original_text.
type wire struct {
	plain
	Alias *bool `json:"store_original_text"`
}

// MarshalJSONTo writes every setting, and store_original_text beside text_mode.
func (s Settings) MarshalJSONTo(enc *jsontext.Encoder) error {
	full := s.StoreOriginalText()
	return json.MarshalEncode(enc, wire{plain: plain(s), Alias: &full})
}

// UnmarshalJSONFrom changes only the settings that are named; unknown names are errors, and of the two
// names of a text mode the one that differs from the present mode wins.
func (s *Settings) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	next := wire{plain: plain(*s)}
	if err := json.UnmarshalDecode(dec, &next, json.RejectUnknownMembers(true)); err != nil {
		return err
	}
	named := next.TextMode != s.TextMode
	switch alias := next.Alias; {
	case alias == nil || *alias == (next.TextMode == Full):
	case named && *alias == s.StoreOriginalText(): // a stored value came along unchanged
	case *alias:
		next.TextMode = Full
	default:
		next.TextMode = Pattern
	}
	*s = Settings(next.plain)
	s.Confirmed = s.Confirmed && !s.AnonymizePII // for once: switching it off again is confirmed again
	return nil
}
