package app

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/pipeline"
	"learnloop.dev/pipeline/analyze"
	"learnloop.dev/pipeline/forget"
	"learnloop.dev/pipeline/ingest"
	"learnloop.dev/pipeline/inject"

	"github.com/nats-io/nats.go/jetstream"
)

// openRetention follows the tombstones, and where one process does everything also
// tells what has become too old and forgets people: that takes knowing all records
// and holding the key.
func (l *Loop) openRetention(context.Context) error {
	graves := bus.ReadLog(l.js, bus.EventsStream, 1, ingest.TombstoneSubject())
	l.onClose(func() error { graves.Close(); return nil })
	l.run("tombstones", func(ctx context.Context) error { return l.tombstones.Follow(ctx, graves) })
	if l.role != Everything {
		return nil
	}
	l.run("retention", ingest.Retention{Door: l.door, Records: l.answerer(), Policy: l.authority.policy.Load,
		Changed: l.authority.changed, Now: time.Now}.Run)
	l.run("forget", forget.Stage{
		Desk: bus.NewBucket(l.js, learn.Settings), Streams: streams{l.js}, State: l.state,
		Issue: l.issueTombstones, Settled: settling{l.js}.since, Law: analyze.LawMeta, Now: time.Now, Observe: l.observer(),
	}.Run)
	return nil
}

// issueTombstones puts the tombstones of a job into the log.
func (l *Loop) issueTombstones(ctx context.Context, job forget.Job) error {
	for i, subject := range job.Subjects {
		err := l.door.Control(ctx, ingest.Order{
			ID: "forgotten/" + job.ID + "/" + strconv.Itoa(i), Kind: events.ControlForgotten.Kind, At: job.Before,
			Payload: &events.SubjectForgotten{Subject: subject, Before: job.Before, Actor: job.Actor},
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// streams are all streams of the loop.
type streams struct{ js jetstream.JetStream }

// Names lists them, buckets among them.
func (s streams) Names(ctx context.Context) ([]string, error) { return bus.Streams(ctx, s.js) }

// Comb hands every message of one to take.
func (s streams) Comb(ctx context.Context, stream string, take func(bus.Entry) error) error {
	return bus.Comb(ctx, s.js, stream, take)
}

// Erase deletes messages.
func (s streams) Erase(ctx context.Context, stream string, found []bus.Entry) error {
	return bus.EraseMsgs(ctx, s.js, stream, found)
}

// settling finds out when what was stored has gone through all stages.
type settling struct{ js jetstream.JetStream }

// since notes what is stored now, and returns a function that reports whether it
// has gone through.
func (s settling) since(ctx context.Context) (func(context.Context) (bool, error), error) {
	inbox, err := bus.Last(ctx, s.js, bus.InboxStream)
	if err != nil {
		return nil, err
	}
	var targets map[int]uint64 // what the contexts have to be current with, once the inbox is through
	return func(ctx context.Context) (bool, error) {
		if targets == nil {
			done, err := bus.Emptied(ctx, s.js, bus.InboxStream, inbox)
			if err != nil || !done {
				return false, err
			}
			if targets, err = s.ends(ctx); err != nil {
				return false, err
			}
		}
		return s.reached(ctx, targets)
	}, nil
}

// ends are the last log sequences of all partitions.
func (s settling) ends(ctx context.Context) (map[int]uint64, error) {
	last, err := bus.LastPerSubject(ctx, s.js, bus.EventsStream, pipeline.Log+">")
	ends := map[int]uint64{}
	for _, e := range last {
		if p, _, ok := pipeline.ParseLog(e.Subject); ok {
			ends[p] = max(ends[p], e.Seq)
		}
	}
	return ends, err
}

// reached reports whether the contexts are current with log sequences.
func (s settling) reached(ctx context.Context, targets map[int]uint64) (bool, error) {
	cells, err := bus.NewBucket(s.js, learn.Settings).Find(ctx, "reflected.*")
	if err != nil {
		return false, err
	}
	at := map[string]uint64{}
	for _, c := range cells {
		if at[c.Key], err = strconv.ParseUint(string(c.Value), 10, 64); err != nil {
			return false, fmt.Errorf("read %s: %w", c.Key, err)
		}
	}
	for p, target := range targets {
		if at[inject.Reflected(p)] < target {
			return false, nil
		}
	}
	return true, nil
}
