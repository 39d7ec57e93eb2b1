package bus

import (
	"context"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
)

const journalPrefix = "learn.audit."

// Journal writes and reads LEARN_AUDIT: what people changed, one message each.
type Journal struct {
	js     jetstream.JetStream
	append *Appender
	send   *Sender
}

// NewJournal uses the stream over this connection.
func NewJournal(js jetstream.JetStream) *Journal {
	return &Journal{js: js, append: NewAppender(js.Conn(), AuditStream), send: NewSender(js.Conn(), AuditStream)}
}

// Write stores an entry about an operation, and returns when it is on disk. It fails like Append.
func (j *Journal) Write(ctx context.Context, operation string, data []byte) error {
	if _, err := j.append.Append(ctx, []Message{{Subject: journalPrefix + operation, Data: data}}); err != nil {
		return fmt.Errorf("write to the audit log of %s: %w", operation, err)
	}
	return nil
}

// Line is an entry that may be written again by somebody who does not know that it is there.
type Line struct {
	ID   string // the same when the same is written again
	Data []byte
}

// WriteOnce stores lines about an operation, and returns when all are on disk. After an error some may be there: those
// that are written again within OnceWindow stand there once.
func (j *Journal) WriteOnce(ctx context.Context, operation string, lines []Line) error {
	msgs := make([]Message, len(lines))
	for i, l := range lines {
		msgs[i] = Message{Subject: journalPrefix + operation, Header: map[string][]string{jetstream.MsgIDHeader: {l.ID}}, Data: l.Data}
	}
	if _, err := j.send.Send(ctx, msgs); err != nil {
		return fmt.Errorf("write %d lines to the audit log of %s: %w", len(lines), operation, err)
	}
	return nil
}

// List returns up to limit entries, the newest first, older than the one with sequence before;
// 0 begins at the newest.
func (j *Journal) List(ctx context.Context, limit int, before uint64) ([]Entry, error) {
	entries, err := newest(ctx, j.js, AuditStream, page{limit, before})
	if err != nil {
		return nil, fmt.Errorf("list the audit log: %w", err)
	}
	return entries, nil
}
