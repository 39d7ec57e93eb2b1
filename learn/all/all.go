// Package all lists the models of the product, one line each.
package all

import (
	"learnloop.dev/learn"
	"learnloop.dev/learn/conversations"
	"learnloop.dev/learn/experiments"
	"learnloop.dev/learn/learnings"
	"learnloop.dev/learn/outcomes"
	"learnloop.dev/learn/rules"
	"learnloop.dev/learn/samples"
	"learnloop.dev/learn/settings"
)

// Models returns every model, each defined once.
func Models() []learn.Model {
	return []learn.Model{
		rules.Model(),
		learnings.Model(),
		samples.Model(),
		outcomes.Model(),
		experiments.Model(),
		experiments.Designs(),
		conversations.Model(),
		settings.Model(),
	}
}
