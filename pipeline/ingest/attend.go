package ingest

import (
	"context"
	"slices"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/pipeline"
)

// Attend gives feedback that has waited long enough to the local user, until the
// context ends. Any number may attend at a time.
func (s Stage) Attend(ctx context.Context) error {
	s.Observe = s.Observe.EnsureDefaults()
	t := time.NewTicker(lookEvery)
	defer t.Stop()
	for {
		err := pipeline.Retry(ctx, func() error { return s.sweep(ctx) },
			pipeline.Never, func(err error) { s.Observe.Retried("look after waiting feedback", err) })
		if err != nil {
			return stopped(ctx, err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-t.C:
		}
	}
}

// sweep claims exchanges for the local user that nobody claimed in time, and
// releases what was left behind by a process that ended.
func (s Stage) sweep(ctx context.Context) error {
	for {
		cells, err := s.Owners.Find(ctx, anyWaiting)
		if err != nil {
			return err
		}
		released := 0
		for some := range slices.Chunk(cells, together) {
			n, err := s.attend(ctx, some)
			if err != nil {
				return err
			}
			released += n
		}
		if released == 0 {
			return nil
		}
	}
}

// attend looks after some of what waits, and returns for how many exchanges
// nothing has to wait any more.
func (s Stage) attend(ctx context.Context, cells []bus.Cell) (released int, err error) {
	var names []string
	due := map[string]bool{}
	late := s.Now().Add(-waitsFor)
	for _, c := range cells {
		w, err := readWaiting(c)
		if err != nil { // nobody waits for it
			if err := s.hand(ctx, []bus.Cell{c}, nil); err != nil {
				return 0, err
			}
			continue
		}
		names = append(names, w.Exchange)
		due[w.Exchange] = due[w.Exchange] || !w.Since.After(late)
	}
	if len(names) == 0 {
		return 0, nil
	}
	owners, err := s.owners(ctx, names)
	if err != nil {
		return 0, err
	}
	var claims []claim
	for _, name := range names {
		if _, known := owners[name]; known || due[name] {
			claims = append(claims, claim{name, s.House.local(), ownedFor}) // who is known stays
		}
	}
	return len(claims), s.own(ctx, claims)
}
