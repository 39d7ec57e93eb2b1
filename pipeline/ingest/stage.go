package ingest

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/pipeline"
	"learnloop.dev/privacy"

	"golang.org/x/sync/errgroup"
)

// Inbox hands out deliveries of what agents published.
type Inbox interface {
	Next(ctx context.Context) ([]bus.Delivery, error)
	// Hold keeps what comes next from being delivered to others meanwhile.
	Hold() error
}

// Log appends messages durably. After an error some may be there: whoever appends
// again is recognised.
type Log interface {
	Append(ctx context.Context, msgs []bus.Message) (last uint64, err error)
}

// DeadLetters keeps what was refused.
type DeadLetters interface {
	Put(ctx context.Context, letters []bus.Letter) (seqs []uint64, err error)
}

// Stage moves events from the inbox to the log. A message is acknowledged only
// when all it holds is appended, refused with a dead letter, or declined; what
// is delivered again is appended again and recognised by the record index.
type Stage struct {
	House   House
	Inbox   Inbox
	Log     Log
	Dead    DeadLetters
	Trials  Trials
	Owners  Owners
	Replays *Replays
	Now     func() time.Time
	Observe pipeline.Observer
	// Changed hears of settings that changed, once the log has them; nil: nobody does.
	Changed func(Change)
	// Reserved hears which kinds operators published straight into the inbox that are reserved to them, once
	// the log has them, and hears of the same again until it returns nil; nil: nobody does.
	Reserved func(ctx context.Context, done []Publication) error
	// Apart says that other stages hand events in through the inbox, on subjects of theirs.
	Apart bool
	// Workers is how many batches are in flight: one is decided about while
	// another waits for the disk.
	Workers int

	holding time.Duration // between two signs of life about what is worked on
}

const stageName = "ingest"

// Run works until the context ends.
func (s Stage) Run(ctx context.Context) error {
	s.Observe = s.Observe.EnsureDefaults()
	s.holding = cmp.Or(s.holding, bus.HoldEvery)
	gates := make([]*Gate, max(s.Workers, 1))
	for i := range gates {
		var err error
		if gates[i], err = NewGate(s.House); err != nil {
			return err
		}
	}
	batches := make(chan []bus.Delivery)
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return s.read(ctx, batches) })
	for _, gate := range gates {
		g.Go(func() error { return worker{s, gate}.run(ctx, batches) })
	}
	return g.Wait()
}

// read hands batches to the workers until the context ends.
func (s Stage) read(ctx context.Context, out chan<- []bus.Delivery) error {
	defer close(out)
	t := time.NewTicker(s.holding)
	defer t.Stop()
	for {
		batch, err := s.Inbox.Next(ctx)
		if err != nil {
			return stopped(ctx, fmt.Errorf("read inbox: %w", err))
		}
		if !s.pass(ctx, batch, out, t.C) {
			return nil
		}
	}
}

// worker is one loop of the stage.
type worker struct {
	Stage
	gate *Gate
}

func (w worker) run(ctx context.Context, in <-chan []bus.Delivery) error {
	for batch := range in {
		if err := w.held(ctx, batch, func() error { return w.handle(ctx, batch) }); err != nil {
			return stopped(ctx, err)
		}
	}
	return nil
}

// stopped hides errors that only say that the stage was asked to stop.
func stopped(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil //nolint:nilerr // as it says
	}
	return err
}

// handle takes in a batch. Messages that were delivered often may be what
// crashed the process: they are tried one by one.
func (w worker) handle(ctx context.Context, batch []bus.Delivery) error {
	var fresh, again []bus.Delivery
	for _, d := range batch {
		if d.Tries < suspicious {
			fresh = append(fresh, d)
		} else {
			again = append(again, d)
		}
	}
	if err := w.take(ctx, fresh); err != nil { // first: what comes again may take long
		return err
	}
	for _, d := range again {
		if err := w.isolate(ctx, d); err != nil {
			return err
		}
	}
	return nil
}

// outcome collects what a batch came to.
type outcome struct {
	messages  []bus.Message
	traces    []string // of the events behind them, where their producers sent one
	letters   []bus.Letter
	arrivals  []arrival // of what the letters are about, in their order
	claims    []claim
	homeless  []waiting
	changes   []Change
	redesigns []redesign
	reserved  []Publication
	judged    judged
}

func (w worker) take(ctx context.Context, batch []bus.Delivery) error {
	if len(batch) == 0 {
		return nil
	}
	var out outcome
	for _, d := range batch {
		if err := w.open(d, &out); err != nil {
			return err
		}
	}
	if err := w.keep(ctx, out); err != nil {
		return err
	}
	told := w.tell(ctx, out)
	for _, d := range batch {
		w.settleDelivery(d, out, told)
	}
	return nil
}

// open decides about every event of one delivery.
func (w worker) open(d bus.Delivery, out *outcome) error {
	items := unpack(d)
	w.Observe.Received(stageName, len(items))
	message := &payload{data: d.Data}
	for i, item := range items {
		item.Received = d.Stored
		from := origin{stage: stageName, sequence: d.Seq, index: i, payload: message}
		v, err := w.decide(d.Subject, item, from, out)
		if err != nil {
			return fmt.Errorf("decide about inbox message %d: %w", d.Seq, err)
		}
		if len(v.Messages) > 0 && w.byOperator(d, item.Kind) {
			out.publish(d, item.Kind)
		}
	}
	return nil
}

// unpack reads the events of a delivery; what cannot even be read without a
// panic is one refused event.
func unpack(d bus.Delivery) (items []events.Item) {
	defer func() {
		if recover() != nil {
			items = []events.Item{{Refusal: events.Refusal{Reason: events.ReasonCrashed}}}
		}
	}()
	return events.Unpack(d.Header, d.Data)
}

// decide judges one event and files the verdict.
func (w worker) decide(subject string, item events.Item, from origin, out *outcome) (v Verdict, err error) {
	v = Verdict{Refusal: item.Refusal}
	if !item.Refused() {
		if v, err = w.gate.Admit(subject, item.Envelope); err != nil {
			return v, err
		}
	}
	if item.Data != nil {
		from.payload = &payload{data: item.Data}
	}
	return v, w.note(v, from, item.Envelope, out)
}

// unexamined is what removed content counts as that could not be examined.
const unexamined = "unexamined"

// note files a verdict.
func (w worker) note(v Verdict, from origin, env events.Envelope, out *outcome) error {
	for entity, n := range v.Report.Found {
		if n > 0 {
			w.Observe.Removed(privacy.Entity(entity).String(), n)
		}
	}
	if n := v.Report.Removed; n > 0 {
		w.Observe.Removed(unexamined, n)
	}
	switch {
	case v.Refusal.Refused():
		w.Observe.Refused(from.stage, v.Refusal.Reason)
		l, err := sealed(w.gate.letter(from, env, v.Refusal))
		out.letters = append(out.letters, l)
		out.arrivals = append(out.arrivals, arrival{w.gate.replay(env), from})
		out.judged.add(w.gate.replay(env), Judged{Refused: 1})
		return err
	case v.Declined != "":
		w.Observe.Declined(from.stage, v.Declined)
		out.judged.add(w.gate.replay(env), Judged{Declined: 1})
	case v.change != nil:
		out.changes = append(out.changes, *v.change)
	case v.redesign != nil:
		out.redesigns = append(out.redesigns, *v.redesign)
	}
	out.messages = append(out.messages, v.Messages...)
	if trace := traceOf(env); trace != "" && len(v.Messages) > 0 {
		out.traces = append(out.traces, trace)
	}
	if v.claim != nil {
		out.claims = append(out.claims, *v.claim)
	}
	if v.homeless != nil {
		out.homeless = append(out.homeless, *v.homeless)
	}
	return nil
}

// sealed turns a dead letter into a message.
func sealed(l pipeline.Letter) (bus.Letter, error) {
	data, err := l.Encode()
	return bus.Letter{Stage: l.Stage, Reason: string(l.Reason), Cause: l.Cause(), Data: data}, err
}

// keep stores what a batch came to, trying until it is stored or the stage stops.
func (w worker) keep(ctx context.Context, out outcome) error {
	for _, step := range w.steps() {
		err := pipeline.Retry(ctx, func() error { return step.do(ctx, &out) },
			pipeline.Never, func(err error) { w.Observe.Retried(step.name, err) })
		if err != nil {
			return err
		}
	}
	return nil
}

// store is keep without trying again.
func (s Stage) store(ctx context.Context, out outcome) error {
	for _, step := range s.steps() {
		if err := step.do(ctx, &out); err != nil {
			return err
		}
	}
	return nil
}

// Recording is how Observer.Retried is told that events could not be recorded.
const Recording = "append to the log"

// step is one thing to do with an outcome. Each can be repeated: what is stored
// twice is recognised.
type step struct {
	name string
	do   func(ctx context.Context, out *outcome) error
}

func (s Stage) steps() []step {
	return []step{
		{"find the owners of exchanges", s.settle},
		{Recording, s.append},
		{"write dead letters", s.report},
		{"tell how replays are", func(ctx context.Context, out *outcome) error { return s.Replays.tell(ctx, out.judged) }},
	}
}

func (s Stage) append(ctx context.Context, out *outcome) error {
	if len(out.messages) == 0 {
		return nil
	}
	start := time.Now()
	if _, err := s.Log.Append(ctx, out.messages); err != nil {
		return fmt.Errorf("append %d facts: %w", len(out.messages), err)
	}
	s.Observe.Stored(len(out.messages), time.Since(start))
	for _, trace := range out.traces {
		s.Observe.Traced(pipeline.Span{Name: "append to the log", Parent: trace, Begin: start, End: time.Now()})
	}
	if s.Changed != nil {
		for _, c := range out.changes {
			s.Changed(c)
		}
	}
	for _, r := range out.redesigns {
		s.House.Designs.know(r.at, r.to)
	}
	return nil
}

// report writes the dead letters of what was refused.
func (s Stage) report(ctx context.Context, out *outcome) error {
	if len(out.letters) == 0 {
		return nil
	}
	seqs, err := s.Dead.Put(ctx, out.letters)
	if err != nil {
		return fmt.Errorf("write %d dead letters: %w", len(out.letters), err)
	}
	for i, a := range out.arrivals {
		out.judged.add(a.replay, Judged{Letters: []Found{{a.sequence, a.index, seqs[i]}}})
	}
	return nil
}
