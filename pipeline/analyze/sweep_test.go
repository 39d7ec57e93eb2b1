package analyze

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/learn/rules"
	"learnloop.dev/pipeline"
	"learnloop.dev/store"

	"pgregory.net/rapid"
)

// worlds are partitions of one store, each folded by itself.
type worlds struct {
	stage Stage
	last  int
}

// world is what came of a log: what is known, and what is left of the log.
type world struct {
	known string
	log   []events.Recorded
}

// fold folds a log in batches of a size into a partition of its own.
func (w *worlds) fold(t *rapid.T, log []events.Recorded, size int) world {
	offset := w.take(t, log, size)
	return world{w.known(t), w.left(t, log, offset)}
}

// take folds a log in batches of a size into a partition of its own, and returns the sequence of its first entry.
func (w *worlds) take(t *rapid.T, log []events.Recorded, size int) (offset uint64) {
	w.last++
	f := newFolder(w.stage)
	offset = uint64(w.last) * 10_000
	entries := make([]bus.Entry, len(log))
	for i, rec := range log {
		data, err := events.Encode(rec)
		if err != nil {
			t.Fatal(err)
		}
		entries[i] = bus.Entry{Seq: offset + uint64(i), Subject: pipeline.LogSubject(w.last, rec.Header().Kind()), Data: data}
	}
	for some := range slices.Chunk(entries, size) {
		if err := f.fold(t.Context(), hear(some, true)); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.flush(); err != nil {
		t.Fatal(err)
	}
	return offset
}

// known writes down what is known about every key of the last partition.
func (w *worlds) known(t *rapid.T) string {
	var out strings.Builder
	marks := w.stage.Store.Dirty()
	err := w.stage.Store.View(func(v *store.View) error {
		for _, m := range marks {
			if value, ok := w.stage.Models[0].Know(v.Partition(w.last), m.Key); ok && m.Partition == w.last {
				fmt.Fprintf(&out, "%s %s\n", m.Key, value)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	w.stage.Store.Published(marks)
	return out.String()
}

// left is the log without what is to be deleted.
func (w *worlds) left(t *rapid.T, log []events.Recorded, offset uint64) (left []events.Recorded) {
	gone, err := w.stage.Store.PurgeQueue(100_000)
	if err != nil {
		t.Fatal(err)
	}
	var e erasure
	if err := w.stage.Store.View(func(v *store.View) error { e = plan(v, gone, 1); return nil }); err != nil {
		t.Fatal(err)
	}
	for i, rec := range log {
		seq := offset + uint64(i)
		if slices.ContainsFunc(gone, func(e store.Waste) bool { return e.Seq == seq }) {
			continue
		}
		left = append(left, rec)
		if cut := e.upTo[shelf{w.last, rec.Header().Kind()}]; seq <= cut {
			t.Fatalf("entry %d counts, and the log is cut off at %d", seq, cut)
		}
	}
	if err := w.stage.Store.Purged(gone); err != nil {
		t.Fatal(err)
	}
	return left
}

// opinion draws a content of one of some records. Person, rule and day follow from
// the record; what is decided and the second of it do not.
func opinion() *rapid.Generator[events.Recorded] {
	return rapid.Custom(func(t *rapid.T) events.Recorded {
		n := rapid.IntRange(0, 30).Draw(t, "record")
		f := later(fmt.Sprint("r", n), fmt.Sprint("rule", n%3), []string{"", "ann", "ben", "eve"}[n%4], 24*(n%7))
		f.Data.Decision = rapid.SampledFrom([]events.Decision{events.Accepted, events.Rejected, events.Modified}).Draw(t, "decision")
		f.Data.OriginalText, f.Data.SuggestedText = "utilize", fmt.Sprint("use ", n%2)
		f.Data.UserID = events.ID(f.Person)
		f.Stamp = f.Stamp.Add(time.Duration(rapid.IntRange(0, 3).Draw(t, "second")) * time.Second)
		f.Time, f.Content = f.Stamp, fmt.Sprint(f.Data.Decision, f.Stamp)
		return f
	})
}

// command draws a control fact that takes records out.
func command(n int) *rapid.Generator[events.Recorded] {
	return rapid.Custom(func(t *rapid.T) events.Recorded {
		hours := 24*rapid.IntRange(0, 8).Draw(t, "day") - 12
		at := fix("", "", "").Time.Add(time.Duration(hours) * time.Hour)
		return order(fmt.Sprint("order", n, rapid.IntRange(0, 2).Draw(t, "id")), hours, rapid.SampledFrom([]events.Payload{
			&events.DataCleared{All: true}, &events.DataCleared{Rules: []events.ID{"rule0", "rule2"}},
			&events.DataCleared{Rules: []events.ID{"rule1"}}, &events.DataCleared{To: at}, &events.DataCleared{Kind: "feedback.learning"},
			&events.DataExpired{Before: at}, &events.DataExpired{Before: at, Kind: events.FeedbackFix.Kind},
			&events.SubjectForgotten{Subject: "ann", Before: at}, &events.SubjectForgotten{Subject: "ben", Before: at},
		}).Draw(t, "order"))
	})
}

// taken reports whether any control fact of a log takes a record.
func taken(log []events.Recorded, rec events.Recorded) bool {
	return slices.ContainsFunc(log, func(c events.Recorded) bool {
		s, ok := c.Payload().(events.Sweeper)
		return ok && s.Takes(c.Header(), rec.Header())
	})
}

func TestWhatIsTakenOutWasNeverThere(t *testing.T) {
	b := newBench(t, rules.Model())
	b.Observe = b.Observe.EnsureDefaults()
	w := &worlds{stage: b.Stage}
	rapid.Check(t, func(t *rapid.T) {
		log := rapid.SliceOfN(opinion(), 1, 60).Draw(t, "log")
		var orders []events.Recorded
		for n := range rapid.IntRange(0, 4).Draw(t, "orders") {
			orders = append(orders, command(n).Draw(t, "order"))
		}
		again := rapid.SliceOf(rapid.SampledFrom(slices.Concat(log, orders))).Draw(t, "again")
		mixed := rapid.Permutation(slices.Concat(log, orders, again)).Draw(t, "mixed")
		live := w.fold(t, mixed, rapid.IntRange(1, 20).Draw(t, "batch"))
		reference := slices.DeleteFunc(slices.Clone(mixed), func(r events.Recorded) bool {
			_, is := r.Payload().(events.Sweeper)
			return is || taken(orders, r)
		})
		if want := w.fold(t, reference, 1000); live.known != want.known {
			t.Fatalf("known\n%s\nhad what was taken out never been there\n%s", live.known, want.known)
		}
		if replayed := w.fold(t, live.log, 7); live.known != replayed.known || len(replayed.log) != len(live.log) {
			t.Fatalf("known\n%s\nfolded again from what is left of the log\n%s", live.known, replayed.known)
		}
		for _, rec := range live.log {
			if taken(orders, rec) {
				t.Fatalf("the log still holds %+v", *rec.Header())
			}
		}
	})
}

// conclusion draws a derived fact: of its record the later in the log counts, and a withdrawn one takes it back.
// Its entries stay in the log when they count no more.
func conclusion() *rapid.Generator[events.Recorded] {
	return rapid.Custom(func(t *rapid.T) events.Recorded {
		f := opinion().Draw(t, "like").(*events.Fact[events.FixFeedback])
		f.Record, f.Cause = "derived/"+f.Record, f.Record
		f.Withdrawn = rapid.IntRange(0, 3).Draw(t, "withdrawn") == 0
		f.Content += fmt.Sprint(f.Withdrawn)
		return f
	})
}

// rest carries out what is planned, with however few waiting, and returns what is left of the log, and how much
// of what is gone was no waste.
func (w *worlds) rest(t *rapid.T, log []events.Recorded, offset uint64) (left []events.Recorded, more int) {
	gone, err := w.stage.Store.PurgeQueue(100_000)
	if err != nil {
		t.Fatal(err)
	}
	var e erasure
	if err := w.stage.Store.View(func(v *store.View) error { e = plan(v, gone, 1); return nil }); err != nil {
		t.Fatal(err)
	}
	for i, rec := range log {
		seq := offset + uint64(i)
		waste := slices.ContainsFunc(gone, func(w store.Waste) bool { return w.Seq == seq })
		switch cut := seq <= e.upTo[shelf{w.last, rec.Header().Kind()}]; {
		case cut && !waste:
			more++
		case !cut && !slices.Contains(e.singles, seq):
			left = append(left, rec)
		}
	}
	if err := w.stage.Store.Purged(gone); err != nil {
		t.Fatal(err)
	}
	return left, more
}

func TestWhatTheLogIsCutOffWithCountedNoMoreEither(t *testing.T) {
	b := newBench(t, rules.Model())
	b.Observe = b.Observe.EnsureDefaults()
	w, cut := &worlds{stage: b.Stage}, 0
	rapid.Check(t, func(t *rapid.T) {
		log := rapid.SliceOfN(rapid.OneOf(opinion(), conclusion()), 1, 60).Draw(t, "log")
		for n := range rapid.IntRange(0, 3).Draw(t, "orders") {
			log = append(log, command(n).Draw(t, "order"))
		}
		mixed := rapid.Permutation(log).Draw(t, "mixed")
		offset := w.take(t, mixed, rapid.IntRange(1, 20).Draw(t, "batch"))
		known := w.known(t)
		left, more := w.rest(t, mixed, offset)
		cut += more
		offset = w.take(t, left, 7)
		if again := w.known(t); again != known {
			t.Fatalf("known\n%s\nfolded again from what is left of the log\n%s", known, again)
		}
		w.rest(t, left, offset)
	})
	if cut == 0 && !testing.Short() { // the few logs that are drawn then may have nothing else
		t.Error("nothing but waste was ever cut off")
	}
}
