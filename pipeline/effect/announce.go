package effect

import (
	"context"
	"fmt"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/pipeline"

	"github.com/go-json-experiment/json"
)

// Notices publishes what whoever listens may want to know.
type Notices interface {
	Put(ctx context.Context, notices []bus.Notice) error
}

// Standing is how a log entry stands in what was folded.
type Standing int

const (
	// Unfolded is one that is yet to be folded.
	Unfolded Standing = iota
	// Idle is one that nothing rests on: a duplicate, replaced, or taken out.
	Idle
	// Counting is the one that its record rests on.
	Counting
)

// Place is a log entry and the record that it is of.
type Place struct {
	Partition int
	Seq       uint64
	Record    string
}

// Announcer tells whoever listens which samples were stored: once for each record
// and content, however often it was sent.
type Announcer struct {
	Samples Facts
	// Standings tells of each entry how it stands.
	Standings func(entries []Place) ([]Standing, error)
	Notices   Notices
	Now       func() time.Time
	Observe   pipeline.Observer
	// Every is how long samples are collected before it is looked how they stand.
	Every time.Duration
}

// Telling is how long a process may be silent about samples that it tells of. Who died
// before it could say that they were told is followed within the time in which the
// stream drops what is told again.
const Telling = bus.OnceWindow / 3

// SampleCaptured is the kind of the notice that a sample was stored, and the topic
// that it is told under.
const (
	SampleCaptured events.Kind = "learning_sample_captured"
	sampleTopic    events.Kind = "sample.captured"
)

// sampleCaptured is its data (source document 002, section 6).
type sampleCaptured struct {
	Family  string      `json:"event_family"`
	Type    events.Kind `json:"event_type"`
	Payload sampleNamed `json:"payload"`
}

type sampleNamed struct {
	ID     events.ID `json:"sample_id"`
	Family string    `json:"sample_family"`
}

// Run works until the context ends.
func (a Announcer) Run(ctx context.Context) error {
	a.Observe = a.Observe.EnsureDefaults()
	for {
		batch, err := a.Samples.Next(ctx)
		if ctx.Err() != nil {
			return nil //nolint:nilerr // the stage was asked to stop
		}
		if err != nil {
			return fmt.Errorf("read samples: %w", err)
		}
		if err := a.announce(ctx, batch); err != nil {
			if ctx.Err() != nil {
				return nil //nolint:nilerr // what is not acknowledged comes again
			}
			return fmt.Errorf("announce %d samples: %w", len(batch), err)
		}
	}
}

// stored is a sample on its way to who listens.
type stored struct {
	bus.Delivery
	place  Place
	notice bus.Notice
}

func (a Announcer) announce(ctx context.Context, batch []bus.Delivery) error {
	if len(batch) == 0 {
		return nil
	}
	if err := pause(ctx, batch[len(batch)-1].Stored.Add(a.Every).Sub(a.Now())); err != nil {
		return err
	}
	list, err := toTell(batch)
	if err != nil {
		return err
	}
	places := make([]Place, len(list))
	for i, s := range list {
		places[i] = s.place
	}
	var standings []Standing
	err = pipeline.Retry(ctx, func() (err error) { standings, err = a.Standings(places); return err },
		pipeline.Never, func(err error) { a.Observe.Retried("look how samples stand", err) })
	if err != nil {
		return err
	}
	return a.tell(ctx, list, standings)
}

// toTell reads what is to be told. An entry that cannot be read is the analyzer's to
// report.
func toTell(batch []bus.Delivery) (list []stored, err error) {
	for _, d := range batch {
		s := stored{Delivery: d}
		if rec, err := events.SampleCaptured.ReadFact(d.Data); err == nil {
			f := rec.(*events.Fact[events.Sample])
			s.place = Place{Seq: d.Seq, Record: f.Record}
			s.place.Partition, _, _ = pipeline.ParseLog(d.Subject)
			if s.notice, err = noticeOf(f); err != nil {
				return nil, err
			}
		}
		list = append(list, s)
	}
	return list, nil
}

func noticeOf(f *events.Fact[events.Sample]) (bus.Notice, error) {
	data, err := json.Marshal(sampleCaptured{"external_integration", SampleCaptured, sampleNamed{f.Data.SampleID, f.Data.SampleFamily}})
	if err != nil {
		return bus.Notice{}, fmt.Errorf("encode notice of %s: %w", f.Record, err)
	}
	return bus.Notice{Kind: SampleCaptured, Topic: sampleTopic, ID: f.Record + "/" + f.Content, Once: true, Data: data}, nil
}

// tell publishes what counts and hands back what is yet to be folded.
func (a Announcer) tell(ctx context.Context, list []stored, standings []Standing) error {
	var notices []bus.Notice
	for i, s := range list {
		if standings[i] == Counting {
			notices = append(notices, s.notice)
		}
	}
	if len(notices) > 0 {
		err := pipeline.Retry(ctx, func() error { return a.Notices.Put(ctx, notices) },
			pipeline.Never, func(err error) { a.Observe.Retried("publish notices", err) })
		if err != nil {
			return err
		}
	}
	for i, s := range list {
		answer := s.Ack
		if standings[i] == Unfolded {
			answer = func() error { return s.Nak(a.Every) }
		}
		if err := answer(); err != nil {
			a.Observe.Retried("say what became of a sample", err) // it will be delivered again
		}
	}
	return nil
}
