package privacy

import (
	"reflect"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

func TestDefaultSettingsAreValidAndDocumented(t *testing.T) {
	s := Defaults()
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(s, json.Deterministic(true))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"enabled":true`, `"anonymize_users":true`, `"anonymize_pii":true`, `"text_mode":"pattern"`,
		`"store_original_text":false`, `"participate_in_team_learning":true`, `"max_data_age":"365d"`, `"max_records":0`,
		`"opt_out_patterns":["*.secret"`, `"store_raw_feedback_text":false`, `"custom_retention_days":0`, `"aggregate_after_days":30`,
		`"feedback_explicit":90`, `"feedback_implicit":90`, `"quality_scores":180`, `"learning_metrics":365`, `"ab_tests":180`,
		`"user_preferences":0`, `"enable_explicit_feedback":true`, `"enable_implicit_tracking":true`, `"enable_personalization":true`,
		`"enable_quality_scoring":true`} {
		if !strings.Contains(string(got), want) {
			t.Errorf("%s is missing in %s", want, got)
		}
	}
	var back Settings
	if err := json.Unmarshal(got, &back); err != nil || !reflect.DeepEqual(back, s) {
		t.Errorf("read back %+v: %v", back, err)
	}
}

func TestSettingsChangeOnlyWhereNamed(t *testing.T) {
	for patch, want := range map[string]func(*Settings){
		`{"max_records":5}`:                                  func(s *Settings) { s.MaxRecords = 5 },
		`{"max_data_age":"36h"}`:                             func(s *Settings) { s.MaxDataAge = 36 * Day / 24 },
		`{"max_data_age":"90"}`:                              func(s *Settings) { s.MaxDataAge = 90 * Day },
		`{"opt_out_patterns":["*.x"]}`:                       func(s *Settings) { s.OptOutPatterns = []string{"*.x"} },
		`{"retention_days":{"ab_tests":7}}`:                  func(s *Settings) { s.RetentionDays.ABTests = 7 },
		`{"store_original_text":true}`:                       func(s *Settings) { s.TextMode = Full },
		`{"store_original_text":false}`:                      func(*Settings) {},
		`{"text_mode":"strict","store_original_text":false}`: func(s *Settings) { s.TextMode = Strict },
		`{"text_mode":"full","store_original_text":false}`:   func(s *Settings) { s.TextMode = Full },
	} {
		got, expected := Defaults(), Defaults()
		want(&expected)
		if err := json.Unmarshal([]byte(patch), &got); err != nil || !reflect.DeepEqual(got, expected) {
			t.Errorf("%s: %v\n got %+v\nwant %+v", patch, err, got, expected)
		}
	}
}

func TestLeavingFullModeUnderEitherName(t *testing.T) {
	for _, patch := range []string{`{"store_original_text":false}`, `{"text_mode":"pattern"}`,
		`{"text_mode":"pattern","store_original_text":true}`} {
		s := Defaults()
		s.TextMode = Full
		if err := json.Unmarshal([]byte(patch), &s); err != nil || s.TextMode != Pattern {
			t.Errorf("%s: mode %s, %v", patch, s.TextMode, err)
		}
	}
}

func TestUnusableSettingsAreRefusedByName(t *testing.T) {
	for _, patch := range []string{`{"text_mode":"none"}`, `{"opt_out_patterns":["["]}`, `{"opt_out_patterns":[""]}`,
		`{"max_records":-1}`, `{"retention_days":{"ab_tests":-1}}`, `{"unknown_setting":1}`, `{"max_data_age":"soon"}`} {
		s := Defaults()
		err := json.Unmarshal([]byte(patch), &s)
		if err == nil {
			err = s.Validate()
		}
		name := strings.FieldsFunc(patch, func(r rune) bool { return strings.ContainsRune(`{}":,[]`, r) })[0]
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", patch, err)
		}
	}
}

func TestCustomRetentionOverridesEveryKind(t *testing.T) {
	s := Defaults()
	if s.Keeps() != s.RetentionDays {
		t.Errorf("kept %+v without an override", s.Keeps())
	}
	s.CustomRetentionDays = 3
	if want := (Retention{3, 3, 3, 3, 3, 3}); s.Keeps() != want {
		t.Errorf("kept %+v, want %+v", s.Keeps(), want)
	}
}
