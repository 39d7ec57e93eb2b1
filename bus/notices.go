package bus

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"learnloop.dev/events"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Notice is a small message about something that has happened. Whoever misses one misses nothing that
// cannot be read elsewhere.
type Notice struct {
	Kind events.Kind // what happened: context.changed
	// Topic is under which it is told, the kind when empty.
	Topic events.Kind
	ID    string // the same when the same is told again
	// Once has the stream drop what is told again with this id within OnceWindow.
	Once bool
	// About goes on with the subject: encoded tokens behind the kind, for who looks for the last about one thing.
	About []string
	Data  []byte // JSON
}

// OnceWindow is how long the stream remembers the ids of notices that are told once.
const OnceWindow = shortWindow

// NoticeSubject is where notices on a topic are published, and those about something of it.
func NoticeSubject(topic events.Kind, about ...string) string {
	tokens := []string{"learn.out", string(topic)}
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
		if note.Once {
			header[jetstream.MsgIDHeader] = []string{note.ID}
		}
		msgs[i] = Message{Subject: NoticeSubject(cmp.Or(note.Topic, note.Kind), note.About...), Header: header, Data: body}
	}
	if _, err := n.send.Send(ctx, msgs); err != nil {
		return fmt.Errorf("put %d notices: %w", len(notices), err)
	}
	return nil
}
