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
	ended  chan struct{} // closed when Run has returned
	err    error         // of Run; set before ended is closed
}

// start opens a loop and returns when it answers. Whoever starts stops.
func start(ctx context.Context, c app.Config) (*running, error) {
	r, err := launch(ctx, c)
	if err != nil {
		return nil, err
	}
	if r.up(ctx) {
		return r, nil
	}
	return nil, errors.Join(context.Cause(ctx), r.stop())
}

// launch opens a loop and has it work. Whoever launches stops.
func launch(ctx context.Context, c app.Config) (*running, error) {
	log, err := app.NewLogger(c.Log)
	if err != nil {
		return nil, fmt.Errorf("start: %w", err)
	}
	l, err := app.Open(ctx, c, log)
	if err != nil {
		return nil, err
	}
	r := &running{Loop: l, ended: make(chan struct{})}
	var life context.Context // of its own: who stops waits until all is on disk
	life, r.cancel = context.WithCancel(context.WithoutCancel(ctx))
	r.work.Go(func() {
		defer close(r.ended)
		r.err = l.Run(life)
	})
	return r, nil
}

// up waits until the loop answers, and reports whether it does: ctx may be done before,
// or the loop end by itself.
func (r *running) up(ctx context.Context) bool {
	select {
	case <-r.Ready():
		return true
	case <-ctx.Done():
	case <-r.ended:
	}
	return false
}

// wait returns when ctx is done or the loop ends by itself.
func (r *running) wait(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-r.ended:
	}
}

// stop ends the loop and returns when everything is on disk.
func (r *running) stop() error {
	r.cancel()
	r.work.Wait()
	return errors.Join(r.err, r.Close())
}
