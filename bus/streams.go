package bus

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// ErrNotFound means that there is no such message, or no longer.
var ErrNotFound = errors.New("no such message")

// Last returns the sequence of the last message of a stream, 0 when there never was one.
func Last(ctx context.Context, js jetstream.JetStream, stream string) (uint64, error) {
	s, err := js.Stream(ctx, stream)
	if err != nil {
		return 0, fmt.Errorf("look up stream %s: %w", stream, err)
	}
	return s.CachedInfo().State.LastSeq, nil
}

// Purge says what is deleted of a stream: up to and including a sequence, all or what matches a subject.
type Purge struct {
	Stream, Subject string
	UpTo            uint64
}

// PurgeUpTo deletes messages.
func PurgeUpTo(ctx context.Context, js jetstream.JetStream, p Purge) error {
	request, err := json.Marshal(struct {
		Filter string `json:"filter,omitempty"`
		Seq    uint64 `json:"seq"` // the first to keep
	}{p.Subject, p.UpTo + 1})
	if err != nil {
		return err
	}
	if _, err := ask(ctx, js, "$JS.API.STREAM.PURGE."+p.Stream, request); err != nil {
		return fmt.Errorf("purge %s up to %d: %w", p.Stream, p.UpTo, err)
	}
	return nil
}

// ask sends one request of the JetStream API and reads what errors and acknowledgements have in common.
func ask(ctx context.Context, js jetstream.JetStream, subject string, request []byte) (pubAck, error) {
	ctx, cancel := context.WithTimeout(ctx, commitTimeout)
	defer cancel()
	reply, err := js.Conn().RequestWithContext(ctx, subject, request)
	if err != nil {
		return pubAck{}, err
	}
	return readAck(reply.Data)
}

// DeleteMsgs deletes single messages and overwrites them on disk. Those already gone are fine.
func DeleteMsgs(ctx context.Context, js jetstream.JetStream, stream string, seqs []uint64) error {
	requests := make([]*nats.Msg, len(seqs))
	for i, seq := range seqs {
		body, err := json.Marshal(struct {
			Seq uint64 `json:"seq"`
		}{seq})
		if err != nil {
			return err
		}
		requests[i] = &nats.Msg{Subject: "$JS.API.STREAM.MSG.DELETE." + stream, Data: body}
	}
	replies, err := askAll(ctx, js.Conn(), requests)
	if err != nil {
		return fmt.Errorf("delete %d messages of %s: %w", len(seqs), stream, err)
	}
	for i, seq := range seqs {
		if _, err := readAck(replies[i].Data); err != nil && !gone(ctx, js, stream, seq) {
			return fmt.Errorf("delete %s %d: %w", stream, seq, err)
		}
	}
	return nil
}

// gone makes sure that a message that could not be deleted is not there; the server words that in many ways.
func gone(ctx context.Context, js jetstream.JetStream, stream string, seq uint64) bool {
	ack, err := ask(ctx, js, "$JS.API.STREAM.MSG.GET."+stream, fmt.Appendf(nil, `{"seq":%d}`, seq))
	return err != nil && ack.Error != nil && ack.Error.ErrCode == codeNoMessage
}

const inFlight = 256 // requests of one askAll

// askAll sends requests without waiting for each and returns the replies in the order of the requests.
func askAll(ctx context.Context, nc *nats.Conn, requests []*nats.Msg) ([]*nats.Msg, error) {
	inbox := nc.NewInbox() + "."
	arrived := make(chan *nats.Msg, inFlight)
	sub, err := nc.ChanSubscribe(inbox+"*", arrived)
	if err != nil {
		return nil, err
	}
	defer func() { _ = sub.Unsubscribe() }()
	replies := make([]*nats.Msg, len(requests))
	for sent, got := 0, 0; got < len(requests); {
		if sent < len(requests) && sent-got < inFlight {
			requests[sent].Reply = inbox + strconv.Itoa(sent)
			if err := nc.PublishMsg(requests[sent]); err != nil {
				return nil, err
			}
			sent++
			continue
		}
		reply, err := receive(ctx, arrived)
		if err != nil {
			return nil, err
		}
		var i int
		if _, err := fmt.Sscan(reply.Subject[len(inbox):], &i); err != nil || i < 0 || i >= sent || replies[i] != nil {
			continue
		}
		replies[i] = reply
		got++
	}
	return replies, nil
}

// receive returns the next reply: ErrUnavailable when nobody was there to reply, ErrUnknown when none comes.
func receive(ctx context.Context, arrived <-chan *nats.Msg) (*nats.Msg, error) {
	silence := time.NewTimer(commitTimeout)
	defer silence.Stop()
	select {
	case reply := <-arrived:
		if reply.Header.Get(statusHeader) == "503" {
			return nil, fmt.Errorf("%w: %w", ErrUnavailable, nats.ErrNoResponders)
		}
		return reply, nil
	case <-silence.C:
		return nil, fmt.Errorf("%w: no reply", ErrUnknown)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
