package app

import (
	"context"
	"errors"
	"fmt"

	"learnloop.dev/bus"
	"learnloop.dev/pipeline/ingest"
)

// openDesigns reads the definitions of experiments that the log has, before anything is
// taken in: a unit that comes without its arm never gets one. Later ones are followed.
func (l *Loop) openDesigns(ctx context.Context) error {
	log := bus.ReadLog(l.js, bus.EventsStream, 1, ingest.DesignSubject())
	l.onClose(func() error { log.Close(); return nil })
	end, err := bus.LastMsg(ctx, l.js, bus.EventsStream, ingest.DesignSubject())
	if err != nil && !errors.Is(err, bus.ErrNotFound) {
		return fmt.Errorf("find definitions of experiments: %w", err)
	}
	for at := uint64(0); at < end.Seq; {
		if at, err = l.designs.Read(ctx, log); err != nil {
			return err
		}
	}
	l.run("experiments", func(ctx context.Context) error { return l.designs.Follow(ctx, log) })
	return nil
}
