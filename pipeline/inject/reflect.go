package inject

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/kv"
	"learnloop.dev/pipeline"

	"github.com/go-json-experiment/json"
)

// Reflector tells in the settings bucket, under reflected.<partition>, up to
// which log position the contexts are current. It only ever advances, until a server
// that was killed makes all contexts be rendered again.
type Reflector struct {
	Bucket Bucket
	// Every is how often it looks while there is something to tell.
	Every time.Duration
}

const reflected = "reflected."

// Positions matches the keys of the log positions of all partitions.
const Positions = reflected + "*"

// Reflected is the key of a partition's log position in the settings bucket.
func Reflected(partition int) string { return reflected + strconv.Itoa(partition) }

// seenMark is a marker that an injector has passed: all insights before it are in
// the buckets or in another injector's hands.
type seenMark struct {
	at   uint64 // its own sequence among the insights
	mark pipeline.Mark
}

func parseMark(subject string, data []byte, seq uint64) (seenMark, bool) {
	p, ok := pipeline.ParseMark(subject)
	if !ok {
		return seenMark{}, false
	}
	m := seenMark{at: seq, mark: pipeline.Mark{Partition: p}}
	if json.Unmarshal(data, &m.mark) != nil {
		return seenMark{at: seq}, true // a marker nobody can read says nothing
	}
	return m, true
}

// marks are the markers whose positions have not been told yet. They wait until
// the shared consumer's floor has passed them: until then another injector may
// still be rendering an earlier insight.
type marks struct {
	wake chan struct{}

	mu      sync.Mutex
	waiting map[int]pending // by partition, guarded by mu
}

// pending is what a partition waits to tell: its oldest marker, so that load
// never starves it, and its newest.
type pending struct{ first, latest seenMark }

func newMarks() *marks { return &marks{wake: make(chan struct{}, 1), waiting: map[int]pending{}} }

// hold never waits.
func (m *marks) hold(seen ...seenMark) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range seen {
		if s.mark.Seq == 0 {
			continue // published in pieces: a later marker completes it
		}
		p, known := m.waiting[s.mark.Partition]
		if !known {
			p.first = s
		}
		if s.at >= p.latest.at {
			p.latest = s
		}
		m.waiting[s.mark.Partition] = p
	}
	if len(m.waiting) == 0 {
		return
	}
	select {
	case m.wake <- struct{}{}:
	default:
	}
}

// passed returns the newest marker of each partition that a floor has passed, in
// the order of the partitions.
func (m *marks) passed(floor uint64) (passed []seenMark) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, partition := range sorted(m.waiting) {
		switch p := m.waiting[partition]; {
		case p.latest.at <= floor:
			passed = append(passed, p.latest)
		case p.first.at <= floor:
			passed = append(passed, p.first)
		}
	}
	return passed
}

// told forgets markers whose positions stand in the bucket, and reports whether
// others wait.
func (m *marks) told(told []seenMark) (more bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, t := range told {
		p := m.waiting[t.mark.Partition]
		if p.latest == t {
			delete(m.waiting, t.mark.Partition)
			continue
		}
		m.waiting[t.mark.Partition] = pending{p.latest, p.latest}
	}
	return len(m.waiting) > 0
}

// reflect tells the positions of markers until its context ends. It begins with
// those that stand: whoever acknowledged them may not have lived to tell.
func (s Stage) reflect(ctx context.Context, marks *marks) error {
	var stand []bus.Entry
	err := s.retry(ctx, "read the markers", func() (err error) {
		stand, err = s.Parts.PerSubject(ctx, 0, pipeline.Marks+"*")
		return err
	})
	if err != nil && ctx.Err() == nil {
		return err
	}
	for _, e := range stand {
		if m, ok := parseMark(e.Subject, e.Data, e.Seq); ok {
			marks.hold(m)
		}
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-marks.wake:
		}
		if err := s.tellAll(ctx, marks); err != nil && ctx.Err() == nil {
			return err
		}
	}
}

// tellAll tells, as often as it may, until nothing waits.
func (s Stage) tellAll(ctx context.Context, marks *marks) error {
	for more := true; more; {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(s.Reflect.Every):
		}
		err := s.retry(ctx, "tell the log position", func() (err error) {
			more, err = s.tell(ctx, marks)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// tell writes every position that the floor has passed.
func (s Stage) tell(ctx context.Context, marks *marks) (more bool, err error) {
	floor, err := s.Insights.Floor(ctx)
	if err != nil {
		return true, fmt.Errorf("ask for the acknowledgement floor: %w", err)
	}
	passed := marks.passed(floor.Acked)
	if len(passed) == 0 {
		return marks.told(nil), nil
	}
	entries := make([]kv.Entry, len(passed))
	for i, m := range passed {
		entries[i] = kv.Entry{Key: Reflected(m.mark.Partition),
			Value: []byte(strconv.FormatUint(m.mark.Seq, 10)), Insight: m.mark.Seq}
	}
	if _, err := s.Reflect.Bucket.Put(ctx, entries); err != nil {
		return true, err
	}
	return marks.told(passed), nil
}

// sorted returns a map's keys in order.
func sorted[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
