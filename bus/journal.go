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
}

// NewJournal uses the stream over this connection.
func NewJournal(js jetstream.JetStream) *Journal {
	return &Journal{js: js, append: NewAppender(js.Conn(), AuditStream)}
}

// Write stores an entry about an operation, and returns when it is on disk. It fails like Append.
func (j *Journal) Write(ctx context.Context, operation string, data []byte) error {
	if _, err := j.append.Append(ctx, []Message{{Subject: journalPrefix + operation, Data: data}}); err != nil {
		return fmt.Errorf("write to the audit log of %s: %w", operation, err)
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
