package app

import (
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"go.uber.org/zap"
)

// logContext tells the operator about the context of a rule, in the messages of
// source document 000 section 8, at the levels given there.
func (l *Loop) logContext(key string, value []byte) {
	if !l.log.Core().Enabled(zap.WarnLevel) || !strings.HasPrefix(key, "rule.") {
		return
	}
	if value == nil {
		l.scarcity.enough(key)
		return
	}
	var c struct {
		RuleID     string           `json:"rule_id"`
		Samples    int              `json:"sample_count"`
		Sufficient bool             `json:"has_sufficient_decisions"`
		Accepted   []jsontext.Value `json:"accepted_patterns"`
		Rejected   []jsontext.Value `json:"rejected_patterns"`
	}
	if json.Unmarshal(value, &c) != nil {
		return
	}
	about := []zap.Field{zap.String("rule_id", c.RuleID), zap.Int("sample_count", c.Samples)}
	l.log.Info("learning context generated", about...)
	if !c.Sufficient {
		l.scarcity.few(key, about...)
		return
	}
	l.scarcity.enough(key)
	l.log.Info("pattern analysis completed", zap.String("rule_id", c.RuleID),
		zap.Int("accepted", len(c.Accepted)), zap.Int("rejected", len(c.Rejected)))
}
