package analyze

import (
	"maps"
	"slices"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/inorder"
	"learnloop.dev/store"

	"github.com/go-json-experiment/json"
)

// law is what control facts said in a partition about records that must not come
// back: what they take is refused, however late it comes and however often.
type law struct {
	// Expired are the retention boundaries by kind; the empty kind is for all.
	Expired map[events.Kind]events.DataExpired `json:"expired,omitzero"`
	// Ended are the boundaries by experiment.
	Ended map[events.ID]events.ExperimentExpired `json:"ended,omitzero"`
	// Cleared are the clearings, by when they were stored.
	Cleared []clearing `json:"cleared,omitzero"`
	// Forgotten are the cut-offs by blind index.
	Forgotten map[string]time.Time `json:"forgotten,omitzero"`
}

// clearing is a clearing and when it was stored.
type clearing struct {
	At    time.Time          `json:"at"`
	Takes events.DataCleared `json:"takes"`
}

// LawMeta is the name under which the state keeps the law of a partition.
const LawMeta = "law"

// forbids says why a fact has no effect, and false when it has.
func (l *law) forbids(h *events.Head) (fate, bool) {
	if before, known := l.Forgotten[h.Person]; known && h.Older(before) {
		return forgotten, true
	}
	if h.Group == events.Everywhere {
		return 0, false
	}
	for _, kind := range []events.Kind{"", h.Kind()} {
		if x, known := l.Expired[kind]; known && x.Takes(nil, h) {
			return expired, true
		}
	}
	if x, known := l.Ended[events.ID(h.Key)]; known && x.Takes(nil, h) {
		return expired, true
	}
	for _, c := range slices.Backward(l.Cleared) {
		if !h.Recorded.Before(c.At) {
			break // and not before the earlier ones
		}
		if c.Takes.Takes(&events.Head{Recorded: c.At}, h) {
			return cleared, true
		}
	}
	return 0, false
}

// with is the law and what one more control fact says; false when that is nothing new.
func (l *law) with(rec events.Recorded) (law, bool) {
	next := *l
	switch c := rec.Payload().(type) {
	case *events.DataExpired:
		was, known := l.Expired[c.Kind]
		if known && (events.Age{Recorded: c.Before, Record: c.Record}).Compare(events.Age{Recorded: was.Before, Record: was.Record}) <= 0 {
			return next, false
		}
		next.Expired = added(l.Expired, c.Kind, *c)
	case *events.ExperimentExpired:
		if was, known := l.Ended[c.Experiment]; known && !c.Before.After(was.Before) {
			return next, false
		}
		next.Ended = added(l.Ended, c.Experiment, *c)
	case *events.DataCleared:
		next.Cleared = append(slices.Clone(l.Cleared), clearing{rec.Header().Recorded, *c})
		inorder.Sort(next.Cleared, func(a, b clearing) int { return a.At.Compare(b.At) })
	case *events.SubjectForgotten:
		if was, known := l.Forgotten[c.Subject]; known && !c.Before.After(was) {
			return next, false
		}
		next.Forgotten = added(l.Forgotten, c.Subject, c.Before)
	default:
		return next, false
	}
	return next, true
}

func added[K comparable, V any](m map[K]V, key K, value V) map[K]V {
	next := maps.Clone(m)
	if next == nil {
		next = map[K]V{}
	}
	next[key] = value
	return next
}

// law returns the law of a partition.
func (f *folder) law(at site) *law {
	if l, loaded := f.laws[at.number]; loaded {
		return l
	}
	l := lawOf(at.Partition)
	f.laws[at.number] = l
	return l
}

// lawOf reads the law of a partition.
func lawOf(p *store.Partition) *law {
	l := &law{}
	if data := p.Meta(LawMeta); data != nil {
		if err := json.Unmarshal(data, l); err != nil {
			panic(err) // we wrote it; the entry is poison until the state is rebuilt
		}
	}
	return l
}

// command carries out what a control fact orders the runtime to do.
func (f *folder) command(at site, rec events.Recorded) {
	if _, ok := rec.Payload().(events.Sweeper); !ok {
		return
	}
	next, changed := f.law(at).with(rec)
	if !changed {
		return
	}
	data, err := json.Marshal(next, json.Deterministic(true))
	if err != nil {
		panic(err) // times and texts always encode
	}
	at.SetMeta(LawMeta, data)
	f.laws[at.number] = &next
}
