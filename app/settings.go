package app

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"
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

// settings are those groups as they are in force.
type settings struct {
	Privacy     privacy.Settings
	Entitlement Entitlement
}

func (s settings) policy() *ingest.Policy {
	return &ingest.Policy{Privacy: s.Privacy, Entitled: s.Entitlement.Allows()}
}

// group returns a pointer to the group of a name, nil for others.
func (s *settings) group(name string) any {
	switch name {
	case privacyKey:
		return &s.Privacy
	case entitlementKey:
		return &s.Entitlement
	}
	return nil
}

// inForce lays the settings a person gave over the stored ones and returns them
// with the names of the groups that differ from what is stored.
func (c Config) inForce(ctx context.Context, js jetstream.JetStream) (settings, []string, error) {
	now := settings{Privacy: privacy.Defaults(), Entitlement: Default().Entitlement}
	bucket, err := js.KeyValue(ctx, learn.Settings)
	if err != nil {
		return now, nil, fmt.Errorf("open bucket %s: %w", learn.Settings, err)
	}
	var differ []string
	for _, name := range []string{privacyKey, entitlementKey} {
		before, err := readStored(ctx, bucket, name, now.group(name))
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
		if string(before) != string(after) {
			differ = append(differ, name)
		}
	}
	return now, differ, now.Privacy.Validate()
}

// readStored fills a group from the bucket and returns its canonical bytes, nil
// when nothing is stored.
func readStored(ctx context.Context, bucket jetstream.KeyValue, name string, group any) ([]byte, error) {
	entry, err := bucket.Get(ctx, name)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read settings %s: %w", name, err)
	}
	if err := json.Unmarshal(entry.Value(), group); err != nil {
		return nil, fmt.Errorf("read settings %s: %w", name, err)
	}
	return learn.Canonical(group)
}

// announce puts the groups that differ into the log: the log is the truth, and
// the settings bucket is written from it.
func announce(ctx context.Context, door *ingest.Door, now settings, groups []string) error {
	at := time.Now()
	for _, name := range groups {
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
