package app

import (
	"context"

	"learnloop.dev/bus"
	"learnloop.dev/pipeline"
	"learnloop.dev/pipeline/analyze"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go/jetstream"
)

// fences reads the markers of partitions.
type fences struct{ js jetstream.JetStream }

// LastMarks returns the last markers of partitions.
func (f fences) LastMarks(ctx context.Context, partitions []int) (map[int]analyze.Fence, error) {
	subjects := make([]string, len(partitions))
	for i, p := range partitions {
		subjects[i] = pipeline.MarkSubject(p)
	}
	entries, err := bus.LastPerSubject(ctx, f.js, bus.InsightsStream, subjects...)
	if err != nil {
		return nil, err
	}
	last := map[int]analyze.Fence{}
	for _, e := range entries {
		p, ok := pipeline.ParseMark(e.Subject)
		if !ok {
			continue
		}
		is := analyze.Fence{Seq: e.Seq}
		if json.Unmarshal(e.Data, &is.Mark) != nil {
			is.Mark = pipeline.Mark{} // nobody's, who knows how far
		}
		last[p] = is
	}
	return last, nil
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
