package bus

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strconv"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Sender stores messages one by one, many of them under way at a time. On disk a message costs one
// flush, where an atomic batch of any size costs a dozen files made and removed again.
// It is safe for concurrent use.
type Sender struct {
	js     jetstream.JetStream
	stream string
	most   int64 // bytes in a message
}

// underWay is how many messages wait for their acknowledgement at most.
const underWay = 2000

// NewSender returns a sender to a stream.
func NewSender(nc *nats.Conn, stream string) *Sender {
	js, err := jetstream.New(nc, jetstream.WithPublishAsyncMaxPending(underWay), jetstream.WithPublishAsyncTimeout(commitTimeout))
	if err != nil {
		panic(err) // the options contradict each other
	}
	return &Sender{js, stream, nc.MaxPayload()}
}

// Send stores the messages in order and returns their sequences when all are stored. After an error
// some may be stored, and of those that the server refused none: its errors are those of
// [Appender.Append].
func (s *Sender) Send(ctx context.Context, msgs []Message) (seqs []uint64, err error) {
	for i := range msgs {
		if err := msgs[i].check(s.most); err != nil {
			return nil, fmt.Errorf("send to %s: %w", s.stream, err)
		}
	}
	if seqs, err = s.begin(msgs).await(ctx); err != nil {
		return nil, fmt.Errorf("send to %s: %w", s.stream, err)
	}
	return seqs, nil
}

// sending is some messages under way.
type sending struct {
	answers []jetstream.PubAckFuture
	err     error // why the others were not sent
}

func (s *Sender) begin(msgs []Message) sending {
	answers := make([]jetstream.PubAckFuture, len(msgs))
	for i := range msgs {
		var err error
		if answers[i], err = s.js.PublishMsgAsync(s.wrap(&msgs[i]), jetstream.WithStallWait(commitTimeout)); err != nil {
			return sending{answers[:i], fmt.Errorf("%w: %w", ErrUnavailable, err)}
		}
	}
	return sending{answers, nil}
}

// await waits for all answers and returns the first error.
func (s sending) await(ctx context.Context) (seqs []uint64, err error) {
	seqs = make([]uint64, len(s.answers))
	for i, answer := range s.answers {
		var refused error
		if seqs[i], refused = await(ctx, answer); refused != nil && err == nil {
			err = refused
		}
	}
	if err == nil {
		err = s.err
	}
	return seqs, err
}

// wrap adds what the server checks.
func (s *Sender) wrap(m *Message) *nats.Msg {
	header := nats.Header(maps.Clone(m.Header))
	if header == nil {
		header = nats.Header{}
	}
	header[expectStream] = []string{s.stream}
	if m.ExpectLast != nil {
		header[expectLast] = []string{strconv.FormatUint(*m.ExpectLast, 10)}
	}
	if m.ExpectOn != "" {
		header[expectOn] = []string{m.ExpectOn}
	}
	return &nats.Msg{Subject: m.Subject, Header: header, Data: m.Data}
}

func await(ctx context.Context, answer jetstream.PubAckFuture) (uint64, error) {
	select {
	case ack := <-answer.Ok():
		return ack.Sequence, nil
	case err := <-answer.Err():
		return 0, explain(err)
	case <-ctx.Done():
		return 0, fmt.Errorf("%w: %w", ErrUnknown, ctx.Err())
	}
}

// explain says what an answer means for the message.
func explain(err error) error {
	var refusal *jetstream.APIError
	switch {
	case errors.As(err, &refusal):
		return fmt.Errorf("%w: %s (%d)", meaning(int(refusal.ErrorCode), refusal.Description), refusal.Description, refusal.ErrorCode)
	case errors.Is(err, nats.ErrNoResponders), errors.Is(err, jetstream.ErrNoStreamResponse):
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return fmt.Errorf("%w: %w", ErrUnknown, err)
}
