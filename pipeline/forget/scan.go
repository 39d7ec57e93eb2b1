package forget

import (
	"context"
	"strings"

	"learnloop.dev/bus"
	"learnloop.dev/learn"
	"learnloop.dev/store"
)

// Streams are all streams of the loop, buckets among them.
type Streams interface {
	Names(ctx context.Context) ([]string, error)
	// Comb hands every message of a stream to take.
	Comb(ctx context.Context, stream string, take func(bus.Entry) error) error
	// Erase deletes messages that were found.
	Erase(ctx context.Context, stream string, found []bus.Entry) error
}

// State is the folded state.
type State interface {
	// Compact removes earlier versions.
	Compact() error
	// Comb hands every version of every key to take.
	Comb(take func(store.Version) error) error
}

// search is one look through everything.
type search struct {
	needles
	scan   Scan
	traces map[string][]bus.Entry // by stream; without their data
}

// Look looks through every stream and the state for whom a job is about.
func (s Stage) Look(ctx context.Context, job Job) (Scan, error) {
	found, err := s.look(ctx, job)
	if err == nil {
		err = s.State.Comb(func(v store.Version) error { found.version(v, s.Law); return nil })
	}
	return found.scan, err
}

// look looks through the streams, the log first: whether the person came back since
// decides what is said of the others.
func (s Stage) look(ctx context.Context, job Job) (*search, error) {
	found := &search{needlesOf(job), Scan{Places: map[string]int{}}, map[string][]bus.Entry{}}
	names, err := s.Streams.Names(ctx)
	if err != nil {
		return found, err
	}
	err = s.Streams.Comb(ctx, bus.EventsStream, func(e bus.Entry) error {
		found.note(bus.EventsStream, e, found.inFact(e.Data))
		return nil
	})
	for _, name := range names {
		if err != nil {
			return found, err
		}
		if name != bus.EventsStream {
			err = s.Streams.Comb(ctx, name, func(e bus.Entry) error { found.message(name, e); return nil })
		}
	}
	return found, err
}

// message judges a message that is not of the log.
func (f *search) message(stream string, e bus.Entry) {
	if strings.HasPrefix(e.Subject, "$KV."+learn.Settings+"."+jobs) { // removed last, and replaced by the report
		return
	}
	found := f.inSubject(e.Subject) || f.in(e.Data)
	for name, values := range e.Header {
		found = found || f.in([]byte(name+strings.Join(values, " ")))
	}
	switch {
	case !found:
		f.note(stream, e, none)
	case f.scan.Newer > 0 && (derived(stream) || !e.Stored.Before(f.job.Before)):
		f.note(stream, e, newer)
	default:
		f.note(stream, e, older)
	}
}

// derived reports whether a stream holds what follows from the log, whole values
// that the stages keep right.
func derived(stream string) bool {
	return stream == bus.InsightsStream || stream == "KV_"+learn.Contexts || stream == "KV_"+learn.Entries
}

func (f *search) note(stream string, e bus.Entry, t trace) {
	f.scan.Messages++
	if t == older {
		e.Data, e.Header = nil, nil
		f.traces[stream] = append(f.traces[stream], e)
	}
	f.count(stream, t)
}

func (f *search) count(place string, t trace) {
	switch t {
	case none:
	case newer:
		f.scan.Newer++
	case mention, older:
		f.scan.Found++
		f.scan.Places[place]++
	}
}

// version judges a version of a key of the state; what it says of tombstones stands
// under the name of law.
func (f *search) version(v store.Version, law string) {
	f.scan.Keys++
	t := f.inFacts(v.Facts)
	if t == none && v.Meta != law && f.inState(v.Text) {
		t = older
		if f.scan.Newer > 0 {
			t = newer
		}
	}
	f.count("state", t)
}

// erasable are the traces that nobody but us removes. What an insight or a context
// says is up to the stages; only what is kept under the person's own key may go.
func (f *search) erasable(stream string) (list []bus.Entry) {
	for _, e := range f.traces[stream] {
		if !derived(stream) || f.inSubject(e.Subject) {
			list = append(list, e)
		}
	}
	return list
}
