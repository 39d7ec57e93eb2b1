package app

import (
	"testing"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"
)

// The levels of source document 000 section 8.
func TestFewSamplesAreAWarning(t *testing.T) {
	core, seen := observer.New(zap.DebugLevel)
	l := Loop{log: zap.New(core), scarcity: newScarcity(zap.New(core), false)}
	l.logContext("rule.few", []byte(`{"rule_id":"few","sample_count":9,"has_sufficient_decisions":false}`))
	l.logContext("rule.many", []byte(`{"rule_id":"many","sample_count":10,"has_sufficient_decisions":true,"accepted_patterns":[{}]}`))
	l.logContext("category.style", []byte(`{"sample_count":1}`))
	want := []struct {
		level zapcore.Level
		text  string
		rule  string
	}{
		{zap.InfoLevel, "learning context generated", "few"},
		{zap.WarnLevel, "insufficient data for learning context", "few"},
		{zap.InfoLevel, "learning context generated", "many"},
		{zap.InfoLevel, "pattern analysis completed", "many"},
	}
	if seen.Len() != len(want) {
		t.Fatalf("logged %d lines", seen.Len())
	}
	for i, line := range seen.All() {
		if line.Level != want[i].level || line.Message != want[i].text || line.ContextMap()["rule_id"] != want[i].rule {
			t.Errorf("line %d: %v %q %v", i, line.Level, line.Message, line.ContextMap())
		}
	}
}
