package api

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"learnloop.dev/bus"
	"learnloop.dev/pipeline/analyze"
	"learnloop.dev/pipeline/ingest"
	"learnloop.dev/pipeline/inject"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go/jetstream"
)

// ReplayArgs name a replay by the replayid of its events.
type ReplayArgs struct {
	ID string `json:"id" path:"id" doc:"The replayid extension of its events."`
}

func (a *ReplayArgs) check() error { return checkID("id", a.ID) }

// Replay tells how far the events of a replay have come. It does not survive the
// analyzers' processes.
type Replay struct {
	ID         string         `json:"id"`
	Stored     int            `json:"stored" doc:"Events that count."`
	Replaced   int            `json:"replaced" doc:"Events that took the place of others with the same identity."`
	Duplicates int            `json:"duplicates"`
	Expired    int            `json:"expired" doc:"Events older than what is kept."`
	Refused    int            `json:"refused" doc:"Events that became dead letters at ingest."`
	Declined   int            `json:"declined" doc:"Events that were not kept though nothing was wrong with them."`
	Waiting    int            `json:"waiting" doc:"Feedback that waits until it is known whose exchange it is about."`
	Counting   float64        `json:"counting_seconds" doc:"How long all who count have done so; others, who have ended, may have counted before."`
	Letters    []ingest.Found `json:"letters,omitzero" doc:"Where the first that were refused came in, and where it is said why."`
	Partitions map[string]Way `json:"partitions" doc:"By number: the partitions the replay has reached."`
	Reflected  bool           `json:"reflected" doc:"Whether the contexts reflect all of it that was folded."`
}

// Way is how far a partition is, in sequences of the log.
type Way struct {
	Last      uint64 `json:"last" doc:"The last event of the replay that was folded."`
	Reflected uint64 `json:"reflected" doc:"Up to here the contexts are current."`
}

// replay adds up what ingest and the analyzers counted and asks how far the
// contexts are.
func (a *API) replay(ctx context.Context, in *ReplayArgs) (*Replay, error) {
	r := &Replay{ID: in.ID, Partitions: map[string]Way{}, Reflected: true}
	// First, so that what is released in between is counted twice and not missed.
	if err := a.judged(ctx, r); err != nil {
		return nil, err
	}
	tallies, err := a.asker.tallies(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	if err := a.fold(ctx, r, tallies); err != nil {
		return nil, err
	}
	if r.Reflected {
		if err := a.inView(ctx); err != nil {
			return nil, err
		}
	}
	if r.unheard() {
		return nil, problem(NotFound, "no event of this replay has come, or nobody remembers").
			hint("counts are kept as long as the processes that counted run; send the events again: those that came count once")
	}
	return r, nil
}

// unheard reports whether nothing is known of the replay.
func (r *Replay) unheard() bool {
	return len(r.Partitions) == 0 &&
		r.Stored+r.Replaced+r.Duplicates+r.Expired+r.Refused+r.Declined+r.Waiting == 0
}

// fold adds up what the analyzers counted and looks how far the contexts are.
func (a *API) fold(ctx context.Context, r *Replay, tallies []analyze.Tally) error {
	for i, t := range tallies {
		if i == 0 || t.Counting < r.Counting {
			r.Counting = t.Counting
		}
		r.Stored += t.Stored
		r.Replaced += t.Replaced
		r.Duplicates += t.Duplicates
		r.Expired += t.Expired
		for partition, last := range t.Last {
			reflected, err := a.reflected(ctx, partition)
			if err != nil {
				return err
			}
			r.Partitions[strconv.Itoa(partition)] = Way{last, reflected}
			r.Reflected = r.Reflected && reflected >= last
		}
	}
	return nil
}

// judged adds up what the ingest processes said last.
func (a *API) judged(ctx context.Context, r *Replay) error {
	said, err := bus.LastPerSubject(ctx, a.js, bus.OutStream, bus.NoticeSubject(ingest.ReplayJudged, r.ID)+".*")
	if err != nil {
		return unreachable(fmt.Errorf("read what ingest counted of a replay: %w", err))
	}
	for _, e := range said {
		var j ingest.Judged
		if err := json.Unmarshal(e.Data, &j); err != nil {
			return fmt.Errorf("read what ingest counted of a replay: %w", err)
		}
		r.Refused += j.Refused
		r.Declined += j.Declined
		r.Waiting += j.Waiting
		r.Letters = append(r.Letters, j.Letters...)
	}
	r.Waiting = max(r.Waiting, 0)
	return nil
}

// reflected is the log position that a partition's contexts are current with.
func (a *API) reflected(ctx context.Context, partition int) (uint64, error) {
	e, err := a.settings.Get(ctx, inject.Reflected(partition))
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, unreachable(fmt.Errorf("read position of partition %d: %w", partition, err))
	}
	seq, err := strconv.ParseUint(string(e.Value()), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("read position of partition %d: %w", partition, err)
	}
	return seq, nil
}

// inView returns when callers are told everything that stands in the bucket of contexts at
// the time of the call: it is in memory a moment later, and who waited for it must not
// read what was before.
func (a *API) inView(ctx context.Context) error {
	if a.deps.Contexts == nil || !a.deps.Contexts.Live() { // then they are told from the bucket
		return nil
	}
	if err := a.deps.Contexts.CatchUp(ctx); err != nil {
		return unreachable(err)
	}
	return nil
}
