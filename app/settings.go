package app

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/pipeline"
	"learnloop.dev/pipeline/ingest"
	"learnloop.dev/privacy"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go/jetstream"
)

// Groups of settings, each one key of the settings bucket and one kind of
// control fact.
const (
	privacyKey     = "privacy"
	entitlementKey = "entitlement"
)

// inForce are those groups as they are in force, and what people chose for
// themselves.
type inForce struct {
	Privacy     privacy.Settings
	Entitlement Entitlement
	Choices     map[string]privacy.Choice // by keyed hash; never changed in place

	// revision is that of the bucket they were read at, heard the event times of
	// changes that the log has and the bucket had not.
	revision uint64
	heard    map[string]time.Time
}

func (s inForce) policy() *ingest.Policy {
	return &ingest.Policy{Privacy: s.Privacy, Entitled: s.Entitlement.Allows(), Choices: s.Choices}
}

// groups are the names of all groups.
func groups() []string { return []string{privacyKey, entitlementKey} }

// group returns a pointer to the group of a name, nil for others.
func (s *inForce) group(name string) any {
	switch name {
	case privacyKey:
		return &s.Privacy
	case entitlementKey:
		return &s.Entitlement
	}
	return nil
}

// with returns the settings with one group replaced, whole: what the value leaves
// out is as by default. It fails when the value cannot be used.
func (s inForce) with(name string, value []byte) (inForce, error) {
	switch name {
	case privacyKey:
		s.Privacy = privacy.Defaults()
	case entitlementKey:
		s.Entitlement = Default().Entitlement
	}
	if err := json.Unmarshal(value, s.group(name)); err != nil {
		return s, err
	}
	return s, errors.Join(s.Privacy.Validate(), s.Entitlement.validate())
}

// settable tells groups of ours, and refuses values of theirs that cannot be used,
// before they are in the log.
func settable(name string, value []byte) (ours bool, err error) {
	now := inForce{Privacy: privacy.Defaults(), Entitlement: Default().Entitlement}
	beside := []string{"reflected", "forgetting", "forgotten", "trying", "confirm", "experiment", "token"}
	if kept, _, ok := strings.Cut(name, "."); ok && slices.Contains(beside, kept) {
		return true, ingest.ErrNoSetting // the loop keeps these beside the settings
	}
	if name == labelsKey {
		return true, nil
	}
	if _, err = now.changed(name, value); errors.Is(err, errNoGroup) {
		return false, nil
	}
	return true, err
}

// inForce lays the settings a person gave over the stored ones and returns them
// with the names of the groups in which that changed something. Who takes events in
// goes by the log, which the others may not read.
func (c Config) inForce(ctx context.Context, js jetstream.JetStream, log bool) (inForce, []string, error) {
	now, replaced, err := c.stored(ctx, js, log)
	if err != nil {
		return now, nil, err
	}
	var differ []string
	for _, name := range groups() {
		before, err := learn.Canonical(now.group(name))
		if err != nil {
			return now, nil, err
		}
		if err := overlay(now.group(name), maps.Clone(c.given[name])); err != nil {
			return now, nil, err
		}
		after, err := learn.Canonical(now.group(name))
		if err != nil {
			return now, nil, err
		}
		if slices.Contains(replaced, name) || string(before) != string(after) {
			differ = append(differ, name)
		}
	}
	return now, differ, now.Privacy.Validate()
}

// untouched reports whether nobody ever set anything. The log knows: the bucket
// may be behind it.
func untouched(ctx context.Context, js jetstream.JetStream) (bool, error) {
	_, err := bus.LastMsg(ctx, js, bus.EventsStream, pipeline.LogSubject(0, events.ControlSettings.Kind))
	if errors.Is(err, bus.ErrNotFound) {
		return true, nil
	}
	return false, err
}

// stored lays what the bucket holds over the defaults. A group that cannot be
// used ends the start, unless a person gives something of it: then the defaults
// stand in for it, and it is named in replaced.
func (c Config) stored(ctx context.Context, js jetstream.JetStream, log bool) (s inForce, replaced []string, err error) {
	s = inForce{Privacy: privacy.Defaults(), Entitlement: Default().Entitlement, heard: map[string]time.Time{}}
	bucket, err := js.KeyValue(ctx, learn.Settings)
	if err != nil {
		return s, nil, fmt.Errorf("open bucket %s: %w", learn.Settings, err)
	}
	if s.revision, err = bus.Last(ctx, js, "KV_"+learn.Settings); err != nil {
		return s, nil, err
	}
	for _, name := range groups() {
		entry, err := bucket.Get(ctx, name)
		if errors.Is(err, jetstream.ErrKeyNotFound) {
			continue
		}
		if err != nil {
			return s, nil, fmt.Errorf("read settings %s: %w", name, err)
		}
		next, err := s.with(name, entry.Value())
		switch {
		case err == nil:
			s = next
		case len(c.given[name]) > 0:
			replaced = append(replaced, name)
		default:
			return s, nil, WithHint(fmt.Errorf("use stored settings %s: %w", name, explain(err)), replaceHint[name])
		}
	}
	if s.Choices, err = storedChoices(ctx, js); err != nil {
		return s, nil, err
	}
	if !log {
		return s, replaced, nil
	}
	return s, replaced, s.catchUp(ctx, js, bucket)
}

// replaceHint says how to start although stored settings cannot be used.
var replaceHint = map[string]string{
	privacyKey:     "start once with --set privacy.text_mode=pattern: the defaults and what is given then replace what is stored",
	entitlementKey: "start once with --set entitlement.tier=teams: the defaults and what is given then replace what is stored",
}

// announce puts the groups that differ into the log: the log is the truth, and
// the settings bucket is written from it.
func announce(ctx context.Context, door *ingest.Door, now inForce, names []string) error {
	at := time.Now()
	for _, name := range names {
		value, err := learn.Canonical(now.group(name))
		if err != nil {
			return err
		}
		change := &events.SettingsChanged{Key: name, Value: value, Actor: "start"}
		order := ingest.Order{ID: fmt.Sprintf("settings/%s/%d", name, at.UnixNano()),
			Kind: events.ControlSettings.Kind, At: at, Payload: change}
		if err := door.Control(ctx, order); err != nil {
			return err
		}
	}
	return nil
}
