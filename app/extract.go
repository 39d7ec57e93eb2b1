package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/pipeline"
	"learnloop.dev/pipeline/effect"
	"learnloop.dev/pipeline/ingest"

	"github.com/nats-io/nats.go/jetstream"
)

// extractor names the consumer that all processes share.
const extractor = "extractor"

// openExtract makes learnings of the discoveries in the log.
func (l *Loop) openExtract(context.Context) error {
	if !l.config.Extraction.Enabled {
		return nil
	}
	discoveries := bus.NewFacts(l.js, bus.Sharing{Name: extractor, Filter: pipeline.Log + "*." + string(events.DiscoveryObserved.Kind),
		Wait: effect.Hold, AtOnce: l.config.Extraction.AtOnce})
	l.onClose(func() error { discoveries.Close(); return nil })
	known := bus.ReadLog(l.js, bus.EventsStream, 1, aboutLearnings()...)
	l.onClose(func() error { known.Close(); return nil })
	s := effect.Stage{
		Discoveries: discoveries, Learnings: learningFacts{known, l.js}, Extractor: l.config.Extraction.extractor(),
		Hand: l.handIn, There: l.inLog, Dead: l.dead, Now: time.Now, Observe: l.observer(),
		AtOnce:    l.config.Extraction.AtOnce,
		Recurring: (&recurring{js: l.js, state: l.state, partitions: l.layout.Partitions}).list,
	}
	l.run("extract", s.Run)
	return nil
}

// aboutLearnings matches what the log has about learnings, and what takes records
// out, in the first partition, because every partition hears of that.
func aboutLearnings() []string {
	return []string{pipeline.Log + "*.learning.>", pipeline.Log + "0.control.data.>", pipeline.Log + "0.control.subject.>"}
}

// learningFacts are the facts about learnings.
type learningFacts struct {
	*bus.Log
	js jetstream.JetStream
}

// Last is the log sequence of the last of them.
func (r learningFacts) Last(ctx context.Context) (last uint64, err error) {
	for _, filter := range aboutLearnings() {
		e, err := bus.LastMsg(ctx, r.js, bus.EventsStream, filter)
		if err != nil && !errors.Is(err, bus.ErrNotFound) {
			return 0, err
		}
		last = max(last, e.Seq)
	}
	return last, nil
}

// inLog reports whether the log still has an entry.
func (l *Loop) inLog(ctx context.Context, seq uint64) (bool, error) {
	_, err := bus.GetMsg(ctx, l.js, bus.EventsStream, seq)
	if errors.Is(err, bus.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// handIn gives what the loop concluded to the ingest stage: here, or through the
// inbox, because only who takes events in holds the master key.
func (l *Loop) handIn(ctx context.Context, list []events.Envelope) error {
	if l.door == nil {
		return l.sendIn(ctx, list)
	}
	items := make([]events.Item, len(list))
	for i, e := range list {
		items[i].Envelope = e
	}
	results, err := l.door.Take(ctx, ingest.Product, items)
	if err != nil {
		return err
	}
	for _, r := range results {
		if r.Refused() {
			return &effect.RefusedError{Refusal: r.Refusal}
		}
	}
	return nil
}

func (l *Loop) sendIn(ctx context.Context, list []events.Envelope) error {
	msgs := make([]bus.Message, len(list))
	for i, e := range list {
		data, err := events.EncodeStructured(e)
		if err != nil {
			return err
		}
		msgs[i] = bus.Message{Subject: events.DerivedSubject, Data: data,
			Header: map[string][]string{"Content-Type": {events.ContentStructured}}}
	}
	if _, err := bus.NewSender(l.nc, bus.InboxStream).Send(ctx, msgs); err != nil {
		return fmt.Errorf("hand %d events to ingest: %w", len(list), err)
	}
	return nil
}
