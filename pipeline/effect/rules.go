package effect

import (
	"context"

	"learnloop.dev/events"
	"learnloop.dev/learn/extract"
)

// Rules makes learnings without a model.
type Rules struct{}

// Extract never fails.
func (Rules) Extract(_ context.Context, d *events.Discovery) (extract.Draft, string, error) {
	return extract.Rules(d), extract.ByRules, nil
}
