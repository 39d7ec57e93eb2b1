package app

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
)

// Environment names. LEARNLOOP_DATA, _HTTP, _NATS, _LOG and _READY_FILE name
// the plain ones; LEARNLOOP_PRIVACY__TEXT_MODE is privacy.text_mode. The names
// of source document 003 are honoured too.
const environmentPrefix = "LEARNLOOP_"

var plainNames = map[string]string{
	"DATA": "data", "HTTP": "http", "NATS": "nats", "LOG": "log",
	"READY_FILE": "ready_file", "SERVER": "server", "CREDS": "creds", "PARTITIONS": "partitions",
}

// historic are the environment names of source document 003.
var historic = map[string]string{
	"LEARNING_ENABLE_EXPLICIT_FEEDBACK": "privacy.enable_explicit_feedback",
	"LEARNING_ENABLE_IMPLICIT_TRACKING": "privacy.enable_implicit_tracking",
	"LEARNING_ENABLE_PERSONALIZATION":   "privacy.enable_personalization",
	"LEARNING_RETENTION_FEEDBACK":       "privacy.retention_days.feedback_explicit",
	implicitTwin:                        "privacy.retention_days.feedback_implicit",
	"LEARNING_RETENTION_SCORES":         "privacy.retention_days.quality_scores",
	"LEARNING_RETENTION_METRICS":        "privacy.retention_days.learning_metrics",
	"LEARNING_STORE_RAW_FEEDBACK_TEXT":  "privacy.store_raw_feedback_text",
	"LEARNING_AGGREGATE_AFTER_DAYS":     "privacy.aggregate_after_days",
}

// usual are the environment names that other programs have for the same.
var usual = map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "telemetry.otlp_endpoint"}

// implicitTwin stands beside LEARNING_RETENTION_FEEDBACK, which says two settings.
const implicitTwin = "LEARNING_RETENTION_FEEDBACK (implicit)"

// twinned adds the second of the two.
func twinned(environ []string) []string {
	for _, v := range environ {
		if value, ok := strings.CutPrefix(v, "LEARNING_RETENTION_FEEDBACK="); ok {
			return append(slices.Clip(environ), implicitTwin+"="+value)
		}
	}
	return environ
}

// texts are the settings that are text however they look: a folder may be called 2026.
var texts = map[string]bool{
	"data": true, "http": true, "nats": true, "log": true, "ready_file": true, "server": true, "creds": true,
	"access.tls_cert": true, "access.tls_key": true, "access.url": true,
	"extraction.model": true, "extraction.base_url": true, "extraction.api_key": true,
	"embedding.model": true, "embedding.base_url": true, "embedding.api_key": true,
}

// fromEnvironment maps a variable to a setting; an empty key ignores it. Other
// variables with our prefix are not refused: a Kubernetes service called learnloop
// makes some for every pod, and our tests and deployment have theirs.
func fromEnvironment(name, value string) (string, any) {
	if key, ok := historic[name]; ok {
		return key, scalar(strings.ToLower(value))
	}
	if key, ok := usual[name]; ok {
		return key, value
	}
	rest, ok := strings.CutPrefix(name, environmentPrefix)
	if !ok {
		return "", nil
	}
	if key, ok := plainNames[rest]; ok {
		return key, given(key, value)
	}
	if group, key, ok := strings.Cut(rest, "__"); ok {
		name := strings.ToLower(group) + "." + strings.ToLower(strings.ReplaceAll(key, "__", "."))
		return name, given(name, value)
	}
	return "", nil
}

// parsePairs reads key=value settings.
func parsePairs(pairs []string) (map[string]any, error) {
	out := map[string]any{}
	for _, p := range pairs {
		key, value, ok := strings.Cut(p, "=")
		if !ok || key == "" {
			return nil, fmt.Errorf("setting %q: want key=value", p)
		}
		out[key] = given(key, value)
	}
	return out, nil
}

// given reads what was given for a setting: text as it stands or as a JSON string,
// anything else as JSON.
func given(key, value string) any {
	v := scalar(value)
	if _, is := v.(string); texts[key] && !is {
		return value
	}
	return v
}

// scalar reads a value as JSON where it is JSON, and as text where it is not.
func scalar(text string) any {
	var v any
	if json.Unmarshal([]byte(text), &v) == nil {
		return v
	}
	return text
}
