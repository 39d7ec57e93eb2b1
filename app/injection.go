package app

import (
	"context"
	"fmt"

	"learnloop.dev/learn/learnings"
	"learnloop.dev/pipeline/recall"

	"go.uber.org/zap"
)

// Injection decides how tasks are given learnings, and which share of them goes
// without so that it can be seen what learnings do. A share of 0 switches off.
type Injection struct {
	// Selection is posterior, or threshold for the documented rule.
	Selection string  `json:"selection"`
	Holdout   float64 `json:"holdout"`
	Placebo   float64 `json:"placebo"`
	LeftOut   float64 `json:"left_out"`
	Explored  float64 `json:"explored"`
	// MaxTokens is how long a block may be, by estimate.
	MaxTokens int `json:"max_tokens"`
}

// longBlock is room for five learnings of some length.
const longBlock = 2000 // tokens

func defaultInjection() Injection {
	t := learnings.DefaultTrial()
	return Injection{
		Selection: string(t.Selection), Holdout: t.Holdout, Placebo: t.Placebo, LeftOut: t.LeftOut,
		Explored: t.Explored, MaxTokens: longBlock,
	}
}

func (i Injection) validate() error {
	if i.MaxTokens < 1 {
		return fmt.Errorf("injection.max_tokens: want at least 1, got %d", i.MaxTokens)
	}
	if err := i.terms().Trial.Check(); err != nil {
		return fmt.Errorf("injection: %w", err)
	}
	return nil
}

// terms are what injections go by.
func (i Injection) terms() recall.Terms {
	t := learnings.DefaultTrial()
	t.Selection = learnings.Selection(i.Selection)
	t.Holdout, t.Placebo, t.LeftOut, t.Explored = i.Holdout, i.Placebo, i.LeftOut, i.Explored
	return recall.Terms{Trial: t, Tokens: i.MaxTokens}
}

// retire takes a learning out of use that is shown to harm.
func (l *Loop) retire(ctx context.Context, harmful *learnings.Learning, because learnings.Retirement) (done bool) {
	if err := l.operations.Retire(ctx, harmful, because); err != nil {
		l.log.Warn("learning not retired", zap.String("learning", harmful.ID), zap.Error(err))
		return false
	}
	l.log.Info("learning retired", zap.String("learning", harmful.ID))
	return true
}
