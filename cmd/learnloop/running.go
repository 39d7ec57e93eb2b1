package main

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"learnloop.dev/app"
)

// running is a loop at work in this process.
type running struct {
	*app.Loop
	cancel context.CancelFunc
	work   sync.WaitGroup
	ended  context.Context // done when Run has returned, with its error as cause
}

// start opens a loop and returns when it answers. Whoever starts stops.
func start(ctx context.Context, c app.Config) (*running, error) {
	log, err := app.NewLogger(c.Log)
	if err != nil {
		return nil, fmt.Errorf("start: %w", err)
	}
	l, err := app.Open(ctx, c, log)
	if err != nil {
		return nil, err
	}
	r := &running{Loop: l}
	life, cancel := context.WithCancel(context.WithoutCancel(ctx))
	ended, end := context.WithCancelCause(context.WithoutCancel(ctx))
	r.cancel, r.ended = cancel, ended
	r.work.Go(func() { end(l.Run(life)) })
	select {
	case <-l.Ready():
		return r, nil
	case <-ctx.Done():
	case <-ended.Done():
	}
	return nil, errors.Join(context.Cause(ctx), r.stop())
}

// wait returns when ctx is done or the loop ends by itself.
func (r *running) wait(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-r.ended.Done():
	}
}

// stop ends the loop and returns when everything is on disk.
func (r *running) stop() error {
	r.cancel()
	r.work.Wait()
	err := context.Cause(r.ended)
	if errors.Is(err, context.Canceled) {
		err = nil // Run returned without an error
	}
	return errors.Join(err, r.Close())
}
