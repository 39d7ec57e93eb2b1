package api

import (
	"context"
	"fmt"

	"learnloop.dev/events"
	"learnloop.dev/learn/learnings"
	"learnloop.dev/pipeline/ingest"
)

// Retire archives a learning that is shown to harm, for the reason given in numbers.
// It is the same event whenever and by whomever it is said, and has no time of the
// producer: of two the first counts, so that a person can take the learning up again.
func (a *API) Retire(ctx context.Context, l *learnings.Learning, because learnings.Retirement) error {
	item, err := draft(events.LearningArchived.Kind, &events.Archival{ID: events.ID(l.ID), Reason: reasonOf(because)})
	if err != nil {
		return err
	}
	item.ID, item.Received = "retire/"+l.ID, a.deps.Now()
	return a.send(ctx, ingest.Operator, item)
}

func reasonOf(r learnings.Retirement) string {
	return fmt.Sprintf("shown to harm: %d of %d tasks succeeded with it, %d of %d without; effect %+.2f (%+.2f to %+.2f at all times), "+
		"harmful with probability %.3f", r.With.X, r.With.N, r.Without.X, r.Without.N, r.Effect, r.Interval.Lower, r.Interval.Upper, r.Harm)
}
