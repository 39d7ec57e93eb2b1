package forget

import (
	"context"
	"maps"
	"slices"
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
	// Dirty lists the keys of which is yet to be told what is known.
	Dirty() []store.Mark
	// Compact removes earlier versions, and what is noted of keys that were told for good.
	Compact(settled func(store.Mark) bool) error
	// Comb hands every version of every key to take.
	Comb(take func(store.Version) error) error
}

// Search is what one party is asked for.
type Search struct {
	Job Job `json:"job"`
	// Clean has what is found deleted where nobody else does it, and earlier versions
	// removed; without it everything is looked through, the state too.
	Clean bool `json:"clean,omitzero"`
	// Newer says that the log holds what the person did after the cut-off: whoever has
	// the log finds out, and the others are told.
	Newer bool `json:"newer,omitzero"`
}

// Finding is what one party found.
type Finding struct {
	Scan Scan `json:"scan"`
	// Behind says that nothing was cleaned where the state has yet to catch up with the
	// log, or what is known of the person is yet to be told: ask again.
	Behind bool           `json:"behind,omitzero"`
	Erased map[string]int `json:"erased,omitzero"` // messages deleted, by stream; not those of the log
}

// Merge adds what another party found.
func (f *Finding) Merge(other Finding) {
	f.Scan.merge(other.Scan)
	f.Behind = f.Behind || other.Behind
	f.Erased = sum(f.Erased, other.Erased)
}

// Party searches what it may read. Searching again is safe.
type Party interface {
	Search(ctx context.Context, s Search) (Finding, error)
}

// Archive is the party of one process: streams, and the state if it has one.
type Archive struct {
	Streams Streams
	State   State // nil: it is elsewhere
	// Whole reports whether the state has come as far as the log went when its process
	// began: before, it may be that of an earlier day. Asked only where there is one.
	Whole func() bool
	// Law is what the state calls what it keeps of tombstones.
	Law string
}

// Search looks through the streams and cleans them, or looks through the state too.
func (a Archive) Search(ctx context.Context, s Search) (Finding, error) {
	if s.Clean && a.State != nil && !a.Whole() {
		return Finding{Behind: true}, nil
	}
	found, err := a.look(ctx, s)
	switch {
	case err != nil:
	case s.Clean:
		return a.clean(ctx, found)
	case a.State != nil:
		err = a.State.Comb(func(v store.Version) error { found.version(v, a.Law); return nil })
	}
	return Finding{Scan: found.scan}, err
}

// clean deletes what the stages leave in the streams, and what the state keeps of
// earlier versions.
func (a Archive) clean(ctx context.Context, found *search) (f Finding, err error) {
	f = Finding{Scan: found.scan, Erased: map[string]int{}}
	for _, stream := range slices.Sorted(maps.Keys(found.traces)) {
		list := found.erasable(stream)
		for some := range slices.Chunk(list, atOnce) {
			if err := a.Streams.Erase(ctx, stream, some); err != nil {
				return f, err
			}
		}
		if len(list) > 0 && stream != bus.EventsStream {
			f.Erased[stream] += len(list)
		}
	}
	if a.State == nil {
		return f, nil
	}
	if f.Behind = found.untold(a.State.Dirty()); f.Behind {
		return f, nil
	}
	return f, a.State.Compact(found.inMark)
}

const atOnce = 1000 // messages deleted by one call

// search is one look through the streams of a party.
type search struct {
	needles
	newer  bool // the person came back since
	scan   Scan
	traces map[string][]bus.Entry // by stream; without their data
}

// look looks through the streams, the log first: whether the person came back since
// decides what is said of the others.
func (a Archive) look(ctx context.Context, s Search) (*search, error) {
	found := &search{needlesOf(s.Job), s.Newer, Scan{Places: map[string]int{}}, map[string][]bus.Entry{}}
	names, err := a.Streams.Names(ctx)
	if err != nil {
		return found, err
	}
	if i := slices.Index(names, bus.EventsStream); i >= 0 {
		names = slices.Delete(names, i, i+1)
		err = a.Streams.Comb(ctx, bus.EventsStream, func(e bus.Entry) error {
			found.note(bus.EventsStream, e, found.inFact(e.Data))
			return nil
		})
		found.newer = found.newer || found.scan.Newer > 0
	}
	for _, name := range names {
		if err != nil {
			return found, err
		}
		err = a.Streams.Comb(ctx, name, func(e bus.Entry) error { found.message(name, e); return nil })
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
	case f.newer && (derived(stream) || !e.Stored.Before(f.job.Before)):
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
		if f.newer {
			t = newer
		}
	}
	f.count("state", t)
}

// untold reports whether something about the person is yet to be told: the state names
// whom it is about until then. Who came back is always named somewhere.
func (f *search) untold(marks []store.Mark) bool {
	return !f.newer && slices.ContainsFunc(marks, f.inMark)
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
