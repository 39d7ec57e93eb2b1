package learntest

import (
	"fmt"
	"slices"
	"testing"

	"learnloop.dev/learn"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Laws is what every model must hold to, whatever it hears.
type Laws struct {
	Model learn.Model
	// Events generates what the model folds commutatively. Every event has a time,
	// so that of two contents of one record the later is known.
	Events *rapid.Generator[Event]
	// Apart gives an event that is identified by its data an identity of its own,
	// by a number; nil where all are identified by source and id.
	Apart func(Event, int) Event
	// Controls generates facts that are never taken back: ticks, deletions, resets. What
	// they do may hang on where they stand in the log. Nil where the model hears none.
	Controls *rapid.Generator[Event]
	// RowsPerRecord and LongestRow (name and value, in bytes) bound the state.
	RowsPerRecord int
	LongestRow    int
}

// law is one of them: a property that draws try to break.
type law struct {
	name  string
	holds func(*rapid.T)
}

func (l Laws) all() []law {
	return []law{
		{"the same log gives the same bytes", l.sameLog},
		{"order, partitions and duplicates do not matter", l.anyOrder},
		{"what is taken back was never there", l.takenBack},
		{"everything taken back leaves nothing", l.allTakenBack},
		{"what is published is what is known", l.fresh},
		{"the state is bounded", l.bounded},
		{"what is left of the log gives the same", l.leftOver},
		{"partitions and duplicates do not matter to deletions", l.anyPartition},
	}
}

// Check tries to break the laws.
func (l Laws) Check(t *testing.T) {
	t.Helper()
	for _, law := range l.all() {
		t.Run(law.name, rapid.MakeCheck(law.holds))
	}
}

func (l Laws) log(t *rapid.T, label string) []Event {
	return rapid.SliceOfN(l.Events, 0, 60).Draw(t, label)
}

// steered is a log with control facts among the others.
func (l Laws) steered(t *rapid.T) []Event {
	log := l.log(t, "log")
	if l.Controls == nil {
		return log
	}
	controls := rapid.SliceOfN(l.Controls, 0, 8).Draw(t, "controls")
	for i := range controls {
		controls[i] = controls[i].apart(i)
	}
	return rapid.Permutation(append(log, controls...)).Draw(t, "steered")
}

// loop folds a log, refreshing whenever the draws say so.
func (l Laws) loop(t *rapid.T, log []Event, partitions int) *Loop {
	loop := &Loop{Models: []learn.Model{l.Model}, Partitions: partitions}
	hear(t, loop, log)
	return loop
}

func hear(t *rapid.T, loop *Loop, log []Event) {
	every := rapid.IntRange(1, 20).Draw(t, "batch")
	for i, e := range log {
		if err := loop.Hear(e); err != nil {
			t.Fatalf("hear: %v", err)
		}
		if i%every == 0 {
			loop.Refresh()
		}
	}
	loop.Refresh()
}

func (l Laws) sameLog(t *rapid.T) {
	log := l.steered(t)
	equal(t, l.loop(t, log, 3), l.loop(t, log, 3))
}

func (l Laws) anyOrder(t *rapid.T) {
	log := l.log(t, "log")
	again := slices.Clone(log)
	if len(log) > 0 {
		again = append(again, rapid.SliceOf(rapid.SampledFrom(log)).Draw(t, "duplicates")...)
	}
	again = rapid.Permutation(again).Draw(t, "order")
	SameContexts(t, l.loop(t, log, 3), l.loop(t, again, rapid.IntRange(1, 7).Draw(t, "partitions")))
}

func (l Laws) takenBack(t *rapid.T) {
	stays, goes := l.log(t, "stays"), l.log(t, "goes")
	for i := range goes {
		if l.Apart != nil {
			goes[i] = l.Apart(goes[i], i)
		}
		goes[i] = goes[i].apart(i)
	}
	mixed := rapid.Permutation(slices.Concat(stays, goes)).Draw(t, "order")
	loop := l.loop(t, mixed, 3)
	gone := map[string]bool{}
	for _, e := range goes {
		gone[e.ID] = true
		loop.Withdraw(e.ID)
	}
	loop.Refresh()
	// In the order in which they came: of two reports of the same the first is kept.
	rest := slices.DeleteFunc(mixed, func(e Event) bool { return gone[e.ID] })
	equal(t, l.loop(t, rest, 3), loop)
}

func (l Laws) allTakenBack(t *rapid.T) {
	log := l.log(t, "log")
	loop := l.loop(t, log, 3)
	for _, e := range rapid.Permutation(log).Draw(t, "order") {
		loop.Withdraw(e.ID)
	}
	loop.Refresh()
	for i, p := range loop.Open() {
		if left := p.Dump(); left != "" || len(p.known) > 0 {
			t.Fatalf("partition %d still has\n%s and knows %v", i, left, p.known)
		}
	}
}

func (l Laws) fresh(t *rapid.T) {
	for _, p := range l.loop(t, l.steered(t), 2).Open() {
		if stale := p.stale(); stale != nil {
			t.Fatalf("changed without becoming dirty: %v", stale)
		}
	}
}

func (l Laws) bounded(t *rapid.T) {
	for _, p := range l.loop(t, l.steered(t), 2).Open() {
		rows := 0
		for at, data := range p.Table.All() {
			rows++
			if n := len(at.Row) + len(data); n > l.LongestRow {
				t.Fatalf("row %q has %d bytes, %d at most", at.Row, n, l.LongestRow)
			}
		}
		if limit := l.RowsPerRecord * len(p.records); rows > limit {
			t.Fatalf("%d records made %d rows, %d at most", len(p.records), rows, limit)
		}
	}
}

// leftOver holds for a log from which things have gone, taken back or replaced, among
// facts that deleted what they told.
func (l Laws) leftOver(t *rapid.T) {
	log := l.steered(t)
	loop, half := l.loop(t, nil, 3), rapid.IntRange(0, len(log)).Draw(t, "half")
	for _, part := range [][]Event{log[:half], log[half:]} {
		hear(t, loop, part)
		for _, e := range part {
			if !e.Kind.Control() && rapid.Bool().Draw(t, "goes") {
				loop.Withdraw(e.ID)
			}
		}
		loop.Refresh()
	}
	equal(t, loop.Refold(), loop)
}

func (l Laws) anyPartition(t *rapid.T) {
	log := l.steered(t)
	var again []Event
	for i, e := range log {
		again = append(again, e)
		if rapid.IntRange(0, 3).Draw(t, "again") == 0 {
			again = append(again, log[rapid.IntRange(0, i).Draw(t, "which")])
		}
	}
	SameContexts(t, l.loop(t, log, 3), l.loop(t, again, rapid.IntRange(1, 7).Draw(t, "partitions")))
}

// equal holds two loops of the same partitioning to the same rows and contexts.
func equal(t *rapid.T, want, got *Loop) {
	t.Helper()
	for i, p := range want.Open() {
		if diff := cmp.Diff(p.Dump(), got.Open()[i].Dump()); diff != "" {
			t.Fatalf("rows of partition %d: -want +got\n%s", i, diff)
		}
	}
	SameContexts(t, want, got)
}

// SameContexts holds two loops to the same contexts.
func SameContexts(t *rapid.T, want, got *Loop) {
	t.Helper()
	w, err := want.Contexts()
	if err != nil {
		t.Fatal(err)
	}
	g, err := got.Contexts()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(texts(w), texts(g)); diff != "" {
		t.Fatalf("contexts: -want +got\n%s", diff)
	}
}

func texts(contexts map[string][]byte) map[string]string {
	list := map[string]string{}
	for name, data := range contexts {
		list[name] = string(data)
	}
	return list
}

// apart gives an event an identity that no other event has.
func (e Event) apart(n int) Event {
	e.ID = fmt.Sprintf("apart-%d", n)
	e.Source = "apart"
	return e
}
