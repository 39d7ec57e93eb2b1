package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"learnloop.dev/api"
	"learnloop.dev/app"
	"learnloop.dev/bus"
)

// fate is what became of the events of a replay.
type fate struct {
	ID         string `json:"id"`
	Sent       int    `json:"sent"`
	Stored     int    `json:"stored"`
	Replaced   int    `json:"replaced"`
	Duplicates int    `json:"duplicates"`
	Expired    int    `json:"expired"`
	Declined   int    `json:"declined"`
	Refused    int    `json:"refused"`
	Waiting    int    `json:"waiting,omitzero"` // until it is known whose exchange they are about
	Unsent     int    `json:"unsent,omitzero"`  // too large for any message
	Reflected  bool   `json:"reflected"`        // the contexts show all of it
}

func (f fate) known() int {
	return f.Stored + f.Replaced + f.Duplicates + f.Expired + f.Declined + f.Refused + f.Waiting
}

// others lists the rarer fates.
func (f fate) others() string {
	var text strings.Builder
	for _, o := range []struct {
		n    int
		name string
	}{{f.Replaced, "replaced"}, {f.Expired, "expired"}, {f.Declined, "declined"}, {f.Waiting, "waiting for their exchange"}} {
		if o.n > 0 {
			fmt.Fprintf(&text, ", %d %s", o.n, o.name)
		}
	}
	return text.String()
}

// await looks for what became of a replay.
type await struct {
	client   *api.Client
	id       string
	ship     *shipment
	operator bool // may look at streams
	note     func(known int)
}

// await prepares to look for what becomes of a shipment.
func (l *loop) await(s *shipment) *await {
	return &await{client: l.client, id: s.id, ship: s, operator: l.operator, note: func(int) {}}
}

const (
	lookEvery = 50 * time.Millisecond
	quiet     = 500 * time.Millisecond // without news, before asking why
	stuck     = 2 * time.Minute        // without any news
)

// once asks how far the replay is.
func (a *await) once(ctx context.Context) (fate, error) {
	var r api.Replay
	if err := a.client.Call(ctx, "replays.get", api.ReplayArgs{ID: a.id}, &r); err != nil {
		return fate{}, err
	}
	f := fate{ID: a.id, Sent: a.ship.sent, Unsent: a.ship.unsent,
		Stored: r.Stored, Replaced: r.Replaced, Duplicates: r.Duplicates, Expired: r.Expired,
		Refused: r.Refused + a.ship.broken, Declined: r.Declined, Waiting: r.Waiting}
	f.Reflected = r.Reflected && f.known() >= f.Sent
	return f, nil
}

// until asks again and again until everything sent is reflected in the contexts.
func (a *await) until(ctx context.Context) (fate, error) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	var last fate
	for news := time.Now(); ; {
		f, err := a.once(ctx)
		switch {
		case err != nil || f.Reflected:
			return f, err
		case f != last:
			last, news = f, time.Now()
			a.note(f.known())
		case time.Since(news) > quiet:
			if settled, err := a.settled(ctx, f); err != nil || settled {
				f.Declined, f.Reflected = f.Declined+f.Sent-f.known(), settled
				return f, err
			}
		}
		if time.Since(news) > stuck {
			return f, app.WithHint(fmt.Errorf("wait for replay: %d of %d events are on their way, and nothing moves",
				f.Sent-f.known(), f.Sent), "learnloop status shows where they are; replaying again is safe")
		}
		select {
		case <-ctx.Done():
			return f, fmt.Errorf("wait for replay: %w", context.Cause(ctx))
		case <-tick.C:
		}
	}
}

// settled reports whether nothing is under way any more: what is missing then was
// counted by a process that is gone, or not as the replay's.
func (a *await) settled(ctx context.Context, before fate) (bool, error) {
	if !a.operator {
		return false, nil
	}
	var s api.Status
	if err := a.client.Call(ctx, "status", nil, &s); err != nil {
		return false, err
	}
	for _, stream := range s.Streams {
		for _, c := range stream.Consumers {
			if stream.Name == bus.InboxStream && (c.Pending > 0 || c.Unacked > 0) {
				return false, nil
			}
		}
	}
	if slices.Max(append(s.Reflected, 0)) < s.Log {
		return false, nil
	}
	after, err := a.once(ctx)
	return after == before, err
}
