// Package rules learns, per style rule, which fixes people keep.
//
// It hears feedback about suggested fixes, counts it in small rows, and tells
// generators per rule what was kept, what was turned down and why, how people
// changed suggestions, and how far stated confidences can be trusted.
package rules

import (
	"learnloop.dev/events"
	"learnloop.dev/learn"
)

// Name is the model's name, in subjects and in questions to it.
const Name = "rules"

// The kinds of keys, which are the kinds of contexts.
const (
	kindRule     = "rule"
	kindCategory = "category"
	kindSummary  = "summary"
)

// enough is how many decisions make an opinion, and how many samples the source
// document calls sufficient.
const enough = 10

// sure is the confidence of every bound.
const sure = 0.95

// Model learns from feedback.fix, and from what was imported of it.
func Model() learn.Model {
	return learn.Define(learn.Spec[insight]{
		Name:    Name,
		Version: 4,
		Group:   events.ByRule,
		Kinds:   []string{kindRule, kindCategory, kindSummary},
		Prepare: []learn.Step{learn.Before(events.FeedbackFix, prepare), learn.Before(events.ControlImported, prepareImport)},
		Folds: []learn.Fold{
			learn.Sum(events.FeedbackFix, count),
			learn.Sum(events.ControlImported, countImported),
			learn.On(events.ControlPrior, hearPrior, nil),
		},
		Know:    know,
		Spread:  func(k learn.Key) bool { return k.Kind != kindRule },
		Render:  render,
		Trace:   trace,
		Answers: answers(),
	})
}

func ruleKey(id string) learn.Key { return learn.Key{Kind: kindRule, ID: id} }

func categoryKey(id string) learn.Key { return learn.Key{Kind: kindCategory, ID: id} }

func summaryKey() learn.Key { return learn.Key{Kind: kindSummary} }
