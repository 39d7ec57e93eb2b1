package analyze

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/pipeline"
	"learnloop.dev/store"

	"github.com/go-json-experiment/json"
)

// Condenser puts what stays of records into the log before they go. What it appends
// takes them out, day by day and key by key, wherever folding stands: so that folding
// a log of which some of them were deleted already comes to the same.
type Condenser struct {
	Answerer

	Log Appender
	// End is the last sequence of a partition in the log.
	End     func(ctx context.Context, partition int) (uint64, error)
	Observe pipeline.Observer
}

// errBehind means that records are in the log that were not folded yet.
var errBehind = errors.New("the log is not folded to its end")

// Condense sums up the records from before a midnight (UTC), in partitions of this
// process. It waits until what the log holds now is folded; that more arrives meanwhile
// does not matter. Doing it again changes nothing.
func (c Condenser) Condense(ctx context.Context, before time.Time) error {
	ends := map[int]uint64{}
	for _, p := range c.Partitions {
		var err error
		if ends[p], err = c.End(ctx, p); err != nil {
			return fmt.Errorf("sum up what goes: %w", err)
		}
	}
	observe := c.Observe.EnsureDefaults()
	var msgs []bus.Message
	err := pipeline.Retry(ctx, func() (err error) {
		msgs, err = c.sums(ends, before)
		return err
	}, func(err error) bool { return !errors.Is(err, errBehind) },
		func(err error) { observe.Retried("sum up what goes", err) })
	if err != nil {
		return fmt.Errorf("sum up what goes: %w", err)
	}
	for some := range slices.Chunk(msgs, atOnce) {
		if _, err := c.Log.Append(ctx, some); err != nil {
			return fmt.Errorf("append %d sums: %w", len(some), err)
		}
	}
	return nil
}

// sums are the facts of all partitions, errBehind before the log is folded to its ends.
func (c Condenser) sums(ends map[int]uint64, before time.Time) (msgs []bus.Message, err error) {
	err = c.Store.View(func(v *store.View) error {
		for _, p := range c.Partitions {
			frozen := v.Partition(p)
			if frozen.Cursor() < ends[p] {
				return errBehind
			}
			more, err := c.digests(p, frozen, before)
			if err != nil {
				return err
			}
			msgs = append(msgs, more...)
		}
		return nil
	})
	return msgs, err
}

// digests are the facts of one partition.
func (c Condenser) digests(p int, frozen store.Frozen, before time.Time) (msgs []bus.Message, err error) {
	for _, m := range c.Models {
		if m.Condense == nil {
			continue
		}
		for _, d := range m.Condense(learn.Question{Rows: m.Open(frozen), Records: frozen}, before) {
			for _, data := range d.Data {
				msg, err := summed(p, m.Group, d.Newest, data)
				if err != nil {
					return nil, err
				}
				msgs = append(msgs, msg)
			}
		}
	}
	return msgs, nil
}

// summed is a sum as the log keeps it. It is about whom the records were about, as old
// as the newest of them, and another content of a sum of the same day replaces it.
func summed(p int, group events.Group, newest events.Head, data events.Payload) (msg bus.Message, err error) {
	part := data.Parts()[0]
	spec, ok := events.Lookup(part.Kind)
	if !ok {
		return msg, fmt.Errorf("sum up as %s: not in the vocabulary", part.Kind)
	}
	content, err := json.Marshal(data, json.Deterministic(true))
	if err != nil {
		return msg, fmt.Errorf("encode %s: %w", part.Kind, err)
	}
	record := digest(append([]string{string(part.Kind), part.Key, newest.Person}, data.Identity()...)...)
	fact := spec.Fact(events.Head{
		SpecVersion: "1.0", ID: "sum/" + record, Source: source, Type: part.Kind.Type(), Time: newest.Time,
		Recorded: newest.Recorded, Stamp: newest.Recorded, Record: record, Content: digest(string(content)),
		Group: group, Key: part.Key, Person: newest.Person,
	}, data)
	msg.Subject = pipeline.LogSubject(p, part.Kind)
	msg.Data, err = events.Encode(fact)
	return msg, err
}

// source names the product itself as the producer of sums.
const source = "/learnloop"

// digest is a name that follows from what is stored already.
func digest(parts ...string) string {
	const bits = 16
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(sum[:bits]))
}
