package analyze

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/inorder"
	"learnloop.dev/learn"
	"learnloop.dev/store"

	"github.com/go-json-experiment/json/jsontext"
)

// ErrUnknown is the answer to a question no model knows.
var ErrUnknown = errors.New("no model answers this")

// Answerer answers questions about the partitions of this process, from
// snapshots that do not disturb the folding. Safe for concurrent use.
type Answerer struct {
	Models     []learn.Model
	Store      *store.Store
	Partitions []int
}

// Part is one partition's share of an answer.
type Part struct {
	Partition int
	Value     []byte // as learn.WriteAnswer writes it
}

// Ask puts a model's named question to every partition.
func (a Answerer) Ask(model, question string, args jsontext.Value) ([]Part, error) {
	i := slices.IndexFunc(a.Models, func(m learn.Model) bool { return m.Name == model })
	if i < 0 || a.Models[i].Answers[question] == nil {
		return nil, fmt.Errorf("ask %s for %s: %w", model, question, ErrUnknown)
	}
	m := a.Models[i]
	return a.each(func(p store.Frozen) (any, error) {
		return m.Answers[question](learn.Question{Rows: m.Open(p), Records: p, Args: args})
	})
}

// each answers for every partition in one snapshot.
func (a Answerer) each(answer func(store.Frozen) (any, error)) (parts []Part, err error) {
	err = a.Store.View(func(v *store.View) error {
		for _, p := range a.Partitions {
			value, err := answer(v.Partition(p))
			if err != nil {
				return fmt.Errorf("partition %d: %w", p, err)
			}
			data, err := learn.WriteAnswer(value)
			if err != nil {
				return fmt.Errorf("partition %d: %w", p, err)
			}
			parts = append(parts, Part{p, data})
		}
		return nil
	})
	return parts, err
}

// shown is how many events stand for a line; the count is exact.
const shown = 20

// Line is one line of a context and the events behind it.
type Line struct {
	Count int       `json:"count"`
	First time.Time `json:"first"`
	Last  time.Time `json:"last"`
	// Events are the latest ones, newest first.
	Events []Witness `json:"events"`
}

// Witness is one event behind a line.
type Witness struct {
	ID       string      `json:"id"`
	Source   string      `json:"source"`
	Kind     events.Kind `json:"kind"`
	Time     time.Time   `json:"time"`
	Sequence uint64      `json:"sequence"` // in the log
	Record   string      `json:"record"`
}

// Explain traces every line of a key's context to the records behind it: a part's
// value maps lines to a Line each.
func (a Answerer) Explain(key learn.Key) ([]Part, error) {
	i := slices.IndexFunc(a.Models, func(m learn.Model) bool {
		return m.Trace != nil && slices.Contains(m.Kinds, key.Kind)
	})
	if i < 0 {
		return nil, fmt.Errorf("explain contexts of kind %s: %w", key.Kind, ErrUnknown)
	}
	m := a.Models[i]
	return a.each(func(p store.Frozen) (any, error) {
		lines := map[string]Line{}
		for _, sel := range evidence(m, key) {
			for rec := range p.Each(sel) {
				for _, label := range m.Trace(p, key, rec) {
					line := lines[label]
					line.Merge(lineOf(rec.Header()))
					lines[label] = line
				}
			}
		}
		return lines, nil
	})
}

// evidence selects the records that may stand behind a key, as closely as the index
// can.
func evidence(m learn.Model, key learn.Key) (all []learn.Select) {
	switch {
	case m.Spread(key):
		return []learn.Select{{}}
	case !m.Group.Undivided():
		return []learn.Select{{Key: key.ID}}
	}
	for _, kind := range m.Hears() {
		if !kind.Control() {
			all = append(all, learn.Select{Kind: kind})
		}
	}
	return all
}

// lineOf is a line with one event behind it.
func lineOf(h *events.Head) Line {
	w := Witness{ID: h.ID, Source: h.Source, Kind: h.Kind(), Time: h.Time, Sequence: h.Seq, Record: h.Record}
	return Line{Count: 1, First: h.Time, Last: h.Time, Events: []Witness{w}}
}

// Merge joins another line about the same.
func (l *Line) Merge(other Line) {
	if l.Count == 0 || other.Count > 0 && other.First.Before(l.First) {
		l.First = other.First
	}
	if other.Last.After(l.Last) {
		l.Last = other.Last
	}
	l.Count += other.Count
	l.Events = append(l.Events, other.Events...)
	inorder.Sort(l.Events, func(a, b Witness) int { return b.Time.Compare(a.Time) })
	l.Events = l.Events[:min(len(l.Events), shown)]
}
