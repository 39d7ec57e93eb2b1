package analyze

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/pipeline"
	"learnloop.dev/store"
)

// most is how many entries one batch takes at most. Rows that many entries change are
// guarded and settled once for all of them.
const most = 4000

// What is folded is written to disk when this much came together, or a second
// after the first of it. Until then a crash costs no more than folding it again. New
// records, which are most of it and change no more, are put aside earlier.
const (
	flushEntries  = 32 << 10
	flushBytes    = 64 << 20
	flushDelay    = time.Second
	shelveEntries = 4 << 10
	shelveBytes   = 8 << 20
)

// folder folds batches into the store.
type folder struct {
	Stage
	poison map[uint64]events.Reason // log sequences that must be skipped, and why
	laws   map[int]*law             // by partition
	told   map[string]string        // contents of conclusions of late, by record
	swept  pipeline.Sweep           // not told yet
	folded uint64                   // the last log sequence seen
	head   uint64                   // the last there was when it was looked
	fences map[int]uint64           // the sequence of the marker of each partition that is ours
	alone  int                      // entries still to be folded one by one
	prompt []learn.Model            // they fold what the log brings
	late   []learn.Model            // their rows wait until the records are in
	ledger ledger
	loose  loose // since the last flush
	held   loose // since records were last put aside
}

// loose is what was folded since it was last written to disk.
type loose struct {
	entries, bytes int
	since          time.Time // the first of it
}

func (l *loose) add(batch []entry) {
	l.entries += len(batch)
	for _, e := range batch {
		l.bytes += len(e.Data)
	}
}

func newFolder(s Stage) *folder {
	return &folder{Stage: s, poison: map[uint64]events.Reason{}, laws: map[int]*law{}, told: map[string]string{}, fences: map[int]uint64{}}
}

// fold applies a batch. A fact that takes many records back is swept in
// transactions of its own, between what stands before and behind it in the log.
func (f *folder) fold(ctx context.Context, batch []entry) error {
	start := 0
	for i, e := range batch {
		if !e.sweeps() {
			continue
		}
		if err := f.stretch(ctx, batch[start:i]); err != nil {
			return err
		}
		if err := f.sweep(e); err != nil {
			return err
		}
		start = i
	}
	f.tell()
	return f.stretch(ctx, batch[start:])
}

// stretch folds entries in as few batches as may be. An entry that makes a fold
// panic becomes a dead letter and its batch is tried again without it.
func (f *folder) stretch(ctx context.Context, batch []entry) error {
	for len(batch) > 0 {
		some := batch[:min(len(batch), most)]
		tally, err := f.try(ctx, some)
		var bad *poisonError
		switch {
		case errors.As(err, &bad):
			f.poison[bad.seq] = bad.reason
		case err != nil:
			return fmt.Errorf("fold log entries %d to %d: %w", some[0].Seq, some[len(some)-1].Seq, err)
		default:
			f.Replays.add(tally)
			batch = batch[len(some):]
			if err := f.gather(some); err != nil {
				return err
			}
		}
	}
	return nil
}

// gather notes what was folded, and writes it to disk when it is much.
func (f *folder) gather(batch []entry) error {
	if f.loose.entries == 0 {
		f.loose.since = f.Now()
	}
	f.loose.add(batch)
	f.held.add(batch)
	switch {
	case f.ledger.At == 0 && f.hasLongWay() && len(f.prompt) > 0 && f.Store.Heavy():
		return f.postpone()
	case f.loose.entries >= flushEntries || f.loose.bytes >= flushBytes || f.Store.Heavy():
		return f.flush()
	case f.held.entries >= shelveEntries || f.held.bytes >= shelveBytes:
		f.held = loose{}
		return f.Store.Shelve()
	}
	return nil
}

func (f *folder) flush() error {
	f.loose, f.held = loose{}, loose{}
	return f.Store.Flush()
}

// poisonError names the entry that cannot be folded.
type poisonError struct {
	seq    uint64
	reason events.Reason
}

func (p *poisonError) Error() string {
	return fmt.Sprintf("log entry %d cannot be folded: %s", p.seq, p.reason)
}

// try folds a stretch in one batch, all or nothing. Dead letters are
// written before it commits: a crash in between repeats them, and loses none.
func (f *folder) try(ctx context.Context, batch []entry) (t tally, err error) {
	b := f.Store.Begin()
	defer func() {
		if err != nil {
			b.Discard()
			clear(f.laws)
		}
	}()
	var letters []pipeline.Letter
	for i := range batch {
		letter, err := f.entry(b, &batch[i], &t)
		if err != nil {
			return t, err
		}
		if letter != nil {
			letters = append(letters, *letter)
		}
	}
	if err := f.bury(ctx, letters); err != nil {
		return t, err
	}
	return t, b.Commit()
}

// site is where a fact is folded.
type site struct {
	*store.Partition
	number int
	batch  *store.Batch
}

// entry folds one log entry unless it was folded before or must be skipped.
func (f *folder) entry(b *store.Batch, e *entry, t *tally) (*pipeline.Letter, error) {
	if e.spec == nil {
		return letterOf(e, events.ReasonUnknownType), nil
	}
	at := site{b.Partition(e.partition), e.partition, b}
	if e.Seq <= at.Cursor() {
		return nil, nil
	}
	at.SetCursor(e.Seq)
	if reason, skip := f.poison[e.Seq]; skip {
		return letterOf(e, reason), nil
	}
	return nil, f.one(at, e, t)
}

// one folds one entry; a panic names the entry and nothing else, because its
// value may hold payload text.
func (f *folder) one(at site, e *entry, t *tally) (err error) {
	defer func() {
		if recover() != nil {
			err = &poisonError{e.Seq, events.ReasonCrashed}
		}
	}()
	if e.decode() != nil {
		return &poisonError{e.Seq, events.ReasonMalformed} // the error itself may quote the payload
	}
	at.batch.Trace(e.rec.Header().Trace)
	fate := f.settle(at, e.rec, e.Data)
	t.count(e.rec.Header(), at.number, fate)
	if fix, ok := e.rec.Payload().(*events.FixFeedback); ok && (fate == stored || fate == replaced) {
		f.Observe.Decided(string(fix.Decision), e.rec.Header().Key)
	}
	return nil
}

// fate is what became of a fact.
type fate int

const (
	stored fate = iota
	replaced
	duplicate
	expired
	cleared
	forgotten
)

// reasons are why a fact has no effect.
var reasons = map[fate]string{expired: "expired", cleared: "cleared", forgotten: "forgotten"}

// settle decides whether the fact counts, and lets the models fold it.
func (f *folder) settle(at site, rec events.Recorded, raw []byte) fate {
	h := rec.Header()
	old, known := at.Record(h.Record)
	if known && !h.Supersedes(old.Header()) {
		lose(at, h)
		return duplicate
	}
	if why, forbidden := f.law(at).forbids(h); forbidden {
		at.batch.Purge(wasteOf(at.number, h))
		f.Observe.Declined(stageName, reasons[why])
		return why
	}
	if known {
		f.retract(at, old)
		lose(at, old.Header())
	}
	if h.Withdrawn {
		return replaced
	}
	f.command(at, rec)
	for _, m := range f.prompt {
		m.Apply(at.Partition, rec)
	}
	at.Put(rec, raw)
	if known {
		return replaced
	}
	return stored
}

// lose deletes the log entry of a content that another one of the record has beaten,
// or that came again: once the winner is taken out, it must not come back in its
// place. Derived facts follow their causes.
func lose(at site, loser *events.Head) {
	if loser.Cause == "" {
		at.batch.Purge(wasteOf(at.number, loser))
	}
}

// retract takes a record out of the models and out of the index.
func (f *folder) retract(at site, rec events.Recorded) {
	for _, m := range f.prompt {
		m.Retract(at.Partition, rec)
	}
	at.Drop(rec)
}

// bury writes dead letters.
func (f *folder) bury(ctx context.Context, letters []pipeline.Letter) error {
	if len(letters) == 0 {
		return nil
	}
	sealed := make([]bus.Letter, 0, len(letters))
	for _, l := range letters {
		l.At = f.Now().UTC()
		f.Observe.Refused(stageName, l.Reason)
		data, err := l.Encode()
		if err != nil {
			return err
		}
		sealed = append(sealed, bus.Letter{Stage: l.Stage, Reason: string(l.Reason), Cause: l.Cause(), Data: data})
	}
	return pipeline.Retry(ctx, func() error { _, err := f.Dead.Put(ctx, sealed); return err },
		pipeline.Never, func(err error) { f.Observe.Retried("write dead letters", err) })
}

// letterOf writes down which log entry could not be folded.
func letterOf(e *entry, reason events.Reason) *pipeline.Letter {
	_, kind, _ := pipeline.ParseLog(e.Subject)
	return &pipeline.Letter{Stage: stageName, Reason: reason, Kind: kind, Sequence: e.Seq,
		Size: len(e.Data), SHA256: pipeline.Digest(e.Data), Redriven: redriven(e.Header)}
}

// redriven is the letter for which an entry was driven again, 0 when it was not.
func redriven(header map[string][]string) uint64 {
	if given := header[pipeline.RedrivenHeader]; len(given) > 0 {
		n, _ := strconv.ParseUint(given[0], 10, 64) // ours, or nobody's
		return n
	}
	return 0
}
