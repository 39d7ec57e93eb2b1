package privacy

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

func TestWhatASettingCannotBeIsToldByItsNameWithWhatItCouldBe(t *testing.T) {
	for patch, want := range map[string][2]string{
		`{"text_mode":"loud"}`:                     {"text_mode", "strict, pattern or full"},
		`{"text_mode":7}`:                          {"text_mode", "strict, pattern or full"},
		`{"enabled":"yes"}`:                        {"enabled", "true or false"},
		`{"enabled":null}`:                         {"enabled", "a value"},
		`{"max_records":1.5}`:                      {"max_records", "a whole number"},
		`{"max_records":-1}`:                       {"max_records", "nothing below zero"},
		`{"max_data_age":"soon"}`:                  {"max_data_age", "days"},
		`{"max_data_age":true}`:                    {"max_data_age", "days"},
		`{"alias_window":-1}`:                      {"alias_window", "nothing below zero"},
		`{"opt_out_patterns":"*.x"}`:               {"opt_out_patterns", "list"},
		`{"opt_out_patterns":["*.x","["]}`:         {"opt_out_patterns.1", "glob"},
		`{"retention_days":{"ab_tests":"x"}}`:      {"retention_days.ab_tests", "a whole number"},
		`{"retention_days":{"ab_tests":null}}`:     {"retention_days.ab_tests", "a value"},
		`{"retention_days":3}`:                     {"retention_days", "an object with feedback_explicit"},
		`{"retention_days":{"what":3}}`:            {"retention_days.what", "one of"},
		`{"mood":1}`:                               {"mood", "one of the settings enabled"},
		`{"team_threshold":1}`:                     {"team_threshold", "from 2 on"},
		`{"anonymize_pii":false}`:                  {"anonymize_pii", "confirmed"},
		`{"anonymize_pii":false,"confirmed":null}`: {"confirmed", "a value"},
		`[]`:   {"", "object"},
		`nope`: {"", "one JSON object"},
	} {
		got, err := Defaults().Patched([]byte(patch))
		var m *Misfit
		if !errors.As(err, &m) || m.Setting != want[0] || !strings.Contains(m.Want, want[1]) {
			t.Errorf("%s: %v, want %q", patch, err, want)
		}
		if err == nil || strings.Contains(err.Error(), "loud") || strings.Contains(err.Error(), "soon") {
			t.Errorf("%s: the value is repeated, or passed: %v, %+v", patch, err, got)
		}
	}
}

func TestAPatchChangesWhatItNames(t *testing.T) {
	got, err := Defaults().Patched([]byte(`{"max_data_age":7,"retention_days":{"ab_tests":3},"team_threshold":9}`))
	want := Defaults()
	want.MaxDataAge, want.RetentionDays.ABTests, want.TeamThreshold = 7*Day, 3, 9
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestSwitchingRedactionOffIsConfirmedEachTime(t *testing.T) {
	off, err := Defaults().Patched([]byte(`{"anonymize_pii":false,"confirmed":true}`))
	if err != nil || off.AnonymizePII {
		t.Fatalf("%+v, %v", off, err)
	}
	on, err := off.Patched([]byte(`{"anonymize_pii":true}`))
	if err != nil || on.Confirmed {
		t.Fatalf("%+v, %v", on, err)
	}
	if again, err := on.Patched([]byte(`{"anonymize_pii":false}`)); err == nil {
		t.Errorf("%+v", again)
	}
}

func TestAChoiceLeavesOutWhatIsUndecided(t *testing.T) {
	for value, want := range map[string]Choice{
		`null`: Undecided(), `{}`: Undecided(), `{"capture":false}`: {false, true}, `{"participate_in_team_learning":false}`: {true, false},
	} {
		if got, err := ParseChoice([]byte(value)); err != nil || got != want {
			t.Errorf("%s: %+v, %v", value, got, err)
		}
	}
	for _, value := range []string{``, `[]`, `{"capture":1}`, `{"what":true}`} {
		if got, err := ParseChoice([]byte(value)); err == nil || got != Undecided() {
			t.Errorf("%s: %+v, %v", value, got, err)
		}
	}
}
