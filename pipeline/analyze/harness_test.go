package analyze

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/pipeline"
	"learnloop.dev/store"

	"github.com/go-json-experiment/json"
)

// toy counts fixes per rule. The rule "bomb" makes it panic; a rejected fix
// emits a derived outcome.
func toy(version int) learn.Model {
	type count struct{ N int64 }
	add := func(r learn.Rows, f *events.Fact[events.FixFeedback], w int64) {
		if f.Key == "bomb" {
			panic("do not repeat this: " + f.Data.OriginalText)
		}
		learn.At[count](r, learn.Key{Kind: "rule", ID: f.Key}, "n").N += w
		if f.Data.Decision == events.Rejected {
			m := &events.Measurement{Experiment: "x", UnitID: f.Data.FeedbackID}
			learn.Emit(r, learn.Derived{Cause: f.Head, Withdrawn: w < 0, Part: events.Part{
				Group: events.ByExperiment, Key: "x", Kind: events.ExperimentOutcome.Kind, Data: m}})
		}
	}
	return learn.Define(learn.Spec[count]{
		Name: "toy", Version: version, Group: events.ByRule, Kinds: []string{"rule"},
		Folds: []learn.Fold{learn.Sum(events.FeedbackFix, add)},
		Know: func(r learn.Rows, k learn.Key) (count, bool) {
			c := learn.Peek[count](r, k, "n")
			return c, c.N != 0
		},
		Render: func(_ learn.Key, parts []count) (any, bool) { return parts, len(parts) > 0 },
		Trace:  func(learn.Rows, learn.Key, events.Recorded) []string { return []string{"n"} },
	})
}

// bench is a stage with everything around it in memory but the store.
type bench struct {
	t *testing.T
	Stage
	dir      string
	log      []bus.Entry
	known    map[string]pipeline.Insight
	marks    map[int]pipeline.Mark
	letters  []bus.Letter
	erased   []uint64     // guarded by mu
	cuts     atomic.Int64 // how often many were deleted at once
	erases   int          // log entries to be erased before a life may end
	swept    []pipeline.Sweep
	appended []bus.Message
	fails    []error // of the next appends of insights
	seq      uint64  // of the insights
	markSeq  map[int]uint64
	head     uint64 // where the log is said to end
	looked   func() // done once, when the end is looked for and all was handed out
	more     chan struct{}
	between  func()              // done once, behind the next markers
	told     map[string][]string // what was told of each key
	mu       sync.Mutex
	served   int // guarded by mu
	finished func()
}

func newBench(t *testing.T, m learn.Model) *bench {
	t.Helper()
	b := &bench{t: t, dir: t.TempDir(), known: map[string]pipeline.Insight{}, marks: map[int]pipeline.Mark{}, told: map[string][]string{},
		markSeq: map[int]uint64{}, more: make(chan struct{}, 1)}
	b.open(m)
	return b
}

// open starts another life of the stage on the same folder.
func (b *bench) open(m learn.Model) {
	b.t.Helper()
	if b.Store != nil {
		if err := b.Store.Close(); err != nil {
			b.t.Fatal(err)
		}
	}
	s, err := store.Open(store.Options{Dir: b.dir, Key: make([]byte, 32)})
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { _ = s.Close() })
	b.Stage = Stage{Models: []learn.Model{m}, Store: s, Log: b, Insights: insights{b}, Facts: facts{b}, Dead: b,
		Eraser: b, Fences: b, Replays: NewReplays(), Owner: "me", Partitions: []int{0, 1}, End: b.end,
		Now: time.Now, Address: address, Observe: pipeline.Observer{
			Published: func(int, time.Duration) { b.check() }, Deleted: func(int) { b.check() },
			Swept: func(s pipeline.Sweep) { b.swept = append(b.swept, s) }}}
	b.served = 0
}

// check ends a life once everything in the log is folded and published.
func (b *bench) check() {
	if b.rest() != nil || b.finished == nil || len(b.gone()) < b.erases {
		return
	}
	for _, e := range b.log {
		if p, _, ok := pipeline.ParseLog(e.Subject); ok && b.marks[p].Seq < e.Seq {
			return
		}
	}
	b.finished()
	b.finished = nil
}

// address sends derived facts to partition 1.
func address(d learn.Derived) (int, events.Recorded, error) {
	h := d.Cause
	h.Record, h.Cause, h.Type, h.Withdrawn = "derived/"+d.Cause.Record, d.Cause.Record, d.Part.Kind.Type(), d.Withdrawn
	h.Content = fmt.Sprint("derived", d.Withdrawn)
	spec, _ := events.Lookup(d.Part.Kind)
	return 1, spec.Fact(h, d.Part.Data), nil
}

// say appends a fact to partition 0 of the log and returns its sequence.
func (b *bench) say(f events.Recorded) uint64 {
	b.t.Helper()
	data, err := events.Encode(f)
	if err != nil {
		b.t.Fatal(err)
	}
	return b.put(0, f.Header().Kind(), data)
}

func (b *bench) put(p int, kind events.Kind, data []byte) uint64 {
	seq := uint64(len(b.log) + 1)
	b.mu.Lock()
	b.log = append(b.log, bus.Entry{Seq: seq, Subject: pipeline.LogSubject(p, kind), Data: data})
	b.mu.Unlock()
	select {
	case b.more <- struct{}{}:
	default:
	}
	return seq
}

// fix is a fact of rule feedback; two with the same record are the same feedback.
func fix(record, rule string, decision events.Decision) *events.Fact[events.FixFeedback] {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	return &events.Fact[events.FixFeedback]{
		Head: events.Head{SpecVersion: "1.0", ID: record, Source: "/test", Type: events.FeedbackFix.Kind.Type(),
			Time: at, Recorded: at, Record: record, Content: record, Group: events.ByRule, Key: rule},
		Data: events.FixFeedback{FeedbackID: events.ID(record), SuggestionID: "s", DeviationID: "d", RuleID: events.ID(rule), Decision: decision},
	}
}

// live runs one life of the stage until the log is folded and published.
func (b *bench) live() error {
	b.t.Helper()
	ctx, cancel := context.WithTimeoutCause(b.t.Context(), time.Minute, errors.New("the stage did not finish the log"))
	defer cancel()
	b.finished = cancel
	return b.Run(ctx)
}

// Next hands out the log from the cursor on, and then waits.
func (b *bench) Next(ctx context.Context) ([]bus.Entry, error) {
	for {
		if batch := b.rest(); batch != nil {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.served += len(batch)
			return batch, nil
		}
		select {
		case <-b.more:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// rest is what was not handed out yet.
func (b *bench) rest() []bus.Entry {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.served == len(b.log) {
		return nil
	}
	return b.log[b.served:]
}

type insights struct{ *bench }

// Send stores insights and markers, each behind its fence.
func (i insights) Send(_ context.Context, msgs []bus.Message) (seqs []uint64, err error) {
	b := i.bench
	if isMark(msgs) && b.between != nil {
		defer b.between()
		b.between = nil
	}
	var fails error
	if len(b.fails) > 0 && len(msgs) > 0 {
		fails, b.fails = b.fails[0], b.fails[1:]
		if fails != nil && !errors.Is(fails, errUnheard) {
			return nil, fails
		}
	}
	for _, m := range msgs {
		p, ok := pipeline.ParseMark(cmp.Or(m.ExpectOn, m.Subject))
		if !ok {
			b.t.Errorf("%s has no fence", m.Subject)
		}
		if *m.ExpectLast != b.markSeq[p] {
			return nil, bus.ErrFenced
		}
		b.seq++
		b.see(m)
		seqs = append(seqs, b.seq)
	}
	if fails != nil {
		return nil, bus.ErrUnknown
	}
	return seqs, nil
}

func isMark(msgs []bus.Message) bool {
	return len(msgs) > 0 && strings.HasPrefix(msgs[0].Subject, pipeline.Marks)
}

// claimFor puts the marker of another owner in the place of ours.
func (b *bench) claimFor(owner string) {
	b.seq++
	m := b.marks[0]
	m.Owner = owner
	b.marks[0], b.markSeq[0] = m, b.seq
}

// errUnheard has a Send succeed, and nobody hear of it.
var errUnheard = errors.New("unheard")

func (b *bench) see(m bus.Message) {
	p, isMark := pipeline.ParseMark(m.Subject)
	if !isMark {
		var in pipeline.Insight
		if err := json.Unmarshal(m.Data, &in); err != nil {
			b.t.Error(err)
		}
		b.known[in.Key().String()] = in
		b.told[in.Key().String()] = append(b.told[in.Key().String()], string(in.Value))
		return
	}
	var mark pipeline.Mark
	if err := json.Unmarshal(m.Data, &mark); err != nil {
		b.t.Error(err)
	}
	b.marks[p], b.markSeq[p] = mark, b.seq
}

// LastMarks returns the last markers.
func (b *bench) LastMarks(context.Context, []int) (map[int]Fence, error) {
	all := map[int]Fence{}
	for p, m := range b.marks {
		all[p] = Fence{b.markSeq[p], m}
	}
	return all, nil
}

// end is where the log is said to end.
func (b *bench) end(context.Context) (uint64, error) {
	if look := b.looked; look != nil && b.rest() == nil {
		b.looked = nil
		look()
	}
	return b.head, nil
}

// Put keeps dead letters.
func (b *bench) Put(_ context.Context, letters []bus.Letter) ([]uint64, error) {
	b.letters = append(b.letters, letters...)
	return make([]uint64, len(letters)), nil
}

// DeleteMsgs notes what is deleted from the log.
func (b *bench) DeleteMsgs(_ context.Context, seqs []uint64) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.erased = append(b.erased, seqs...)
	return nil
}

// DeleteUpTo notes what is deleted from the log at once.
func (b *bench) DeleteUpTo(ctx context.Context, subject string, seq uint64) error {
	var seqs []uint64
	for _, e := range b.log {
		if e.Subject == subject && e.Seq <= seq {
			seqs = append(seqs, e.Seq)
		}
	}
	b.cuts.Add(1)
	return b.DeleteMsgs(ctx, seqs)
}

// gone is what was deleted from the log, in order.
func (b *bench) gone() []uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Sorted(slices.Values(b.erased))
}

type facts struct{ *bench }

// Append takes derived facts into the log.
func (f facts) Append(_ context.Context, msgs []bus.Message) (uint64, error) {
	f.appended = append(f.appended, msgs...)
	return 0, nil
}

func TestMain(m *testing.M) {
	if os.Getenv(poisonDir) != "" {
		os.Exit(victim())
	}
	os.Exit(m.Run())
}
