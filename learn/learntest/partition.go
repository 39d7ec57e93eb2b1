package learntest

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"learnloop.dev/events"
	"learnloop.dev/learn"

	"github.com/go-json-experiment/json/jsontext"
)

// Partition is one partition: its rows, its record index, and what it published.
// It is the learn.Records of its models.
type Partition struct {
	Table *learn.Memory

	models  []learn.Model
	records map[string]events.Recorded
	known   map[learn.Place]jsontext.Value
}

func newPartition(models []learn.Model) *Partition {
	return &Partition{
		Table:   new(learn.Memory),
		models:  models,
		records: map[string]events.Recorded{},
		known:   map[learn.Place]jsontext.Value{},
	}
}

// fold takes a fact in; of two contents of one record the later counts.
func (p *Partition) fold(f events.Recorded) {
	h := f.Header()
	if old, ok := p.records[h.Record]; ok {
		if !h.Supersedes(old.Header()) {
			return
		}
		p.retract(old)
	}
	p.records[h.Record] = f
	for _, m := range p.models {
		m.Apply(p.Table, f)
	}
}

func (p *Partition) retract(f events.Recorded) {
	delete(p.records, f.Header().Record)
	for _, m := range p.models {
		m.Retract(p.Table, f)
	}
}

func (p *Partition) withdraw(id string) {
	for _, f := range p.records {
		if f.Header().ID == id {
			p.retract(f)
		}
	}
}

// refresh publishes what is known about the keys that became dirty.
func (p *Partition) refresh() {
	for _, at := range p.Table.Commit() {
		for _, m := range p.models {
			if m.Name != at.Model {
				continue
			}
			if v, ok := m.Know(p.Table, at.Key); ok {
				p.known[at] = v
			} else {
				delete(p.known, at)
			}
		}
	}
}

// stale lists the keys about which something else is known than was published.
func (p *Partition) stale() []string {
	var stale []string
	for _, at := range p.keys() {
		for _, m := range p.models {
			if m.Name != at.Model {
				continue
			}
			if v, _ := m.Know(p.Table, at.Key); string(v) != string(p.known[at]) {
				stale = append(stale, at.Model+" "+at.Key.String())
			}
		}
	}
	return stale
}

// keys lists the models and keys that have rows or were published, in order.
func (p *Partition) keys() []learn.Place {
	found := map[learn.Place]bool{}
	for at := range p.Table.All() {
		found[learn.Place{Model: at.Model, Key: at.Key}] = true
	}
	for at := range p.known {
		found[at] = true
	}
	var keys []learn.Place
	for at := range found {
		keys = append(keys, at)
	}
	slices.SortFunc(keys, func(a, b learn.Place) int {
		return strings.Compare(a.Model+" "+a.Key.String(), b.Model+" "+b.Key.String())
	})
	return keys
}

// Each yields the selected records, by event time and then record id.
func (p *Partition) Each(s learn.Select) iter.Seq[events.Recorded] {
	found := p.selected(s)
	slices.SortFunc(found, func(a, b events.Recorded) int {
		if c := a.Header().Time.Compare(b.Header().Time); c != 0 {
			return c
		}
		return strings.Compare(a.Header().Record, b.Header().Record)
	})
	return slices.Values(found)
}

// InLogOrder yields the selected records in the order in which they were heard.
func (p *Partition) InLogOrder(s learn.Select) iter.Seq[events.Recorded] {
	found := p.selected(s)
	slices.SortFunc(found, func(a, b events.Recorded) int { return cmp.Compare(a.Header().Seq, b.Header().Seq) })
	return slices.Values(found)
}

func (p *Partition) selected(s learn.Select) (found []events.Recorded) {
	for _, f := range p.records {
		if selected(s, f.Header()) {
			found = append(found, f)
		}
	}
	return found
}

func selected(s learn.Select, h *events.Head) bool {
	switch {
	case s.After > 0 && h.Seq <= s.After:
		return false
	case s.Kind != "" && s.Kind != h.Kind(), s.Key != "" && s.Key != h.Key, s.Person != "" && s.Person != h.Person:
		return false
	case !s.From.IsZero() && h.Time.Before(s.From):
		return false
	}
	return s.To.IsZero() || h.Time.Before(s.To)
}

// Dump writes out every row, for comparing states.
func (p *Partition) Dump() string {
	var b strings.Builder
	for at, data := range p.Table.All() {
		fmt.Fprintf(&b, "%s %s %q %s\n", at.Model, at.Key, at.Row, data)
	}
	return b.String()
}
