package bus

import (
	"context"
	"fmt"
	"strings"

	"learnloop.dev/events"

	"github.com/nats-io/nats.go"
)

// Notice is a small message about something that has happened. Whoever misses one misses nothing that
// cannot be read elsewhere.
type Notice struct {
	Kind events.Kind // what happened: context.changed
	ID   string      // the same when the same is told again
	// About goes on with the subject: encoded tokens behind the kind, for who looks for the last about one thing.
	About []string
	Data  []byte // JSON
}

// NoticeSubject is where notices of a kind are published, and those about something of it.
func NoticeSubject(kind events.Kind, about ...string) string {
	tokens := []string{"learn.out", string(kind)}
	for _, token := range about {
		tokens = append(tokens, events.Token(token))
	}
	return strings.Join(tokens, ".")
}

const noticeSource = "/learnloop"

// Notices publishes to LEARN_OUT, where notices stay for a day.
type Notices struct{ send *Sender }

// NewNotices publishes over this connection.
func NewNotices(nc *nats.Conn) *Notices { return &Notices{NewSender(nc, OutStream)} }

// Put publishes notices as CloudEvents in binary mode and returns when the stream has all. After an error
// some may be out; putting them again is harmless to those who compare ids.
func (n *Notices) Put(ctx context.Context, notices []Notice) error {
	msgs := make([]Message, len(notices))
	for i, note := range notices {
		header, body := events.EncodeBinary(events.Envelope{ID: note.ID, Source: noticeSource, Kind: note.Kind, Data: note.Data})
		msgs[i] = Message{Subject: NoticeSubject(note.Kind, note.About...), Header: header, Data: body}
	}
	if _, err := n.send.Send(ctx, msgs); err != nil {
		return fmt.Errorf("put %d notices: %w", len(notices), err)
	}
	return nil
}
