package events

import "github.com/go-json-experiment/json/jsontext"

// everywhere addresses a control fact to every partition.
func everywhere(kind Kind, p Payload) []Part {
	return []Part{{Group: Everywhere, Kind: kind, Data: p}}
}

// Tick tells every fold that a day has begun (UTC). Its event id is "clock/<date>".
type Tick struct {
	Date string `json:"date" privacy:"plain"` // YYYY-MM-DD
	Moment
}

// Identity is the date, so that every process may tick.
func (t *Tick) Identity() []string { return []string{t.Date} }

// Parts addresses every partition.
func (t *Tick) Parts() []Part { return everywhere(ControlTick.Kind, t) }

// Person is nobody.
func (*Tick) Person() string { return "" }

// Prior brings knowledge from above a group into every partition: global rates,
// global calibration. At most daily, and when it moved by more than 1 %.
type Prior struct {
	Model string         `json:"model" privacy:"id"`
	Name  string         `json:"name" privacy:"id"`
	Value jsontext.Value `json:"value" privacy:"figures"`
	Moment
}

// Identity is the envelope's source and id.
func (*Prior) Identity() []string { return nil }

// Parts addresses every partition.
func (p *Prior) Parts() []Part { return everywhere(ControlPrior.Kind, p) }

// Person is nobody.
func (*Prior) Person() string { return "" }

// SettingsChanged replaces one group of settings, whole: what the value leaves out
// is as by default.
type SettingsChanged struct {
	Key   string         `json:"key" privacy:"plain"`   // "privacy", "entitlement", …
	Value jsontext.Value `json:"value" privacy:"plain"` // the new settings
	Actor string         `json:"actor,omitzero" privacy:"id"`
	Moment
}

// Identity is the envelope's source and id.
func (*SettingsChanged) Identity() []string { return nil }

// Parts addresses every partition.
func (s *SettingsChanged) Parts() []Part { return everywhere(ControlSettings.Kind, s) }

// Person is nobody.
func (*SettingsChanged) Person() string { return "" }

// PatternDeleted removes one learned pattern by hand (004, data retention), or one template.
type PatternDeleted struct {
	PatternType LearnedPattern `json:"pattern_type" privacy:"enum"`
	PatternKey  ID             `json:"pattern_key" privacy:"id"`
	Actor       string         `json:"actor,omitzero" privacy:"id"`
	Moment
}

// LearnedPattern sorts what is learned from tasks.
type LearnedPattern string

// The pattern types of source document 004.
const (
	SubtaskSuccess  LearnedPattern = "subtask_success"
	ModelFailure    LearnedPattern = "model_failure"
	PromptEffective LearnedPattern = "prompt_effective"
	TaskTemplate    LearnedPattern = "task_template"
	UserCorrection  LearnedPattern = "user_correction"
	RetryPattern    LearnedPattern = "retry_pattern"
)

// OneTemplate stands for a template in the place of a pattern type, which it is not: its
// key is the template's id.
const OneTemplate LearnedPattern = "template"

// Identity is the envelope's source and id.
func (*PatternDeleted) Identity() []string { return nil }

// Parts addresses every partition.
func (d *PatternDeleted) Parts() []Part { return everywhere(ControlPatternDeleted.Kind, d) }

// Person is nobody.
func (*PatternDeleted) Person() string { return "" }

// PreferenceCorrected sets or deletes what was learned about a person, at that
// person's wish; without a type all of it goes.
type PreferenceCorrected struct {
	UserID          ID             `json:"user_id" privacy:"person"`
	PreferenceType  PreferenceType `json:"preference_type,omitzero" privacy:"enum"`
	PreferenceKey   string         `json:"preference_key,omitzero" privacy:"id"`     // "length_preference", a topic
	PreferenceValue jsontext.Value `json:"preference_value,omitzero" privacy:"open"` // absent: delete it
	Actor           string         `json:"actor,omitzero" privacy:"id"`
	Moment
}

// PreferenceType sorts preferences.
type PreferenceType string

// The preference types of source document 003.
const (
	StylePreference PreferenceType = "style"
	TopicAffinity   PreferenceType = "topic_affinity"
	ErrorPattern    PreferenceType = "error_pattern"
)

// Identity is the envelope's source and id.
func (*PreferenceCorrected) Identity() []string { return nil }

// Parts addresses the group of the person, where the evidence lies.
func (c *PreferenceCorrected) Parts() []Part {
	return []Part{{Group: ByPerson, Key: string(c.UserID), Kind: ControlPreferenceCorrected.Kind, Data: c}}
}

// Person is who the preference belongs to.
func (c *PreferenceCorrected) Person() string { return string(c.UserID) }
