package app

import (
	"context"
	"errors"

	"learnloop.dev/bus"
	"learnloop.dev/pipeline"

	"github.com/nats-io/nats.go/jetstream"
)

// fences reads the markers of partitions.
type fences struct{ js jetstream.JetStream }

// LastMark returns a partition's last marker, 0 when it has none.
func (f fences) LastMark(ctx context.Context, partition int) (seq uint64, data []byte, err error) {
	e, err := bus.LastMsg(ctx, f.js, bus.InsightsStream, pipeline.MarkSubject(partition))
	if errors.Is(err, bus.ErrNotFound) {
		return 0, nil, nil
	}
	return e.Seq, e.Data, err
}

// claim takes the markers as they stand: whoever published them before cannot
// publish behind us any more.
func (f fences) claim(ctx context.Context, partitions int) (map[int]uint64, error) {
	claimed := make(map[int]uint64, partitions)
	for p := range partitions {
		claimed[p] = 0
	}
	entries, err := bus.LastPerSubject(ctx, f.js, bus.InsightsStream, pipeline.Marks+"*")
	for _, e := range entries {
		if p, ok := pipeline.ParseMark(e.Subject); ok {
			claimed[p] = e.Seq
		}
	}
	return claimed, err
}

// DeleteUpTo deletes all entries of a subject up to a sequence.
func (e eraser) DeleteUpTo(ctx context.Context, subject string, seq uint64) error {
	return bus.PurgeUpTo(ctx, e.js, bus.Purge{Stream: bus.EventsStream, Subject: subject, UpTo: seq})
}

// eraser deletes entries of the log.
type eraser struct{ js jetstream.JetStream }

// DeleteMsgs deletes entries for good.
func (e eraser) DeleteMsgs(ctx context.Context, seqs []uint64) error {
	return bus.DeleteMsgs(ctx, e.js, bus.EventsStream, seqs)
}
