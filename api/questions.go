package api

import (
	"crypto/rand"
	"errors"
	"fmt"

	"learnloop.dev/learn"
	"learnloop.dev/pipeline/analyze"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/nats-io/nats.go"
)

// questions is where analyzers are asked, below everything that belongs to the
// product alone.
const questions = "_LL.ask"

// Answerer answers for the partitions of one analyzer process, one part each.
type Answerer interface {
	Ask(model, question string, args jsontext.Value) ([]analyze.Part, error)
	Explain(key learn.Key) ([]analyze.Part, error)
}

// Tallies knows what became of the events of a replay.
type Tallies interface {
	Of(replay string) analyze.Tally
}

// Questions are what an analyzer process can be asked.
type Questions struct {
	Answerer   Answerer
	Tallies    Tallies
	Partitions []int // those the process folds
}

// question is what travels to the analyzers; exactly one of its ways is set.
type question struct {
	Model   string         `json:"model,omitzero"` // Ask
	Ask     string         `json:"ask,omitzero"`
	Args    jsontext.Value `json:"args,omitzero"`
	Explain *learn.Key     `json:"explain,omitzero"`
	Replay  string         `json:"replay,omitzero"`
}

// reply is an analyzer's share of an answer: what some partitions say, together.
type reply struct {
	Partitions []int          `json:"partitions"`
	Value      jsontext.Value `json:"value,omitzero"`
	Unknown    bool           `json:"unknown,omitzero"` // no model answers this
	Error      string         `json:"error,omitzero"`
}

// answerers is how many questions a process answers at once.
const answerers = 4

// ServeQuestions answers questions about the partitions of this process until
// stop is called.
func ServeQuestions(nc *nats.Conn, q Questions) (stop func() error, err error) {
	group := rand.Text() // of this process alone: every process is asked, one of its subscriptions answers
	var subs []*nats.Subscription
	stop = func() error {
		var errs []error
		for _, s := range subs {
			errs = append(errs, s.Drain())
		}
		return errors.Join(errs...)
	}
	for range answerers {
		s, err := nc.QueueSubscribe(questions, group, q.answer)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("serve questions: %w", err), stop())
		}
		subs = append(subs, s)
	}
	if err := nc.Flush(); err != nil {
		return nil, errors.Join(fmt.Errorf("serve questions: %w", err), stop())
	}
	return stop, nil
}

// answer sends one message per part, so that none grows with the partitions.
func (q Questions) answer(m *nats.Msg) {
	for _, r := range q.replies(m.Data) {
		data, err := json.Marshal(r)
		if err == nil {
			err = m.Respond(data)
		}
		if err != nil {
			data, _ = json.Marshal(reply{Partitions: r.Partitions, Error: "the answer cannot be sent: " + err.Error()})
			_ = m.Respond(data) // who asked will miss the partitions and say so
		}
	}
}

func (q Questions) replies(data []byte) []reply {
	var ask question
	if err := json.Unmarshal(data, &ask); err != nil {
		return q.failure(fmt.Errorf("read question: %w", err))
	}
	if ask.Replay != "" {
		value, err := json.Marshal(q.Tallies.Of(ask.Replay), json.Deterministic(true))
		if err != nil {
			return q.failure(fmt.Errorf("encode tally: %w", err))
		}
		return []reply{{Partitions: q.Partitions, Value: value}}
	}
	parts, err := q.parts(ask)
	if err != nil {
		return q.failure(err)
	}
	out := make([]reply, len(parts))
	for i, p := range parts {
		out[i] = reply{Partitions: []int{p.Partition}, Value: p.Value}
	}
	return out
}

func (q Questions) parts(ask question) (parts []analyze.Part, err error) {
	defer func() {
		if r := recover(); r != nil { // the panic's value may hold payload text: it goes no further
			err = fmt.Errorf("answer: panic (%T)", r)
		}
	}()
	if ask.Explain != nil {
		return q.Answerer.Explain(*ask.Explain)
	}
	return q.Answerer.Ask(ask.Model, ask.Ask, ask.Args)
}

func (q Questions) failure(err error) []reply {
	return []reply{{Partitions: q.Partitions, Unknown: errors.Is(err, analyze.ErrUnknown), Error: err.Error()}}
}
