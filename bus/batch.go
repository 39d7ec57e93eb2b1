package bus

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go"
)

// The atomic batch protocol (server 2.12, ADR-50 of the NATS project): all messages carry one batch id
// and a running number, the last one asks to commit and gets the only answer that matters. The server
// keeps a batch aside until then, and forgets it after a gap or 10 s of silence.
const (
	batchID       = "Nats-Batch-Id"
	batchSequence = "Nats-Batch-Sequence"
	batchCommit   = "Nats-Batch-Commit"
	expectStream  = "Nats-Expected-Stream"
	expectLast    = "Nats-Expected-Last-Subject-Sequence"
	expectOn      = "Nats-Expected-Last-Subject-Sequence-Subject"

	commitTimeout = 10 * time.Second
)

// commitPauses come before the tries of one commit.
var commitPauses = []time.Duration{0, 25 * time.Millisecond, 100 * time.Millisecond, 400 * time.Millisecond}

// errRefused means that the server looked at the messages and did not like one of them.
var errRefused = errors.New("refused")

// commit stores a group as one atomic batch and returns the sequence of its last message. It tries
// again where the server says that the batch did not reach it whole.
func (a *Appender) commit(group []*request) (last uint64, err error) {
	for _, pause := range commitPauses {
		<-time.After(pause) // one caller commits for many, so that no single context ends the wait
		if last, err = a.publish(group); !errors.Is(err, ErrUnavailable) {
			break
		}
	}
	return last, err
}

func (a *Appender) publish(group []*request) (uint64, error) {
	a.count++
	b := newBatch(a.stream, a.id+strconv.FormatUint(a.count, 36), group)
	for _, r := range group {
		for i := range r.msgs {
			msg := b.wrap(&r.msgs[i])
			if b.sent == b.total {
				return b.ask(a.nc, msg)
			}
			if err := a.nc.PublishMsg(msg); err != nil {
				return 0, fmt.Errorf("%w: %w", ErrUnavailable, err) // without its end it is not stored
			}
		}
	}
	return 0, nil
}

// batch numbers the messages of one atomic batch; a single message needs none.
type batch struct {
	total, sent int
	first       nats.Header
	plain       nats.Header // shared by the messages without headers of their own
	number      []string
}

func newBatch(stream, id string, group []*request) *batch {
	b := &batch{first: nats.Header{expectStream: {stream}}, number: []string{""}}
	for _, r := range group {
		b.total += len(r.msgs)
	}
	if b.total > 1 {
		b.plain = nats.Header{batchID: {id}, batchSequence: b.number}
	}
	return b
}

func (b *batch) wrap(m *Message) *nats.Msg {
	b.sent++
	b.number[0] = strconv.Itoa(b.sent)
	header := b.plain
	if len(m.Header) > 0 || m.ExpectLast != nil || b.sent == 1 || b.sent == b.total {
		header = b.own(m)
	}
	return &nats.Msg{Subject: m.Subject, Header: header, Data: m.Data}
}

func (b *batch) own(m *Message) nats.Header {
	header := nats.Header(maps.Clone(m.Header))
	if header == nil {
		header = nats.Header{}
	}
	maps.Copy(header, b.plain)
	if b.sent == 1 {
		maps.Copy(header, b.first)
	}
	if b.total > 1 && b.sent == b.total {
		header[batchCommit] = []string{"1"}
	}
	if m.ExpectLast != nil {
		header[expectLast] = []string{strconv.FormatUint(*m.ExpectLast, 10)}
	}
	return header
}

// ask sends the message that commits and reads the answer.
func (b *batch) ask(nc *nats.Conn, msg *nats.Msg) (uint64, error) {
	ctx, cancel := context.WithTimeout(context.Background(), commitTimeout)
	defer cancel()
	reply, err := nc.RequestMsgWithContext(ctx, msg)
	switch {
	case errors.Is(err, nats.ErrNoResponders):
		return 0, fmt.Errorf("%w: %w", ErrUnavailable, err)
	case err != nil:
		return 0, fmt.Errorf("%w: %w", ErrUnknown, err)
	}
	ack, err := readAck(reply.Data)
	if err != nil {
		return 0, err
	}
	if b.total > 1 && ack.Count != b.total {
		return 0, fmt.Errorf("%w: %d of %d messages acknowledged", ErrUnknown, ack.Count, b.total)
	}
	return ack.Seq, nil
}

// pubAck is the server's answer to a stored message.
type pubAck struct {
	Stream    string `json:"stream"`
	Seq       uint64 `json:"seq"`
	Count     int    `json:"count"`
	Duplicate bool   `json:"duplicate"`
	Error     *struct {
		Code        int    `json:"code"`
		ErrCode     int    `json:"err_code"`
		Description string `json:"description"`
	} `json:"error"`
}

// Error codes of the JetStream API that somebody acts on.
const (
	codeWrongLast    = 10071
	codeWrongLastTwo = 10164 // the same, while another message on the subject is under way
	codeStoreFailed  = 10077 // with the reason in its text
	codeNoStorage    = 10047
	codeNoResources  = 10023
	codeAccountFull  = 10002
	codeIncomplete   = 10176 // of an atomic batch
	codeManyBatches  = 10210
	codeBusy         = 10167
	codeNoCluster    = 10008
	codeNoLeader     = 10009
	codeNoMessage    = 10037
)

func readAck(raw []byte) (ack pubAck, err error) {
	if err := json.Unmarshal(raw, &ack); err != nil {
		return ack, fmt.Errorf("%w: acknowledgement: %w", ErrUnknown, err)
	}
	if ack.Error == nil {
		return ack, nil
	}
	text := ack.Error.Description
	return ack, fmt.Errorf("%w: %s (%d)", meaning(ack.Error.ErrCode, text), text, ack.Error.ErrCode)
}

// meaning sorts the server's refusals.
func meaning(code int, text string) error {
	switch code {
	case codeWrongLast, codeWrongLastTwo:
		return ErrFenced
	case codeNoStorage, codeNoResources, codeAccountFull:
		return ErrFull
	case codeIncomplete, codeManyBatches, codeBusy, codeNoCluster, codeNoLeader:
		return ErrUnavailable
	case codeStoreFailed:
		if strings.HasPrefix(text, "maximum ") {
			return ErrFull
		}
	}
	return errRefused
}
