package forget

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/store"

	"github.com/go-json-experiment/json"
)

var cutoff = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

const (
	blind = "k3xq7m2n5p4r6s8tk3xq7m2n5p"
	name  = "pabcd_k3xq7m2n5p4r6s8tabcdefghij"
)

// world is everything around the stage in memory. A call of a number may be the
// last of a process: before it has done anything, or after.
type world struct {
	desk      map[string]bus.Cell
	streams   map[string][]bus.Entry
	versions  []store.Version
	stale     []store.Version // gone once the state is compacted
	behind    int             // how often the state is asked before it is whole
	dirty     []store.Mark    // told when it was asked for once
	compacted int
	calls     int
	dies      int
	done      bool // what it dies of is done
}

var errKilled = errors.New("killed")

// act is one call from outside.
func (w *world) act(do func()) error {
	w.calls++
	if w.calls == w.dies && !w.done {
		return errKilled
	}
	do()
	if w.calls == w.dies {
		return errKilled
	}
	return nil
}

// fact is a log entry about a person.
func fact(person, user string, at time.Time) bus.Entry {
	f := &events.Fact[events.FixFeedback]{Head: events.Head{SpecVersion: "1.0", ID: "e", Source: "/t", Type: events.FeedbackFix.Kind.Type(),
		Time: at, Recorded: at, Record: "r" + person, Group: events.ByRule, Key: "r", Person: person}}
	f.Data.UserID = events.ID(user)
	data, err := events.Encode(f)
	if err != nil {
		panic(err) // the test is wrong
	}
	return bus.Entry{Subject: "learn.ev.0.feedback.fix", Data: data, Stored: at}
}

func newWorld(t *testing.T) *world {
	t.Helper()
	old := cutoff.Add(-time.Hour)
	w := &world{desk: map[string]bus.Cell{}, streams: map[string][]bus.Entry{
		bus.EventsStream:   {fact(blind, name, old), fact("other", "pabcd_other", old)},
		bus.InsightsStream: {{Subject: "learn.know.0.m.user." + name, Stored: old}, {Subject: "learn.know.0.m.rule.r", Stored: old}},
		bus.OutStream:      {{Subject: "learn.out.context.changed", Data: []byte(`{"key":"user.` + name + `"}`), Stored: old}},
		"KV_learn_owners":  {{Subject: "$KV.learn_owners.x", Data: []byte(`{"person":"` + blind + `"}`), Stored: old}},
	}}
	w.stale = []store.Version{{Text: []byte("row " + name)}, {Text: []byte("body"), Facts: w.streams[bus.EventsStream][0].Data}}
	w.versions = []store.Version{{Meta: "law", Text: []byte(blind)}, {Text: []byte("row")}}
	data, err := json.Marshal(Job{ID: "J", Subjects: []string{blind}, Names: []string{name}, Before: cutoff,
		Records: map[events.Kind]int{events.FeedbackFix.Kind: 1}})
	if err != nil {
		t.Fatal(err)
	}
	w.desk[JobKey("J")] = bus.Cell{Key: JobKey("J"), Value: data, Revision: 1}
	return w
}

func (w *world) stage() Stage {
	settled := func(context.Context) (bool, error) { return true, w.act(func() {}) }
	return Stage{Desk: desk{w}, Parties: []Party{Archive{streams{w}, state{w}, w.whole, "law"}}, Now: func() time.Time { return cutoff },
		Issue: func(context.Context, Job) error {
			return w.act(func() {
				f := &events.Fact[events.SubjectForgotten]{Head: events.Head{SpecVersion: "1.0", Type: events.ControlForgotten.Kind.Type(),
					Time: cutoff, Recorded: cutoff, Group: events.Everywhere}, Data: events.SubjectForgotten{Subject: blind, Before: cutoff}}
				data, _ := events.Encode(f) // it is one of ours
				w.streams[bus.EventsStream] = append(w.streams[bus.EventsStream], bus.Entry{Data: data, Stored: cutoff})
			})
		},
		Settled: func(context.Context) (func(context.Context) (bool, error), error) { return settled, w.act(func() {}) },
	}
}

type desk struct{ *world }

// Find returns cells by key or prefix.
func (d desk) Find(_ context.Context, patterns ...string) (cells []bus.Cell, err error) {
	err = d.act(func() {
		for _, key := range slices.Sorted(maps.Keys(d.desk)) {
			if key == patterns[0] || strings.HasPrefix(key, strings.TrimSuffix(patterns[0], "*")) {
				cells = append(cells, d.desk[key])
			}
		}
	})
	return cells, err
}

// Put stores cells at their revisions.
func (d desk) Put(_ context.Context, cells []bus.Cell) error {
	return d.act(func() {
		for _, c := range cells {
			c.Revision++
			d.desk[c.Key] = c
		}
	})
}

// Remove deletes a cell.
func (d desk) Remove(_ context.Context, c bus.Cell) error {
	return d.act(func() { delete(d.desk, c.Key) })
}

type streams struct{ *world }

// Names lists the streams.
func (s streams) Names(context.Context) (names []string, err error) {
	return slices.Sorted(maps.Keys(s.streams)), s.act(func() {})
}

// Comb hands out the messages of a stream.
func (s streams) Comb(_ context.Context, stream string, take func(bus.Entry) error) error {
	for i, e := range s.streams[stream] {
		e.Seq = uint64(i + 1)
		if err := take(e); err != nil {
			return err
		}
	}
	return s.act(func() {})
}

// Erase deletes messages.
func (s streams) Erase(_ context.Context, stream string, found []bus.Entry) error {
	return s.act(func() {
		var left []bus.Entry
		for i, e := range s.streams[stream] {
			if !slices.ContainsFunc(found, func(f bus.Entry) bool { return f.Seq == uint64(i+1) }) {
				left = append(left, e)
			}
		}
		s.streams[stream] = left
	})
}

// whole becomes true after a while.
func (w *world) whole() bool {
	w.behind--
	return w.behind < 0
}

type state struct{ *world }

// Dirty lists what is told right after that.
func (s state) Dirty() []store.Mark {
	list := s.dirty
	s.dirty = nil
	return list
}

// Compact drops what is stale.
func (s state) Compact(settled func(store.Mark) bool) error {
	if !settled(store.Mark{Model: "m", Key: learn.Key{Kind: "user", ID: name}}) || settled(store.Mark{Model: "m", Key: learn.Key{Kind: "rule", ID: "r"}}) {
		return errors.New("others than the person's keys have settled")
	}
	return s.act(func() {
		s.compacted++
		s.stale = nil
	})
}

// Comb hands out all versions.
func (s state) Comb(take func(store.Version) error) error {
	for _, v := range slices.Concat(s.versions, s.stale) {
		if err := take(v); err != nil {
			return err
		}
	}
	return s.act(func() {})
}

// report is what the stage left.
func (w *world) report(t *testing.T) (r Report) {
	t.Helper()
	if err := json.Unmarshal(w.desk[ReportKey("J")].Value, &r); err != nil || len(w.desk) != 1 {
		t.Fatalf("%v: the desk holds %v", err, slices.Sorted(maps.Keys(w.desk)))
	}
	return r
}

func TestKilledAtAnyStepItIsTakenUpAgain(t *testing.T) {
	whole := newWorld(t)
	if err := whole.stage().Work(t.Context()); err != nil {
		t.Fatal(err)
	}
	if whole.calls < 15 {
		t.Fatalf("%d steps", whole.calls)
	}
	for step := range whole.calls {
		for _, done := range []bool{false, true} {
			w := newWorld(t)
			w.dies, w.done = step+1, done
			if err := w.stage().Work(t.Context()); !errors.Is(err, errKilled) {
				t.Fatalf("step %d: %v", step+1, err)
			}
			w.dies = 0
			if err := w.stage().Work(t.Context()); err != nil {
				t.Fatal(err)
			}
			if r := w.report(t); r.Scan.Found != 0 || r.Records[events.FeedbackFix.Kind] != 1 {
				t.Errorf("killed at step %d: %+v", step+1, r)
			}
			if log := w.streams[bus.EventsStream]; len(log) < 2 || len(w.streams[bus.InsightsStream]) != 1 {
				t.Errorf("killed at step %d, %d log entries and %d insights are left", step+1, len(log), len(w.streams[bus.InsightsStream]))
			}
		}
	}
}

func TestWhoCameBackSinceIsNotFound(t *testing.T) {
	w := newWorld(t)
	w.streams[bus.EventsStream] = append(w.streams[bus.EventsStream], fact(blind, name, cutoff.Add(time.Hour)))
	w.versions = append(w.versions, store.Version{Text: []byte("row " + name)})
	w.streams[bus.OutStream] = append(w.streams[bus.OutStream], bus.Entry{Data: []byte(name), Stored: cutoff.Add(time.Hour)})
	if err := w.stage().Work(t.Context()); err != nil {
		t.Fatal(err)
	}
	r := w.report(t)
	if r.Scan.Found != 0 || r.Scan.Newer == 0 || len(w.streams[bus.OutStream]) != 1 || len(w.streams[bus.InsightsStream]) != 2 {
		t.Errorf("%+v, %d notices, %d insights", r.Scan, len(w.streams[bus.OutStream]), len(w.streams[bus.InsightsStream]))
	}
}

func TestAStateThatIsBehindIsWaitedFor(t *testing.T) {
	w := newWorld(t)
	w.behind = 3
	w.dirty = []store.Mark{{Model: "m", Key: learn.Key{Kind: "user", ID: name}}}
	if err := w.stage().Work(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r := w.report(t); r.Scan.Found != 0 || w.compacted != 1 || r.Erased["KV_learn_owners"] != 1 {
		t.Errorf("compacted %d times: %+v", w.compacted, r)
	}
}

func TestWhatIsToldOfOthersKeepsNobodyWaiting(t *testing.T) {
	n := search{needles: needlesOf(Job{Subjects: []string{blind}, Names: []string{name, "bob"}})}
	for id, want := range map[string]bool{name: true, "bob": true, "bobby": false, "pabcd_other": false} {
		if got := n.untold([]store.Mark{{Model: "rules", Key: learn.Key{Kind: "user", ID: id}}}); got != want {
			t.Errorf("%s: %v", id, got)
		}
	}
	n.newer = true
	if n.untold([]store.Mark{{Model: "rules", Key: learn.Key{Kind: "user", ID: name}}}) {
		t.Error("who came back is waited for")
	}
}

func TestWhatCannotBeRemovedIsReported(t *testing.T) {
	w := newWorld(t)
	mention := fact("other", "pabcd_other", cutoff.Add(-time.Hour))
	mention.Data = []byte(strings.Replace(string(mention.Data), "pabcd_other", name, 1)) // of somebody else
	w.streams[bus.EventsStream] = append(w.streams[bus.EventsStream], mention)
	if err := w.stage().Work(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r := w.report(t); r.Scan.Found != 1 || r.Scan.Places[bus.EventsStream] != 1 {
		t.Errorf("%+v", r.Scan)
	}
}

func TestWhatAPersonChoseIsNoTrace(t *testing.T) {
	n := needlesOf(Job{Subjects: []string{blind}})
	for text, want := range map[string]bool{
		"$KV.learn_settings.person." + blind:                      false,
		`{"kind":"person","id":"` + blind + `","value":1}`:        false,
		`{"key":"person.` + blind + `"}`:                          false,
		`{"person":"` + blind + `"}`:                              true,
		`{"key":"person.` + blind + `","person":"` + blind + `"}`: true,
		blind: true,
	} {
		if got := n.in([]byte(text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func TestAShortNameIsFoundWhereItMeansThePerson(t *testing.T) {
	n := needlesOf(Job{Subjects: []string{blind}, Names: []string{"bob"}})
	for text, want := range map[string]bool{
		`{"user_id":"bob"}`:                     true,
		`{"user_id":"bobby"}`:                   false,
		`{"rule_id":"bob","category":"bob"}`:    false,
		`{"kind":"user","id":"bob","value":1}`:  true,
		`{"kind":"rule","id":"bob","value":1}`:  false,
		`{"key":"user.bob"}`:                    true,
		"\x05rules\x04user\x03bob":              true,
		"\x05rules\x04rule\x03bob":              false,
		"row \x07who/bob{}":                     true,
		"row \x09who/bobby{}":                   false,
		"$KV.learn_settings.person." + blind:    false,
		"LEARN_OUT the room of bob and bob/bob": false,
	} {
		if got := n.in([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestEachPartyIsToldThatThePersonCameBack(t *testing.T) {
	w := newWorld(t)
	w.streams[bus.EventsStream] = append(w.streams[bus.EventsStream], fact(blind, name, cutoff.Add(time.Hour)))
	w.streams[bus.OutStream] = append(w.streams[bus.OutStream], bus.Entry{Data: []byte(name), Stored: cutoff.Add(time.Hour)})
	s := w.stage()
	s.Parties = []Party{Archive{some(w, bus.EventsStream), state{w}, w.whole, "law"}, Archive{Streams: some(w, bus.OutStream)},
		Archive{Streams: some(w, bus.InsightsStream, "KV_learn_owners")}}
	if err := s.Work(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r := w.report(t); r.Scan.Found != 0 || r.Scan.Newer < 2 || r.Scan.Keys == 0 || len(w.streams[bus.OutStream]) != 1 {
		t.Errorf("%+v, %d notices", r.Scan, len(w.streams[bus.OutStream]))
	}
}

// only some streams of a world.
type only struct {
	streams
	names []string
}

func some(w *world, names ...string) only { return only{streams{w}, names} }

// Names lists them.
func (o only) Names(context.Context) ([]string, error) { return slices.Clone(o.names), nil }
