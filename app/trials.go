package app

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/pipeline/ingest"

	"github.com/go-json-experiment/json"
)

// trials keeps in the settings bucket which inbox message is being tried alone:
// it has to survive the process, and any other ingest may take the message up.
type trials struct {
	bucket *bus.Bucket
	owner  string // this process, as no other is called, not even itself after a restart
	alone  bool   // no other process can be trying
	now    func() time.Time
}

// trial is one message that is being tried.
type trial struct {
	Fatal    int       `json:"fatal"` // earlier trials that ended with their process
	Owner    string    `json:"owner"`
	Delivery uint64    `json:"delivery"` // of the message, which is tried
	Until    time.Time `json:"until"`    // it counts as going on
}

func trialKey(seq uint64) string { return "trying." + strconv.FormatUint(seq, 10) }

// Begin counts the trials of a message that ended with their process, and notes
// another.
func (t trials) Begin(ctx context.Context, seq, delivery uint64) (fatal int, err error) {
	was, cell, err := t.read(ctx, seq)
	if err != nil {
		return 0, err
	}
	switch {
	case cell.Revision == 0:
	case was.Owner == t.owner && was.Delivery == delivery:
		return was.Fatal, nil // it was noted, and the answer was lost
	case t.now().Before(was.Until) && (was.Owner == t.owner || !t.alone):
		return 0, fmt.Errorf("inbox message %d %w", seq, ingest.ErrTried)
	case was.Owner == t.owner: // we live
		fatal = was.Fatal
	default:
		fatal = was.Fatal + 1
	}
	err = t.write(ctx, cell, trial{Fatal: fatal, Owner: t.owner, Delivery: delivery})
	if errors.Is(err, bus.ErrFenced) { // another was quicker
		err = fmt.Errorf("inbox message %d %w", seq, ingest.ErrTried)
	}
	return fatal, err
}

// Extend notes that our trial of a message goes on.
func (t trials) Extend(ctx context.Context, seq uint64) error {
	was, cell, err := t.read(ctx, seq)
	if err != nil || was.Owner != t.owner {
		return err
	}
	return t.write(ctx, cell, was)
}

// End forgets our trial of a message, and those before it.
func (t trials) End(ctx context.Context, seq uint64) error {
	ctx, cancel := context.WithTimeout(ctx, endTime)
	defer cancel()
	was, cell, err := t.read(ctx, seq)
	if err != nil || was.Owner != t.owner {
		return err
	}
	if err := t.bucket.Remove(ctx, cell); err != nil {
		return fmt.Errorf("forget %s: %w", cell.Key, err)
	}
	return nil
}

// endTime is how long forgetting a trial may hold up a process that stops.
const endTime = 3 * time.Second

// read returns what the bucket holds of a message; its revision is 0 when that is
// nothing.
func (t trials) read(ctx context.Context, seq uint64) (was trial, cell bus.Cell, err error) {
	cell.Key = trialKey(seq)
	found, err := t.bucket.Find(ctx, cell.Key)
	if err != nil || len(found) == 0 {
		return was, cell, err
	}
	if err := json.Unmarshal(found[0].Value, &was); err != nil {
		return was, cell, fmt.Errorf("read %s: %w", cell.Key, err)
	}
	return was, found[0], nil
}

// write lets a trial count as going on from now.
func (t trials) write(ctx context.Context, cell bus.Cell, is trial) (err error) {
	is.Until = t.now().Add(ingest.Lease).UTC()
	if cell.Value, err = json.Marshal(is); err != nil {
		return fmt.Errorf("encode %s: %w", cell.Key, err)
	}
	return t.bucket.Put(ctx, []bus.Cell{cell})
}
