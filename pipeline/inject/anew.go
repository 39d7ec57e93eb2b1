package inject

import (
	"context"
	"fmt"
	"slices"

	"learnloop.dev/bus"
	"learnloop.dev/kv"
	"learnloop.dev/learn"
	"learnloop.dev/pipeline"
)

// Personal says whether people have contexts, and under which names.
type Personal struct {
	// Names knows those; nil shows people under the names they are stored by.
	Names People
	// Allowed reports whether people have contexts of their own; nil: they do.
	Allowed func() bool
	// Anew is told when that has changed; nil: it does not.
	Anew <-chan struct{}
}

func (p Personal) allowed() bool { return p.Allowed == nil || p.Allowed() }

// anew renders what is known of people again whenever they get contexts, or lose them.
func (s Stage) anew(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-s.Personal.Anew:
		}
		if err := s.renew(ctx); err != nil && ctx.Err() == nil {
			return fmt.Errorf("render what is known of people: %w", err)
		}
	}
}

// renew puts what is known of people, or deletes what was put. What a newer insight says
// stays.
func (s Stage) renew(ctx context.Context) error {
	topics, err := s.everybody(ctx)
	if err != nil {
		return err
	}
	entries := make([]kv.Entry, len(topics))
	for i, t := range topics {
		if entries[i], err = t.entry(); err != nil {
			return err
		}
	}
	for some := range slices.Chunk(entries, atOnce) {
		if _, err := s.put(ctx, map[string][]kv.Entry{learn.Contexts: some}); err != nil {
			return err
		}
	}
	return nil
}

// atOnce is how many contexts of people are put at a time: others want to be put, too.
const atOnce = 1000

// everybody are the people of whom anything is known.
func (s Stage) everybody(ctx context.Context) ([]*topic, error) {
	var filters []string
	for _, m := range s.Models {
		if m.Bucket == learn.Contexts && slices.Contains(m.Kinds, learn.KindPerson) {
			filters = append(filters, pipeline.Known+"*."+m.Name+"."+learn.KindPerson+".*")
		}
	}
	if len(filters) == 0 {
		return nil, nil
	}
	var found []bus.Entry
	err := s.retry(ctx, "gather people", func() (err error) {
		found, err = s.Parts.PerSubject(ctx, 0, filters...)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("gather what is known of people: %w", err)
	}
	latest := map[string]bus.Delivery{}
	for _, e := range found {
		latest[e.Subject] = bus.Delivery{Seq: e.Seq, Subject: e.Subject, Data: e.Data}
	}
	topics, spread, err := s.topics(latest)
	if err == nil {
		err = s.gather(ctx, spread)
	}
	if err == nil {
		err = s.label(ctx, topics)
	}
	return topics, err
}
