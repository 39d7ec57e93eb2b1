package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"learnloop.dev/bus"
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
// day (UTC), and only when it moved by more than 1 % (SPEC section 2). The
// analyzer does it: it knows all counts.
type priors struct {
	told    func(ctx context.Context, day time.Time) (bool, error) // in the log already
	looked  func(told bool)
	ask     func(model, question string, args jsontext.Value) ([]analyze.Part, error)
	issuer  ingest.Issuer
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
	due, err := p.due(ctx, day)
	if err == nil && due != nil {
		err = p.issuer.Control(ctx, ingest.Order{
			ID: "prior/rules/" + day.Format(time.DateOnly), Kind: events.ControlPrior.Kind, At: day, Payload: due,
		})
	}
	if err == nil {
		p.looked(due != nil)
	}
	return err
}

// due is what has to be told on a day, nil when nothing has.
func (p priors) due(ctx context.Context, day time.Time) (*events.Prior, error) {
	if told, err := p.told(ctx, day); err != nil || told {
		return nil, err
	}
	is, err := p.sum(rules.AskCalibration)
	if err != nil {
		return nil, err
	}
	was, err := p.last()
	if err != nil || !rules.Moved(was, is) {
		return nil, err
	}
	return rules.Prior(is)
}

// priorTold reports whether the log has the prior of a day.
func (l *Loop) priorTold(ctx context.Context, day time.Time) (bool, error) {
	m, err := bus.LastMsg(ctx, l.js, bus.EventsStream, pipeline.LogSubject(0, events.ControlPrior.Kind))
	if errors.Is(err, bus.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	fact, err := events.ControlPrior.ReadFact(m.Data)
	if err != nil {
		return false, fmt.Errorf("read the last prior: %w", err)
	}
	return !fact.Header().Time.Before(day), nil
}

// sum adds up what the partitions counted.
func (p priors) sum(question string) (all stats.Calibration, err error) {
	parts, err := p.ask(rules.Name, question, nil)
	for _, part := range parts {
		var c stats.Calibration
		if err := json.Unmarshal(part.Value, &c); err != nil {
			return all, fmt.Errorf("read calibration of partition %d: %w", part.Partition, events.Unquoted(err))
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
