package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"

	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/learn/settings"
	"learnloop.dev/pipeline"
	"learnloop.dev/pipeline/ingest"
	"learnloop.dev/pipeline/inject"
	"learnloop.dev/privacy"

	"github.com/nats-io/nats.go/jetstream"
)

// catchUp applies the changes that the log has and the bucket does not reflect
// yet: somebody was told that they are in force.
func (s *inForce) catchUp(ctx context.Context, js jetstream.JetStream, bucket jetstream.KeyValue) error {
	from := uint64(1)
	entry, err := bucket.Get(ctx, inject.Reflected(0))
	if err == nil {
		from, err = strconv.ParseUint(string(entry.Value()), 10, 64)
		from++
	}
	if err != nil && !errors.Is(err, jetstream.ErrKeyNotFound) {
		return fmt.Errorf("read how far the settings are: %w", err)
	}
	changes, err := bus.FactsFrom(ctx, js, pipeline.LogSubject(0, events.ControlSettings.Kind), from)
	if err != nil {
		return fmt.Errorf("read changes of settings: %w", err)
	}
	for _, e := range changes {
		if c, ok := changeOf(e); ok {
			s.hear(c)
		}
	}
	return nil
}

// hear applies a change unless a later one is known.
func (s *inForce) hear(c ingest.Change) {
	if last, known := s.heard[c.Key]; known && c.At.Before(last) {
		return
	}
	if next, err := s.changed(c.Key, c.Value); err == nil {
		*s = next
		s.heard[c.Key] = c.At
	}
}

// errNoGroup means that a change is about nothing that this process goes by.
var errNoGroup = errors.New("not a group of ours")

// changed returns what is in force after a change.
func (s inForce) changed(name string, value []byte) (next inForce, err error) {
	if person, ok := strings.CutPrefix(name, settings.Person+"."); ok {
		next = s
		next.Choices, err = chosen(s.Choices, person, value)
		return next, err
	}
	if s.group(name) == nil {
		return s, errNoGroup
	}
	return s.with(name, value)
}

// has reports whether a change says what is in force already.
func (s *inForce) has(name string, value []byte) bool {
	if person, ok := strings.CutPrefix(name, settings.Person+"."); ok {
		choice, err := privacy.ParseChoice(value)
		now, made := s.Choices[person]
		if !made {
			now = privacy.Undecided()
		}
		return err == nil && choice == now
	}
	if s.group(name) == nil {
		return true // nothing of ours
	}
	now, err := learn.Canonical(s.group(name))
	return err == nil && bytes.Equal(now, value)
}

// chosen returns choices with that of one person replaced.
func chosen(choices map[string]privacy.Choice, person string, value []byte) (map[string]privacy.Choice, error) {
	c, err := privacy.ParseChoice(value)
	if err != nil {
		return nil, fmt.Errorf("read a person's choice: %w", err)
	}
	next := maps.Clone(choices)
	if next == nil {
		next = map[string]privacy.Choice{}
	}
	next[person] = c
	if c == privacy.Undecided() {
		delete(next, person)
	}
	return next, nil
}

// storedChoices are what people chose for themselves, as the bucket holds it. A watch
// would wait for a choice that is taken back while it is read.
func storedChoices(ctx context.Context, js jetstream.JetStream) (map[string]privacy.Choice, error) {
	prefix := "$KV." + learn.Settings + "."
	entries, err := bus.LastPerSubject(ctx, js, "KV_"+learn.Settings, prefix+everyChoice)
	if err != nil {
		return nil, fmt.Errorf("read choices of people: %w", err)
	}
	choices := map[string]privacy.Choice{}
	for _, e := range entries {
		if len(e.Header["KV-Operation"]) > 0 {
			continue // taken back
		}
		c, err := privacy.ParseChoice(e.Data)
		if err != nil {
			return nil, fmt.Errorf("read a person's choice: %w", err)
		}
		choices[strings.TrimPrefix(e.Subject, prefix+settings.Person+".")] = c
	}
	return choices, nil
}

// everyChoice are the keys of the settings bucket under which choices of people stand.
const everyChoice = settings.Person + ".*"
