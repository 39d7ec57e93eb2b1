package main

import (
	"context"
	"errors"
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
	Waiting    int    `json:"waiting,omitzero"`   // until it is known whose exchange they are about
	Unknown    int    `json:"unknown,omitzero"`   // handled, but who counted them has ended since
	Unsent     int    `json:"unsent,omitzero"`    // too large for any message
	Reflected  bool   `json:"reflected"`          // the contexts show all of it
	Restarted  bool   `json:"restarted,omitzero"` // who counts began after the first was sent: counts are of what came since

	current bool // the contexts show all that was counted
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

// told says what became of the events, and no more than is known: after a restart,
// what came again may be counted as a duplicate of itself.
func (f fate) told() string {
	counts := fmt.Sprintf("%d stored, %d duplicates, %d refused%s", f.Stored, f.Duplicates, f.Refused, f.others())
	if !f.Restarted && f.Unknown == 0 {
		return fmt.Sprintf("%d sent: %s", f.Sent, counts)
	}
	return fmt.Sprintf("%d sent, and the contexts reflect them; each counts once\n"+
		"the loop was started anew meanwhile: what it had counted before is not known, and since then it counted\n"+
		"%s (duplicates may be of this replay itself)", f.Sent, counts)
}

// caller does operations.
type caller interface {
	Call(ctx context.Context, name string, in, out any) error
}

// await looks for what became of a replay.
type await struct {
	client   caller
	id       string
	ship     *shipment
	operator bool // may look at streams
	note     func(known int)

	handled bool   // nothing that was sent is in the inbox any more
	log     uint64 // the last sequence of the log when that was found
	told    uint64 // the last sequence of what is known, when it was looked at last
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
	sending := time.Since(a.ship.began)
	if err := a.client.Call(ctx, "replays.get", api.ReplayArgs{ID: a.id}, &r); hasCode(err, api.NotFound) {
		r.Reflected = true // nothing has come yet, or who counted it has ended
		r.Counting = sending.Seconds()
	} else if err != nil {
		return fate{}, err
	}
	f := fate{ID: a.id, Sent: a.ship.sent, Unsent: a.ship.unsent,
		Stored: r.Stored, Replaced: r.Replaced, Duplicates: r.Duplicates, Expired: r.Expired,
		Refused: r.Refused + a.ship.broken, Declined: r.Declined, Waiting: r.Waiting}
	f.Restarted = !a.ship.began.IsZero() && r.Counting < sending.Seconds()
	f.current = r.Reflected
	f.Reflected = f.current && f.known() >= f.Sent
	return f, nil
}

// until asks again and again until everything sent is reflected in the contexts.
// Counts alone do not tell: after a crash some events count twice, and others were
// counted by a process that is gone. Who may look at the streams does.
func (a *await) until(ctx context.Context) (fate, error) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	var last fate
	for news := time.Now(); ; {
		told := a.told
		f, err := a.once(ctx)
		if err == nil && f != last {
			last, news = f, time.Now()
			a.note(f.known())
		}
		if err == nil && (f.Reflected || time.Since(news) > quiet) {
			var done bool
			if done, err = a.settle(ctx, &f); done {
				return f, nil
			}
		}
		if a.told != told {
			news = time.Now() // much is known, and one insight after the other is told
		}
		if err != nil && !passing(err) || time.Since(news) > stuck {
			return last, a.givenUp(last, err)
		}
		select {
		case <-ctx.Done():
			return f, fmt.Errorf("wait for replay: %w", context.Cause(ctx))
		case <-tick.C:
		}
	}
}

// givenUp says where the replay stands when waiting for it is over.
func (a *await) givenUp(f fate, err error) error {
	if err == nil {
		err = fmt.Errorf("%d of them are on their way, and nothing moves", max(a.ship.sent-f.known(), 0))
	}
	return app.WithHint(fmt.Errorf("wait for replay: all %d events were sent: %w", a.ship.sent, err),
		"learnloop status shows where they are; replaying again is safe")
}

// passing reports whether an error may be over soon: of a server that is restarted.
func passing(err error) bool {
	return hasCode(err, api.Unavailable) || hasCode(err, api.TimedOut) || hasCode(err, api.NotReady)
}

func hasCode(err error, code api.Code) bool {
	p, ok := errors.AsType[*api.Problem](err)
	return ok && p.Code == code
}

// settle reports whether nothing of the replay is under way any more, whatever
// else is: ingest has handled all of it, the contexts reflect the log as it was
// then, and nobody counts any more.
func (a *await) settle(ctx context.Context, f *fate) (bool, error) {
	if !a.operator {
		return f.Reflected, nil
	}
	s, err := a.status(ctx)
	if err == nil && !a.handled && a.ship.handled(s) {
		s, err = a.status(ctx) // the log as it is now; it may have been looked at before the inbox
		a.handled, a.log = true, s.Log
	}
	if err != nil {
		return false, err
	}
	a.told = told(s)
	if !a.handled || slices.Max(append(s.Reflected, 0)) < a.log {
		return false, nil
	}
	after, err := a.once(ctx)
	if err != nil || after != *f || !f.current {
		return false, err
	}
	f.Unknown, f.Reflected = max(f.Sent-f.known(), 0), true
	return true, nil
}

// told is the last sequence of what the analyzer tells.
func told(s api.Status) uint64 {
	for _, stream := range s.Streams {
		if stream.Name == bus.InsightsStream {
			return stream.Last
		}
	}
	return 0
}

func (a *await) status(ctx context.Context) (s api.Status, err error) {
	err = a.client.Call(ctx, "status", nil, &s)
	return s, err
}

// handled reports whether everything sent has left the inbox.
func (s *shipment) handled(status api.Status) bool {
	for _, stream := range status.Streams {
		if stream.Name != bus.InboxStream {
			continue
		}
		return len(stream.Consumers) > 0 && !slices.ContainsFunc(stream.Consumers, func(c api.ConsumerStatus) bool { return c.Floor < s.last })
	}
	return false
}
