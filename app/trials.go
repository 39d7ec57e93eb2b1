package app

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"learnloop.dev/learn"

	"github.com/nats-io/nats.go/jetstream"
)

// trials keeps in the settings bucket which inbox message is being tried alone:
// it has to survive the process, and any other ingest may take the message up.
type trials struct{ js jetstream.JetStream }

func trialKey(seq uint64) string { return "trying." + strconv.FormatUint(seq, 10) }

// Begin counts the trials of a message that never ended, and notes another.
func (t trials) Begin(ctx context.Context, seq uint64) (unended int, err error) {
	bucket, err := t.js.KeyValue(ctx, learn.Settings)
	if err != nil {
		return 0, fmt.Errorf("open bucket %s: %w", learn.Settings, err)
	}
	entry, err := bucket.Get(ctx, trialKey(seq))
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound):
	case err != nil:
		return 0, fmt.Errorf("read %s: %w", trialKey(seq), err)
	default:
		if unended, err = strconv.Atoi(string(entry.Value())); err != nil {
			return 0, fmt.Errorf("read %s: %w", trialKey(seq), err)
		}
	}
	if _, err := bucket.Put(ctx, trialKey(seq), []byte(strconv.Itoa(unended+1))); err != nil {
		return 0, fmt.Errorf("write %s: %w", trialKey(seq), err)
	}
	return unended, nil
}

// End forgets the trials of a message.
func (t trials) End(ctx context.Context, seq uint64) error {
	bucket, err := t.js.KeyValue(ctx, learn.Settings)
	if err != nil {
		return fmt.Errorf("open bucket %s: %w", learn.Settings, err)
	}
	if err := bucket.Purge(ctx, trialKey(seq)); err != nil {
		return fmt.Errorf("forget %s: %w", trialKey(seq), err)
	}
	return nil
}
