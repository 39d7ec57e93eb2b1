package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"learnloop.dev/api"
	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/learn/experiments"
	"learnloop.dev/pipeline"
	"learnloop.dev/pipeline/analyze"
	"learnloop.dev/pipeline/forget"
	"learnloop.dev/pipeline/ingest"
	"learnloop.dev/pipeline/inject"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go/jetstream"
)

// openRetention follows the tombstones where events are taken in, tells what has
// become too old where the records are, and forgets people where orders come in.
func (l *Loop) openRetention(context.Context) error {
	if l.role.is(Ingest) {
		graves := bus.ReadLog(l.js, bus.EventsStream, 1, ingest.TombstoneSubject())
		l.onClose(func() error { graves.Close(); return nil })
		l.run("tombstones", func(ctx context.Context) error { return l.tombstones.Follow(ctx, graves) })
	}
	if l.role.is(Analyzer) {
		l.run("retention", ingest.Retention{Issuer: l.issuer(), Records: l.answerer(), Policy: l.authority.policy.Load,
			Changed: l.authority.changed, Condense: l.condenser().Condense, Ended: l.endedBefore, Now: time.Now, Observe: l.observer()}.Run)
	}
	if l.role.is(Injector) {
		chancery := l.chancery()
		l.run("forget", forget.Stage{
			Desk: bus.NewBucket(l.js, learn.Settings), Parties: l.parties(),
			Issue: issuing{chancery}.tombstones, Settled: settling{l.js, chancery.Ends}.since, Now: time.Now, Observe: l.observer(),
		}.Run)
	}
	return nil
}

// issuer issues control facts: here, or where the keys are.
func (l *Loop) issuer() ingest.Issuer {
	if l.door != nil {
		return l.door
	}
	return api.NewSteward(l.nc)
}

// endedBefore are the experiments that were over before a time, and have records that were stored before it.
func (l *Loop) endedBefore(before time.Time) (ended []events.ID, err error) {
	parts, err := l.answerer().Ask(experiments.Name, experiments.AskEnds, nil)
	if err != nil {
		return nil, err
	}
	for _, part := range parts {
		var ends map[events.ID]experiments.End
		if err := json.Unmarshal(part.Value, &ends); err != nil {
			return nil, fmt.Errorf("read the ends of experiments: %w", err)
		}
		for name, end := range ends {
			if end.Before(before) {
				ended = append(ended, name)
			}
		}
	}
	slices.Sort(ended)
	return ended, nil
}

// condenser sums conversations up before their records go.
func (l *Loop) condenser() analyze.Condenser {
	return analyze.Condenser{Answerer: l.answerer(), Log: l.facts, Observe: l.observer(), End: func(ctx context.Context, p int) (uint64, error) {
		last, err := bus.LastMsg(ctx, l.js, bus.EventsStream, fmt.Sprintf("%s%d.>", pipeline.Log, p))
		if errors.Is(err, bus.ErrNotFound) {
			return 0, nil
		}
		return last.Seq, err
	}}
}

// chancery puts orders into the log and knows where it ends.
type chancery interface {
	api.Issuer
	api.Importer
	Ends(ctx context.Context) (map[int]uint64, error)
}

// chancery is the one of this process, or of where the keys are.
func (l *Loop) chancery() chancery {
	if l.door != nil {
		return clerk{l.door, l.js}
	}
	return api.NewSteward(l.nc)
}

// driver appends what could not be folded again, here or where the keys are.
func (l *Loop) driver() api.Driver {
	if l.door != nil {
		return clerk{l.door, l.js}
	}
	return api.NewSteward(l.nc)
}

// clerk is the chancery of a process that takes events in.
type clerk struct {
	door *ingest.Door
	js   jetstream.JetStream
}

// Issue appends a control fact in every partition.
func (c clerk) Issue(ctx context.Context, o ingest.Order) (map[int]uint64, error) {
	if err := c.door.Control(ctx, o); err != nil {
		return nil, err
	}
	return ends(ctx, c.js, pipeline.Log+"*."+string(o.Kind))
}

// Import puts imported counts into the log.
func (c clerk) Import(ctx context.Context, facts []*events.DataImported) (map[int]uint64, error) {
	orders, now := make([]ingest.Order, len(facts)), time.Now().UTC()
	for i, f := range facts {
		id := "imported/" + f.Checksum + "/" + strconv.Itoa(i)
		orders[i] = ingest.Order{ID: id, Kind: events.ControlImported.Kind, At: now, Payload: f}
	}
	for some := range slices.Chunk(orders, importedAtOnce) {
		if err := c.door.Controls(ctx, some...); err != nil {
			return nil, err
		}
	}
	return ends(ctx, c.js, pipeline.Log+"*."+string(events.ControlImported.Kind))
}

// importedAtOnce is how many imported facts are put into the log together.
const importedAtOnce = 200

// Redrive appends a log entry that could not be folded once more.
func (c clerk) Redrive(ctx context.Context, o api.RedriveOrder) (map[int]uint64, error) {
	e, err := bus.GetMsg(ctx, c.js, bus.EventsStream, o.Sequence)
	if errors.Is(err, bus.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	p, _, ok := pipeline.ParseLog(e.Subject)
	if !ok {
		return nil, fmt.Errorf("drive entry %d again: it is none of the log", o.Sequence)
	}
	seq, err := c.door.Again(ctx, e, o.Letter)
	return map[int]uint64{p: seq}, err
}

// Ends are the last log sequences of all partitions.
func (c clerk) Ends(ctx context.Context) (map[int]uint64, error) {
	return ends(ctx, c.js, pipeline.Log+">")
}

// ends are the last log sequences of what matches, by partition.
func ends(ctx context.Context, js jetstream.JetStream, filter string) (map[int]uint64, error) {
	last, err := bus.LastPerSubject(ctx, js, bus.EventsStream, filter)
	at := map[int]uint64{}
	for _, e := range last {
		if p, _, ok := pipeline.ParseLog(e.Subject); ok {
			at[p] = max(at[p], e.Seq)
		}
	}
	return at, err
}

// issuing gives the orders of jobs.
type issuing struct{ to api.Issuer }

// tombstones puts the tombstones of a job into the log.
func (i issuing) tombstones(ctx context.Context, job forget.Job) error {
	for n, subject := range job.Subjects {
		_, err := i.to.Issue(ctx, ingest.Order{
			ID: "forgotten/" + job.ID + "/" + strconv.Itoa(n), Kind: events.ControlForgotten.Kind, At: job.Before,
			Payload: &events.SubjectForgotten{Subject: subject, Before: job.Before, Actor: job.Actor},
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// settling finds out when what was stored has gone through all stages.
type settling struct {
	js   jetstream.JetStream
	ends func(ctx context.Context) (map[int]uint64, error) // of the log
}

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

// reached reports whether the contexts are current with log sequences.
func (s settling) reached(ctx context.Context, targets map[int]uint64) (bool, error) {
	cells, err := bus.NewBucket(s.js, learn.Settings).Find(ctx, inject.Positions)
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
