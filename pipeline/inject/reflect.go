package inject

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/kv"
	"learnloop.dev/pipeline"

	"github.com/go-json-experiment/json"
)

// seenMark is a marker this injector has passed: all insights before it are in
// the buckets or in another injector's hands.
type seenMark struct {
	at   uint64 // its own sequence among the insights
	mark pipeline.Mark
}

func parseMark(d bus.Delivery) (seenMark, bool) {
	p, ok := pipeline.ParseMark(d.Subject)
	if !ok {
		return seenMark{}, false
	}
	m := seenMark{at: d.Seq, mark: pipeline.Mark{Partition: p}}
	if json.Unmarshal(d.Data, &m.mark) != nil {
		return seenMark{at: d.Seq}, true // a marker nobody can read says nothing
	}
	return m, true
}

// Reflector tells in the settings bucket, under reflected.<partition>, up to
// which log position the contexts are current. It only ever advances.
type Reflector struct {
	Bucket Bucket
	// Every is how often it looks while there is something to tell.
	Every time.Duration
}

// pending is what a partition waits to tell: its oldest marker, so that load
// never starves it, and its newest.
type pending struct{ first, latest seenMark }

// run holds markers until the shared consumer's floor has passed them: until
// then another injector may still be rendering an earlier insight.
func (r Reflector) run(ctx context.Context, insights Insights, seen <-chan seenMark) error {
	waiting := map[int]pending{}
	var due <-chan time.Time
	for {
		if due == nil && len(waiting) > 0 {
			due = time.After(r.Every)
		}
		select {
		case <-ctx.Done():
			return nil
		case m := <-seen:
			hold(waiting, m)
		case <-due:
			due = nil
			if err := r.tell(ctx, insights, waiting); err != nil && ctx.Err() == nil {
				return err
			}
		}
	}
}

func hold(waiting map[int]pending, m seenMark) {
	if m.mark.Seq == 0 {
		return // published in pieces: a later marker completes it
	}
	p, known := waiting[m.mark.Partition]
	if !known {
		p.first = m
	}
	p.latest = m
	waiting[m.mark.Partition] = p
}

// tell writes every position that the floor has passed.
func (r Reflector) tell(ctx context.Context, insights Insights, waiting map[int]pending) error {
	floor, err := insights.Floor(ctx)
	if err != nil {
		return fmt.Errorf("ask for the acknowledgement floor: %w", err)
	}
	var entries []kv.Entry
	for _, partition := range sorted(waiting) {
		p := waiting[partition]
		reached := p.latest
		switch {
		case p.first.at > floor.Acked:
			continue
		case p.latest.at > floor.Acked:
			reached = p.first
			waiting[partition] = pending{p.latest, p.latest}
		default:
			delete(waiting, partition)
		}
		entries = append(entries, kv.Entry{Key: Reflected(partition),
			Value: []byte(strconv.FormatUint(reached.mark.Seq, 10)), Insight: reached.mark.Seq})
	}
	if len(entries) == 0 {
		return nil
	}
	_, err = r.Bucket.Put(ctx, entries)
	return err
}

// Reflected is the key of a partition's log position in the settings bucket.
func Reflected(partition int) string { return "reflected." + strconv.Itoa(partition) }

// sorted returns a map's keys in order.
func sorted[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
