package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"golang.org/x/sync/errgroup"
)

// stage is one part that runs until its context ends; it calls up when it works.
type stage struct {
	name string
	run  func(ctx context.Context, up func()) error
}

// run adds a stage that works as soon as it runs.
func (l *Loop) run(name string, run func(context.Context) error) {
	l.rise(name, func(ctx context.Context, up func()) error {
		up()
		return run(ctx)
	})
}

// rise adds a stage that says when it works.
func (l *Loop) rise(name string, run func(ctx context.Context, up func()) error) {
	l.stages = append(l.stages, stage{name, run})
	l.rising.expect(name)
}

// Run works until the context ends or a part fails; the others are stopped then.
func (l *Loop) Run(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	for _, s := range l.stages {
		g.Go(func() error {
			if err := s.run(ctx, func() { l.rising.up(s.name) }); err != nil && ctx.Err() == nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			return nil
		})
	}
	g.Go(func() error {
		select {
		case <-l.rising.all:
			return l.announceReady()
		case <-ctx.Done():
			return nil
		}
	})
	return errors.Join(advise(g.Wait(), l.config), l.withdrawReady())
}

// Ready is closed when every stage runs and every door answers.
func (l *Loop) Ready() <-chan struct{} { return l.ready }

// notReady is why calls are told to come back, nil when they need not.
func (l *Loop) notReady() error {
	select {
	case <-l.ready:
		if !l.nc.IsConnected() {
			return errors.New("NATS: the server is away")
		}
		return nil
	default:
		return fmt.Errorf("starting: %s", strings.Join(l.rising.missing(), ", "))
	}
}

// announceReady writes the ready file and closes Ready.
func (l *Loop) announceReady() error {
	defer close(l.ready)
	if l.config.ReadyFile == "" {
		return nil
	}
	data, err := json.Marshal(l.Addresses())
	if err != nil {
		return err
	}
	if err := writeWhole(l.config.ReadyFile, append(data, '\n')); err != nil {
		return fmt.Errorf("write ready file: %w", err)
	}
	return nil
}

// withdrawReady removes the ready file: of an earlier life that was killed, or our
// own at the end.
func (l *Loop) withdrawReady() error {
	if l.config.ReadyFile == "" {
		return nil
	}
	if err := os.Remove(l.config.ReadyFile); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove ready file: %w", err)
	}
	return nil
}

// rising knows which stages do not work yet.
type rising struct {
	all chan struct{} // closed when every stage works

	mu    sync.Mutex
	names []string // guarded by mu; of those that do not
}

func (r *rising) expect(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.names = append(r.names, name)
}

func (r *rising) up(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	i := slices.Index(r.names, name)
	if i < 0 {
		return
	}
	if r.names = slices.Delete(r.names, i, i+1); len(r.names) == 0 {
		close(r.all)
	}
}

func (r *rising) missing() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.names)
}
