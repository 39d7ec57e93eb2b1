package api

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/pipeline/analyze"
	"learnloop.dev/pipeline/forget"

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
	Census(s analyze.Survey) ([]analyze.Part, error)
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
	// Party searches the log and the state of this process; nil finds nobody.
	Party forget.Party
}

// question is what travels to the analyzers; exactly one of its ways is set.
type question struct {
	Model   string         `json:"model,omitzero"` // Ask
	Ask     string         `json:"ask,omitzero"`
	Args    jsontext.Value `json:"args,omitzero"`
	Explain *learn.Key     `json:"explain,omitzero"`
	Replay  string         `json:"replay,omitzero"`

	Survey *analyze.Survey `json:"survey,omitzero"`
	Search *forget.Search  `json:"search,omitzero"`
}

// reply is an analyzer's share of an answer: what some partitions say, together. It
// travels as a line of JSON and, below it, the value as learn.WriteAnswer wrote it.
type reply struct {
	Partitions []int  `json:"partitions"`
	Unknown    bool   `json:"unknown,omitzero"` // no model answers this
	Error      string `json:"error,omitzero"`
	Value      []byte `json:"-"`
}

func (r reply) write() []byte {
	data, _ := json.Marshal(r, jsontext.AllowInvalidUTF8(true)) // then nothing can go wrong
	return append(append(data, '\n'), r.Value...)
}

func readReply(data []byte) (r reply, err error) {
	head, value, _ := bytes.Cut(data, []byte{'\n'})
	err = json.Unmarshal(head, &r)
	r.Value = value
	return r, err
}

// answerers is how many questions a process answers at once.
const answerers = 4

// ServeQuestions answers questions about the partitions of this process until
// stop is called, which returns when the last one is answered.
func ServeQuestions(nc *nats.Conn, q Questions) (stop func() error, err error) {
	group := rand.Text() // of this process alone: every process is asked, one of its subscriptions answers
	life, end := context.WithCancel(context.Background())
	var desks []desk
	stop = func() error {
		end()
		return closeAll(desks)
	}
	for range answerers {
		d, err := openDesk(nc, questions, group, func(m *nats.Msg) { q.answer(life, m) })
		if err != nil {
			return nil, errors.Join(fmt.Errorf("serve questions: %w", err), stop())
		}
		desks = append(desks, d)
	}
	if err := nc.Flush(); err != nil {
		return nil, errors.Join(fmt.Errorf("serve questions: %w", err), stop())
	}
	return stop, nil
}

// desk is one subscription and when it has ended.
type desk struct {
	sub   *nats.Subscription
	ended chan struct{}
}

func openDesk(nc *nats.Conn, subject, group string, answer nats.MsgHandler) (desk, error) {
	sub, err := nc.QueueSubscribe(subject, group, answer)
	if err != nil {
		return desk{}, err
	}
	d := desk{sub, make(chan struct{})}
	sub.SetClosedHandler(func(string) { close(d.ended) })
	return d, nil
}

// closeAll takes no more questions and waits until those taken are answered.
func closeAll(desks []desk) error {
	late := time.After(closeTime)
	for _, d := range desks {
		if err := d.sub.Drain(); err != nil {
			return fmt.Errorf("stop answering questions: %w", err)
		}
	}
	for _, d := range desks {
		select {
		case <-d.ended:
		case <-late:
			return errors.New("stop answering questions: some take too long")
		}
	}
	return nil
}

// answer sends one message per part, so that none grows with the partitions.
func (q Questions) answer(life context.Context, m *nats.Msg) {
	busy := reply{}.write() // of no partition
	beating(func() { _ = m.Respond(busy) }, func() { q.send(m, q.replies(life, m.Data)) })
}

func (q Questions) send(m *nats.Msg, replies []reply) {
	for _, r := range replies {
		if err := m.Respond(r.write()); err != nil {
			failed := reply{Partitions: r.Partitions, Error: "the answer cannot be sent: " + err.Error()}
			_ = m.Respond(failed.write()) // who asked will miss the partitions and say so
		}
	}
}

func (q Questions) replies(life context.Context, data []byte) []reply {
	var ask question
	if err := json.Unmarshal(data, &ask); err != nil {
		return q.failure(fmt.Errorf("read question: %w", events.Unquoted(err)))
	}
	if ask.Replay != "" {
		value, err := json.Marshal(q.Tallies.Of(ask.Replay), json.Deterministic(true))
		if err != nil {
			return q.failure(fmt.Errorf("encode tally: %w", err))
		}
		return []reply{{Partitions: q.Partitions, Value: value}}
	}
	if ask.Search != nil {
		return q.search(life, *ask.Search)
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
	switch {
	case ask.Explain != nil:
		return q.Answerer.Explain(*ask.Explain)
	case ask.Survey != nil:
		return q.Answerer.Census(*ask.Survey)
	}
	return q.Answerer.Ask(ask.Model, ask.Ask, ask.Args)
}

// search has everything searched that this process has.
func (q Questions) search(life context.Context, s forget.Search) []reply {
	if q.Party == nil {
		return q.failure(errors.New("search for a person: nothing to search here"))
	}
	found, err := q.Party.Search(life, s)
	if err != nil {
		return q.failure(err)
	}
	value, err := json.Marshal(found, json.Deterministic(true))
	if err != nil {
		return q.failure(fmt.Errorf("encode what was found: %w", err))
	}
	return []reply{{Partitions: q.Partitions, Value: value}}
}

func (q Questions) failure(err error) []reply {
	return []reply{{Partitions: q.Partitions, Unknown: errors.Is(err, analyze.ErrUnknown), Error: err.Error()}}
}
