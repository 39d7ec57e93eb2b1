package store_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/store"
)

// seven is the key of most test stores.
var seven = slices.Repeat([]byte{7}, 32)

func openStore(tb testing.TB) (*store.Store, string) {
	tb.Helper()
	dir := tb.TempDir()
	return openDir(tb, dir), dir
}

func openDir(tb testing.TB, dir string) *store.Store {
	tb.Helper()
	s, err := store.Open(store.Options{Dir: dir, Key: seven, Logger: func(line string) { tb.Log(line) }})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { closeStore(tb, s) })
	return s
}

// closeStore closes a store; a second time does nothing.
func closeStore(tb testing.TB, s *store.Store) {
	tb.Helper()
	if err := s.Close(); err != nil {
		tb.Error(err)
	}
}

func commit(tb testing.TB, b *store.Batch) {
	tb.Helper()
	if err := b.Commit(); err != nil {
		tb.Fatal(err)
	}
}

func flush(tb testing.TB, s *store.Store) {
	tb.Helper()
	if err := s.Flush(); err != nil {
		tb.Fatal(err)
	}
}

func view(tb testing.TB, s *store.Store, read func(*store.View)) {
	tb.Helper()
	if err := s.View(func(v *store.View) error { read(v); return nil }); err != nil {
		tb.Fatal(err)
	}
}

// day is the event time of most test facts.
var day = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// fact returns feedback about a rule and its bytes in the log.
func fact(tb testing.TB, h events.Head) (events.Recorded, []byte) {
	tb.Helper()
	if h.Type == "" {
		h.Type = events.FeedbackFix.Kind.Type()
	}
	spec, ok := events.Lookup(h.Kind())
	if !ok {
		tb.Fatalf("unknown kind %s", h.Kind())
	}
	if h.Time.IsZero() {
		h.Time = day
	}
	h.SpecVersion, h.ID, h.Source, h.Recorded, h.Group = "1.0", "e-"+h.Record, "test", h.Time, events.ByRule
	rec := spec.Fact(h, spec.NewPayload())
	raw, err := events.Encode(rec)
	if err != nil {
		tb.Fatal(err)
	}
	return rec, raw
}

func put(tb testing.TB, p *store.Partition, h events.Head) {
	tb.Helper()
	rec, raw := fact(tb, h)
	p.Put(rec, raw)
}

// ids names records as "id@sequence".
func ids[S ~func(yield func(events.Recorded) bool)](records S) []string {
	names := []string{}
	for r := range records {
		names = append(names, fmt.Sprintf("%s@%d", r.Header().Record, r.Header().Seq))
	}
	return names
}

// tally is the row of the tests.
type tally struct {
	Count int64  `json:"count"`
	Text  string `json:"text,omitzero"`
}

var passive = learn.Key{Kind: "rule", ID: "passive"}

// rows opens a table as the model of the tests.
func rows(t learn.Table, model string) learn.Rows {
	return learn.Model{Name: model}.Open(t)
}

// head is that of a fact about the passive rule.
func head(id string, seq uint64) events.Head {
	return events.Head{Record: id, Seq: seq, Key: passive.ID}
}
