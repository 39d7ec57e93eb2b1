package app

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"learnloop.dev/agent"
	"learnloop.dev/bus"
	"learnloop.dev/kv"
	"learnloop.dev/learn"
	"learnloop.dev/learn/all"
	"learnloop.dev/pipeline"
	"learnloop.dev/pipeline/analyze"
	"learnloop.dev/pipeline/guide"
	"learnloop.dev/pipeline/ingest"
	"learnloop.dev/pipeline/inject"
	"learnloop.dev/pipeline/recall"

	"go.uber.org/zap"
)

const (
	workers      = 4                      // batches of the inbox in flight
	reflectEvery = 25 * time.Millisecond  // how often the log position of the contexts is told
	settleTime   = 250 * time.Millisecond // in which our own server has written what it took
	tellEvery    = 250 * time.Millisecond // how long changes of contexts are collected before they are told
	collectEvery = time.Minute            // how often disk space and memory are given back
)

// openStages builds the stages of the role and what runs beside them.
func (l *Loop) openStages(ctx context.Context) error {
	for _, s := range []struct {
		role Role
		open func(context.Context) error
	}{{Ingest, l.openIngest}, {Analyzer, l.openState}, {Analyzer, l.dropStrays}, {Analyzer, l.openAnalyze}, {Analyzer, l.openExtract},
		{Analyzer, l.openAnnounce}, {Injector, l.openInject}, {Injector, l.openVerdicts}} {
		if !l.role.is(s.role) {
			continue
		}
		if err := s.open(ctx); err != nil {
			return err
		}
	}
	l.run("memory", l.mindMemory)
	if l.spans != nil {
		l.run("spans", l.spans.run)
	}
	if err := l.openRetention(ctx); err != nil {
		return err
	}
	if l.role == Ingest {
		l.run("settings", l.followChanges)
	} else {
		l.rise("settings", l.followSettings)
	}
	return nil
}

func (l *Loop) openIngest(ctx context.Context) error {
	if err := l.openDesigns(ctx); err != nil {
		return err
	}
	inbox := bus.NewInbox(l.js)
	l.onClose(func() error { inbox.Close(); return nil })
	l.intake.Inbox, l.intake.Workers = inbox, workers
	l.intake.Trials = trials{bucket: bus.NewBucket(l.js, learn.Settings), owner: rand.Text(),
		alone: l.server != nil, now: time.Now}
	l.run("ingest", l.intake.Run)
	l.run("purge", inbox.Purge)
	l.run("waiting", l.intake.Attend)
	if l.config.Clock.Ticks {
		l.run("clock", ingest.Clock{Door: l.door, Now: time.Now}.Run)
	}
	return nil
}

func (l *Loop) openAnalyze(ctx context.Context) error {
	if err := l.compareLog(ctx); err != nil {
		return err
	}
	events := l.readLog(l.state.Folded() + 1)
	l.onClose(func() error { events.Close(); return nil })
	s := analyze.Stage{
		Models: all.Models(), Store: l.state, Log: events, Dead: l.dead,
		Insights: bus.NewSender(l.nc, bus.InsightsStream), Told: bus.NewLatest(l.js, bus.InsightsStream), Facts: l.facts,
		Eraser: eraser{l.js}, Fences: fences{l.js}, Address: l.address,
		Observe: l.observer(), Replays: l.replays,
		Owner: rand.Text(), Boot: bootID(), Partitions: l.partitions(), End: l.endOfLog, Now: time.Now,
	}
	l.rise("analyze", func(ctx context.Context, up func()) error {
		s.Current = func() { // before, statistics would be of half the log
			l.whole.Store(true)
			up()
		}
		return s.Run(ctx)
	})
	l.run("collect", l.collect)
	if l.config.Clock.Ticks {
		p := priors{ask: l.answerer().Ask, issuer: l.issuer(), now: time.Now, retried: s.Observe.Retried, told: l.priorTold,
			looked: func(told bool) { l.log.Debug("calibration compared", zap.Bool("told", told)) }}
		l.run("priors", p.run)
	}
	return nil
}

// partitions are those of this process: all of them.
func (l *Loop) partitions() []int {
	all := make([]int, l.layout.Partitions)
	for p := range all {
		all[p] = p
	}
	return all
}

// endOfLog is the sequence of the last entry of the log, 0 where there is none.
func (l *Loop) endOfLog(ctx context.Context) (uint64, error) {
	last, err := bus.LastMsg(ctx, l.js, bus.EventsStream, pipeline.Log+">")
	if errors.Is(err, bus.ErrNotFound) {
		return 0, nil
	}
	return last.Seq, err
}

// errLogLost means that the log ends before what was folded from it.
var errLogLost = errors.New("the log was lost or is another one")

// compareLog refuses to fold a log that ends before what was folded: what comes would
// have numbers that are known already, and be passed over.
func (l *Loop) compareLog(ctx context.Context) error {
	last, err := bus.Last(ctx, l.js, bus.EventsStream)
	if err != nil {
		return fmt.Errorf("find the end of the log: %w", err)
	}
	if folded := l.state.Folded(); folded > last {
		return fmt.Errorf("%w: it ends at %d, and %d was folded", errLogLost, last, folded)
	}
	return nil
}

// readLog reads the log, shortcut where this process alone appends to it.
func (l *Loop) readLog(from uint64) interface {
	analyze.Log
	Close()
} {
	if l.tap != nil {
		return bus.Follow(l.js, bus.EventsStream, from, l.tap)
	}
	return bus.ReadLog(l.js, bus.EventsStream, from)
}

func (l *Loop) openInject(ctx context.Context) error {
	last, err := bus.Last(ctx, l.js, bus.InsightsStream)
	if err != nil {
		return fmt.Errorf("find the last insight: %w", err)
	}
	insights := bus.NewInsights(l.js)
	l.onClose(func() error { insights.Close(); return nil })
	if l.server != nil { // nobody else injects: whatever happened to the buckets, all insights come again
		if err := cmp.Or(insights.Restart(ctx), l.takeBackPositions(ctx)); err != nil {
			return err
		}
	}
	buckets := map[string]inject.Bucket{}
	var positions *kv.Writer // in the settings bucket too, but made from log positions, of which none is lost
	for _, name := range []string{learn.Contexts, learn.Entries, learn.Settings} {
		r, err := kv.NewReader(ctx, l.nc, kv.ReaderOptions{Bucket: name})
		if err != nil {
			return fmt.Errorf("open bucket %s: %w", name, err)
		}
		l.onClose(func() error { r.Close(); return nil })
		switch name {
		case learn.Entries:
			l.learnings = r
		case learn.Contexts:
			if err := l.readContexts(r); err != nil {
				return err
			}
		}
		w, err := kv.NewWriter(ctx, r)
		if err != nil {
			return fmt.Errorf("open bucket %s: %w", name, err)
		}
		if l.server != nil { // it may have lost what it had not written when it was killed
			w.Distrust(last)
		}
		buckets[name] = w
		if name != learn.Settings {
			continue
		}
		if positions, err = kv.NewWriter(ctx, r); err != nil {
			return fmt.Errorf("open bucket %s: %w", name, err)
		}
	}
	s := inject.Stage{Models: all.Models(), Insights: insights, Parts: bus.NewLatest(l.js, bus.InsightsStream), Buckets: buckets,
		Reflect: inject.Reflector{Bucket: positions, Every: reflectEvery},
		Herald:  inject.Herald{Notices: bus.NewNotices(l.nc), Every: tellEvery}, Observe: l.observer()}
	if l.server != nil {
		s.Settle = settleTime
	}
	return l.startInject(ctx, s)
}

// readContexts makes what answers from the contexts as they are published.
func (l *Loop) readContexts(r *kv.Reader) error {
	l.contexts = r
	shipped, err := l.shipped()
	if err != nil {
		return err
	}
	l.board = guide.NewBoard(r, shipped)
	l.nameplates = &nameplates{contexts: r}
	l.preferences = agent.NewPreferences(r)
	return nil
}

// startInject starts the stage, and what answers from its buckets.
func (l *Loop) startInject(ctx context.Context, s inject.Stage) error {
	s.Personal = inject.Personal{Names: l.people(), Allowed: l.authority.personal, Anew: l.authority.people}
	l.run("inject", s.Run)
	if l.scarcity.brief {
		l.run("scarcity", l.scarcity.run)
	}
	l.shelf = recall.NewShelf(l.learnings, l.retire)
	if model := l.config.Embedding.embedder(); model != nil {
		l.shelf.Ask(model)
	}
	l.rise("recall", l.shelf.Run)
	l.rise("guide", l.board.Run)
	l.nameplates.bucket = s.Buckets[learn.Contexts]
	return l.nameplates.clear(ctx, l.labels)
}
