package api

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/pipeline/analyze"
	"learnloop.dev/pipeline/forget"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go"
)

// asker puts questions to all analyzers and collects what every partition says.
type asker struct {
	nc         *nats.Conn
	partitions int
}

// answerTime is how long the analyzers have; less than a caller's patience, so
// that the caller learns who did not answer.
const answerTime = 20 * time.Second

// ask returns the values of all partitions, in the order of their arrival.
func (a asker) ask(ctx context.Context, q question) ([][]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	return a.put(ctx, q)
}

// put is ask for what may take long: as long as somebody says that it is being done.
func (a asker) put(ctx context.Context, q question) ([][]byte, error) {
	asked, err := a.begin(q)
	if err != nil {
		return nil, err
	}
	return asked.collect(ctx)
}

// inquiry is a question that was asked.
type inquiry struct {
	sub        *nats.Subscription
	partitions int
}

// begin asks and does not wait; whoever begins collects or forgets.
func (a asker) begin(q question) (inquiry, error) {
	data, err := json.Marshal(q)
	if err != nil {
		return inquiry{}, fmt.Errorf("encode question: %w", err)
	}
	sub, err := a.nc.SubscribeSync(a.nc.NewRespInbox())
	if err != nil {
		return inquiry{}, fmt.Errorf("ask analyzers: %w", err)
	}
	asked := inquiry{sub, a.partitions}
	if err := a.nc.PublishRequest(questions, sub.Subject, data); err != nil {
		asked.forget()
		return inquiry{}, fmt.Errorf("ask analyzers: %w", err)
	}
	return asked, nil
}

// forget hears no more answers.
func (i inquiry) forget() { _ = i.sub.Unsubscribe() }

// collect waits until every partition has spoken once.
func (i inquiry) collect(ctx context.Context) (values [][]byte, err error) {
	defer i.forget()
	heard := make([]bool, i.partitions)
	for missing := i.partitions; missing > 0; {
		m, err := nextBefore(ctx, i.sub, stillness)
		if err != nil {
			return nil, silence(heard, err)
		}
		r, err := readReply(m.Data)
		if err != nil {
			return nil, fmt.Errorf("read an analyzer's answer: %w", events.Unquoted(err))
		}
		switch {
		case r.Unknown:
			return nil, fmt.Errorf("%w: %s", analyze.ErrUnknown, r.Error)
		case r.Error != "":
			return nil, fmt.Errorf("an analyzer answered: %s", r.Error)
		}
		if fresh := hear(heard, r.Partitions); fresh > 0 {
			missing -= fresh
			values = append(values, r.Value)
		}
	}
	return values, nil
}

// hear marks partitions and returns how many were not heard before: while one
// moves, two processes may answer for it.
func hear(heard []bool, partitions []int) (fresh int) {
	for _, p := range partitions {
		if p >= 0 && p < len(heard) && !heard[p] {
			heard[p] = true
			fresh++
		}
	}
	return fresh
}

// silence says who did not answer.
func silence(heard []bool, err error) error {
	if errors.Is(err, context.Canceled) {
		return err // nobody waits any more
	}
	var missing []string
	for p, ok := range heard {
		if !ok {
			missing = append(missing, strconv.Itoa(p))
		}
	}
	p := problem(Unavailable, "no answer for the partitions "+strings.Join(missing, ", ")).
		hint("see that the analyzers run; learnloop status shows where events are")
	if !errors.Is(err, nats.ErrNoResponders) && !errors.Is(err, context.DeadlineExceeded) {
		p = p.because(err)
	}
	return p.with("Retry-After", "1")
}

// askModel returns every partition's part of a model's answer.
func askModel[Part any](ctx context.Context, a asker, q question, args any) ([]Part, error) {
	q, err := q.with(args)
	if err != nil {
		return nil, err
	}
	return decoded[Part](a.ask(ctx, q))
}

// with is the question with arguments.
func (q question) with(args any) (question, error) {
	data, err := json.Marshal(args)
	if err != nil {
		return q, fmt.Errorf("encode question %s for %s: %w", q.Ask, q.Model, err)
	}
	q.Args = data
	return q, nil
}

// explain returns the lines that each partition can trace.
func (a asker) explain(ctx context.Context, key learn.Key) ([]map[string]analyze.Line, error) {
	return decoded[map[string]analyze.Line](a.ask(ctx, question{Explain: &key}))
}

// tallies returns what each process counted of a replay.
func (a asker) tallies(ctx context.Context, replay string) ([]analyze.Tally, error) {
	return decoded[analyze.Tally](a.ask(ctx, question{Replay: replay}))
}

func decoded[Part any](values [][]byte, err error) ([]Part, error) {
	if err != nil {
		return nil, err
	}
	parts := make([]Part, len(values))
	for i, v := range values {
		if err := learn.ReadAnswer(v, &parts[i]); err != nil {
			return nil, fmt.Errorf("read an analyzer's part: %w", err)
		}
	}
	return parts, nil
}

// Analyzers are all analyzers together, for who is not one of them.
type Analyzers struct{ asker asker }

// NewAnalyzers returns those that fold so many partitions; the connection stays the
// caller's.
func NewAnalyzers(nc *nats.Conn, partitions int) Analyzers { return Analyzers{asker{nc, partitions}} }

// Search has every analyzer search its state, and the log.
func (a Analyzers) Search(ctx context.Context, s forget.Search) (all forget.Finding, err error) {
	parts, err := decoded[forget.Finding](a.asker.put(ctx, question{Search: &s}))
	for _, part := range parts {
		all.Merge(part)
	}
	return all, err
}
