package app

import (
	"context"
	"fmt"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn/rules"
	"learnloop.dev/pipeline"
	"learnloop.dev/pipeline/analyze"
	"learnloop.dev/pipeline/ingest"
	"learnloop.dev/stats"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// priors tells every partition the calibration over all of them: at most once a
// day, and only when it moved by more than 1 % (SPEC section 2).
type priors struct {
	ask     func(model, question string, args jsontext.Value) ([]analyze.Part, error)
	door    *ingest.Door
	now     func() time.Time
	retried func(what string, err error)
}

// run looks at the start and after every midnight (UTC), until the context ends.
func (p priors) run(ctx context.Context) error {
	for {
		day := p.now().UTC().Truncate(24 * time.Hour)
		err := pipeline.Retry(ctx, func() error { return p.tell(ctx, day) },
			pipeline.Never, func(err error) { p.retried("tell priors", err) })
		if err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(day.Add(24 * time.Hour).Sub(p.now())):
		}
	}
}

// tell issues the prior of a day if it is due.
func (p priors) tell(ctx context.Context, day time.Time) error {
	is, err := p.sum(rules.AskCalibration)
	if err != nil {
		return err
	}
	was, err := p.last()
	if err != nil || !rules.Moved(was, is) {
		return err
	}
	prior, err := rules.Prior(is)
	if err != nil {
		return err
	}
	return p.door.Control(ctx, ingest.Order{
		ID: "prior/rules/" + day.Format(time.DateOnly), Kind: events.ControlPrior.Kind, At: p.now(), Payload: prior,
	})
}

// sum adds up what the partitions counted.
func (p priors) sum(question string) (all stats.Calibration, err error) {
	parts, err := p.ask(rules.Name, question, nil)
	for _, part := range parts {
		var c stats.Calibration
		if err := json.Unmarshal(part.Value, &c); err != nil {
			return all, fmt.Errorf("read calibration of partition %d: %w", part.Partition, err)
		}
		all.Merge(c, 1)
	}
	return all, err
}

// last is the prior that was told last; every partition has heard it.
func (p priors) last() (c stats.Calibration, err error) {
	parts, err := p.ask(rules.Name, rules.AskPrior, nil)
	if err != nil || len(parts) == 0 {
		return c, err
	}
	return c, json.Unmarshal(parts[0].Value, &c)
}
