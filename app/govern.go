package app

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"learnloop.dev/api"
	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/learn/settings"
	"learnloop.dev/pipeline/ingest"
	"learnloop.dev/privacy"
)

// governor changes what is set, one change at a time, through the log. What it
// returns is in force: ingest tells of a change as soon as the log has it.
type governor struct{ loop *Loop }

// Govern changes the settings of privacy.
func (g governor) Govern(ctx context.Context, c api.Amendment) (privacy.Settings, error) {
	g.loop.governing.Lock()
	defer g.loop.governing.Unlock()
	now := g.loop.authority.policy.Load().Privacy
	next, err := c.Decide(now)
	if err != nil {
		return now, err
	}
	before, err := learn.Canonical(now)
	if err != nil {
		return now, err
	}
	value, err := learn.Canonical(next)
	if err != nil || bytes.Equal(before, value) {
		return now, err
	}
	err = g.tell(ctx, &events.SettingsChanged{Key: privacyKey, Value: value, Actor: c.Actor})
	return g.loop.authority.policy.Load().Privacy, err
}

// Choose changes what a person chose. The log knows the person by keyed hash.
func (g governor) Choose(ctx context.Context, o api.Choosing) (privacy.Choice, error) {
	g.loop.governing.Lock()
	defer g.loop.governing.Unlock()
	person := g.loop.keys.Blind("person", o.User)
	now, made := g.loop.authority.policy.Load().Choices[person]
	if !made {
		now = privacy.Undecided()
	}
	next := o.Decide(now)
	if next == now {
		return now, nil
	}
	value, err := learn.Canonical(next)
	if next == privacy.Undecided() {
		value = []byte("null")
	}
	if err == nil {
		err = g.tell(ctx, &events.SettingsChanged{Key: settings.Person + "." + person, Value: value, Actor: o.Actor})
	}
	return next, err
}

// tell puts a change into the log.
func (g governor) tell(ctx context.Context, c *events.SettingsChanged) error {
	err := g.loop.door.Control(ctx, ingest.Order{
		ID: "settings/" + rand.Text(), Kind: events.ControlSettings.Kind, At: g.loop.authority.next(c.Key), Payload: c,
	})
	if err != nil {
		return fmt.Errorf("change settings: %w", err)
	}
	return nil
}

// subject is governed by another process: what that one says is in force here too.
type subject struct {
	api.Steward
	authority *authority
}

// Govern changes the settings of privacy.
func (s subject) Govern(ctx context.Context, c api.Amendment) (privacy.Settings, error) {
	next, err := s.Steward.Govern(ctx, c)
	if err != nil {
		return next, err
	}
	value, err := learn.Canonical(next)
	if err == nil {
		s.settle(ctx, value)
	}
	return next, err
}

// settle waits until the bucket says what was set: it may still have to tell what was
// set before. If nobody writes the bucket now, it will not say otherwise either.
func (s subject) settle(ctx context.Context, value []byte) {
	ctx, cancel := context.WithTimeout(ctx, bucketTime)
	defer cancel()
	t := time.NewTicker(bucketLook)
	defer t.Stop()
	for !s.authority.holds(privacyKey, value) {
		select {
		case <-ctx.Done():
			s.authority.see(privacyKey, value)
			return
		case <-t.C:
		}
	}
}

// The bucket follows the log within this time, and is looked at this often.
const (
	bucketTime = 3 * time.Second
	bucketLook = 10 * time.Millisecond
)
