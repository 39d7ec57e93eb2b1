package app

import (
	"learnloop.dev/api"
	"learnloop.dev/events"
	"learnloop.dev/pipeline"

	"go.uber.org/zap"
)

// logSweep says how many records were taken out and why (000 section 8), and of
// whom to nobody.
func (l *Loop) logSweep(s pipeline.Sweep) {
	count := zap.Int("count", s.Count)
	switch {
	case s.Limit:
		l.log.Info("deleted oldest feedback records to enforce limit", count)
	case s.Kind == events.ControlExpired.Kind:
		l.log.Info("deleted feedback records older than cutoff", count, zap.Time("cutoff", s.Before))
	case s.Kind == events.ControlExperimentExpired.Kind:
		l.log.Info("deleted records of an experiment that is over", count, zap.Time("cutoff", s.Before))
	case s.Kind == events.ControlForgotten.Kind:
		l.log.Info("deleted records of a forgotten person", count)
	case s.Kind == events.ControlPersonSummed.Kind:
		l.log.Info("summed up conversations and deleted their records", count)
	default:
		l.log.Info("cleared records", count)
	}
}

// logMove says that what was learned left or came in (000 section 8).
func (l *Loop) logMove(m api.Moved) {
	if m.Imported {
		l.log.Info("learning data imported", zap.Int("patterns", m.Patterns))
		return
	}
	l.log.Info("learning data exported", zap.Int("patterns", m.Patterns))
}
