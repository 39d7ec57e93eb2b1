package api

import (
	"context"
	"fmt"
	"strings"
	"time"

	"learnloop.dev/bus"

	"github.com/nats-io/nats.go/jetstream"
)

// Status is how the loop is doing.
type Status struct {
	Version    string         `json:"version"`
	At         time.Time      `json:"at" doc:"By the clock of the loop."`
	Ready      bool           `json:"ready"`
	Waiting    string         `json:"waiting,omitzero" doc:"What is not ready yet."`
	Streams    []StreamStatus `json:"streams" nullable:"false"`
	Partitions int            `json:"partitions" doc:"Of the log."`
	Log        uint64         `json:"log" doc:"The last sequence of the log."`
	Reflected  []uint64       `json:"reflected" nullable:"false" doc:"Per partition: the log position its contexts are current with, 0 before the first."`
	Removed    *Removed       `json:"removed,omitzero" doc:"Personal data and secrets that were removed; absent where another process takes events in."`
}

// Removed is how much of each type was removed at ingest before anything was stored. It
// counts finds, and knows nothing of what was found.
type Removed struct {
	Since time.Time         `json:"since" doc:"When counting began: at the start of the process."`
	Types map[string]uint64 `json:"types" nullable:"false"`
}

// StreamStatus is what one stream holds and how far its readers are.
type StreamStatus struct {
	Name      string           `json:"name"`
	Messages  uint64           `json:"messages"`
	Bytes     uint64           `json:"bytes"`
	Limit     uint64           `json:"limit,omitzero" doc:"Of its bytes; absent when there is none."`
	First     uint64           `json:"first" doc:"Sequence."`
	Last      uint64           `json:"last" doc:"Sequence."`
	Consumers []ConsumerStatus `json:"consumers" nullable:"false"`
}

// ConsumerStatus is how far a reader is behind.
type ConsumerStatus struct {
	Name    string `json:"name"`
	Pending uint64 `json:"pending" doc:"Messages not delivered yet."`
	Unacked int    `json:"unacked" doc:"Messages delivered and not acknowledged."`
	Floor   uint64 `json:"floor" doc:"Everything up to this sequence is acknowledged."`
}

// status looks at every stream of the loop.
func (a *API) status(ctx context.Context, _ *NoArgs) (*Status, error) {
	s := &Status{Version: a.deps.Version, At: a.deps.Now(), Ready: true, Partitions: a.deps.Partitions}
	if err := a.deps.Ready(); err != nil {
		s.Ready, s.Waiting = false, strings.ReplaceAll(err.Error(), "\n", "; ")
	}
	if a.deps.Removed != nil {
		s.Removed = a.deps.Removed()
	}
	list := a.js.ListStreams(ctx)
	for info := range list.Info() {
		if !strings.HasPrefix(info.Config.Name, "LEARN_") && !strings.HasPrefix(info.Config.Name, "KV_learn_") {
			continue
		}
		stream, err := a.streamStatus(ctx, info)
		if err != nil {
			return nil, unreachable(err)
		}
		s.Streams = append(s.Streams, stream)
		if stream.Name == bus.EventsStream {
			s.Log = stream.Last
		}
	}
	if err := list.Err(); err != nil {
		return nil, unreachable(fmt.Errorf("list streams: %w", err))
	}
	for p := range a.deps.Partitions {
		seq, err := a.reflected(ctx, p)
		if err != nil {
			return nil, err
		}
		s.Reflected = append(s.Reflected, seq)
	}
	return s, nil
}

func (a *API) streamStatus(ctx context.Context, info *jetstream.StreamInfo) (StreamStatus, error) {
	s := StreamStatus{
		Name: info.Config.Name, Messages: info.State.Msgs, Bytes: info.State.Bytes,
		Limit: uint64(max(info.Config.MaxBytes, 0)), First: info.State.FirstSeq, Last: info.State.LastSeq, Consumers: []ConsumerStatus{},
	}
	stream, err := a.js.Stream(ctx, s.Name)
	if err != nil {
		return s, fmt.Errorf("look at stream %s: %w", s.Name, err)
	}
	list := stream.ListConsumers(ctx)
	for c := range list.Info() {
		s.Consumers = append(s.Consumers, ConsumerStatus{c.Name, c.NumPending, c.NumAckPending, c.AckFloor.Stream})
	}
	return s, list.Err()
}
