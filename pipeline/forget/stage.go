package forget

import (
	"context"
	"errors"
	"fmt"
	"time"

	"learnloop.dev/pipeline"

	"github.com/go-json-experiment/json"
)

// Stage forgets one person after the other.
type Stage struct {
	Desk Desk
	// Parties search, each what it may read; the first has the log.
	Parties []Party
	// Issue puts a job's tombstones into the log; issuing them again changes nothing.
	Issue func(ctx context.Context, job Job) error
	// Settled reports whether everything that was stored before the call has gone
	// through all stages.
	Settled func(ctx context.Context) (func(context.Context) (bool, error), error)
	Now     func() time.Time
	Observe pipeline.Observer
}

const (
	lookEvery   = time.Second // for new jobs
	settleEvery = 50 * time.Millisecond
	rounds      = 5 // of erasing and looking again, before a report says that traces stayed
)

// Run works until the context ends.
func (s Stage) Run(ctx context.Context) error {
	s.Observe = s.Observe.EnsureDefaults()
	t := time.NewTicker(lookEvery)
	defer t.Stop()
	for {
		err := pipeline.Retry(ctx, func() error { return s.Work(ctx) },
			pipeline.Never, func(err error) { s.Observe.Retried("forget", err) })
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-t.C:
		}
	}
}

var errUnreadable = errors.New("it cannot be read") // its own words could name the person

// Work does what is to be done now.
func (s Stage) Work(ctx context.Context) error {
	cells, err := s.Desk.Find(ctx, jobs+"*")
	if err != nil {
		return err
	}
	for _, c := range cells {
		var job Job
		if json.Unmarshal(c.Value, &job) != nil || c.Key != JobKey(job.ID) {
			s.Observe.Retried("read an order to forget", errUnreadable) // and will not: it is not ours
			if err := s.Desk.Remove(ctx, c); err != nil {
				return err
			}
			continue
		}
		report, err := s.forget(ctx, job)
		if err == nil {
			err = s.file(ctx, c, report)
		}
		if err != nil {
			return fmt.Errorf("forget, order %s: %w", job.ID, err)
		}
	}
	return nil
}

// forget takes all steps; each may be repeated.
func (s Stage) forget(ctx context.Context, job Job) (r Report, err error) {
	r = Report{ID: job.ID, Before: job.Before, Actor: job.Actor, Records: job.Records, Erased: map[string]int{}}
	if err := s.Issue(ctx, job); err != nil {
		return r, err
	}
	for range rounds {
		if err := s.settle(ctx); err != nil {
			return r, err
		}
		if err := s.clean(ctx, &r, job); err != nil {
			return r, err
		}
		found, err := s.search(ctx, Search{Job: job})
		if err != nil {
			return r, err
		}
		if r.Scan = found.Scan; r.Scan.Found == 0 {
			break
		}
	}
	r.Done = s.Now().UTC()
	return r, nil
}

// clean has every party clean what it has, and waits for those that are behind: what a
// life before told may be further than what this one knows.
func (s Stage) clean(ctx context.Context, r *Report, job Job) error {
	return await(ctx, func(ctx context.Context) (bool, error) {
		cleaned, err := s.search(ctx, Search{Job: job, Clean: true})
		r.Erased = sum(r.Erased, cleaned.Erased)
		return !cleaned.Behind, err
	})
}

// settle waits until all stages have taken in what is stored now.
func (s Stage) settle(ctx context.Context) error {
	settled, err := s.Settled(ctx)
	if err != nil {
		return err
	}
	return await(ctx, settled)
}

// await asks until something is done.
func await(ctx context.Context, ask func(context.Context) (bool, error)) error {
	t := time.NewTicker(settleEvery)
	defer t.Stop()
	for {
		if done, err := ask(ctx); err != nil || done {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-t.C:
		}
	}
}

// search has every party search, and adds up what they found.
func (s Stage) search(ctx context.Context, q Search) (all Finding, err error) {
	for _, party := range s.Parties {
		found, err := party.Search(ctx, q)
		if err != nil {
			return all, err
		}
		all.Merge(found)
		q.Newer = q.Newer || all.Scan.Newer > 0
	}
	return all, nil
}
