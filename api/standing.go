package api

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"time"

	"learnloop.dev/kv"
	"learnloop.dev/learn"
	"learnloop.dev/learn/learnings"
	"learnloop.dev/pipeline"

	"github.com/nats-io/nats.go"
)

// standing asks how a learning stands; the status of one that does not exist is "".
func (a *API) standing(ctx context.Context, args learnings.UseArgs) (learnings.Use, error) {
	parts, err := askModel[learnings.Use](ctx, a.asker, question{Model: learnings.Name, Ask: learnings.AskUse}, args)
	for _, u := range parts {
		if u.Status != "" {
			return u, nil
		}
	}
	return learnings.Use{}, err
}

// existing is standing of what has to be there.
func (a *API) existing(ctx context.Context, id string) (learnings.Use, error) {
	u, err := a.standing(ctx, learnings.UseArgs{ID: id})
	if err == nil && u.Status == "" {
		err = noLearning()
	}
	return u, err
}

// found is a learning that is to change, from the state in which the caller knows it, if
// one is named. Call release when it has changed.
func (a *API) found(ctx context.Context, id string, m Matching) (u learnings.Use, release func(), err error) {
	if release, err = a.alone(ctx, m); err != nil {
		return u, nil, err
	}
	if u, err = a.existing(ctx, id); err == nil {
		err = m.met(&Learning{u.Learning})
	}
	if err != nil {
		release()
	}
	return u, release, err
}

// heard reports whether a learning has taken in what was told of it.
func heard(u learnings.Use) (bool, error) {
	if u.Status == "" {
		return false, noLearning() // meanwhile
	}
	return u.Heard, nil
}

// settled waits until what was told is known, and published if it ever is. The watch
// began before it was told.
func (a *API) settled(ctx context.Context, w *watch, done func(learnings.Use) (bool, error), events ...string) (*Learning, error) {
	for {
		u, err := a.standing(ctx, learnings.UseArgs{ID: w.id, Events: events})
		if err != nil {
			return nil, err
		}
		known, err := done(u)
		switch {
		case err != nil:
			return nil, err
		case known && a.shows(&u.Learning):
			return &Learning{u.Learning}, nil
		case known:
			err = w.published(ctx)
		default:
			err = w.folded(ctx)
		}
		if ctx.Err() != nil {
			return nil, problem(TimedOut, a.underWay()).because(ctx.Err())
		}
		if err != nil {
			return nil, err
		}
	}
}

// underWay says how far an event is of which nothing is known yet. Where another process
// takes events in, that one may still decline it.
func (a *API) underWay() string {
	if a.deps.Door == nil {
		return "it was sent, and what came of it is not known: learnloop dlq list shows what was refused"
	}
	return "it is in the log, and being carried out"
}

// shows reports whether readers see a learning as it is; of what waits for review
// they see nothing.
func (a *API) shows(l *learnings.Learning) bool {
	if l.Status == learnings.Proposed || l.Status == learnings.Rejected {
		return true
	}
	shown, err := a.learning(kv.EntryKey(l.ID))
	return err == nil && reflect.DeepEqual(worded(shown.Learning), worded(*l))
}

// worded is a learning without what tasks say of it, which goes on meanwhile.
func worded(l learnings.Learning) learnings.Learning {
	l.Confidence, l.Posterior = 0, learnings.Posterior{}
	l.TimesInjected, l.TimesHelpful, l.TimesNotHelpful = 0, 0, 0
	l.UpdatedAt, l.LastInjectedAt, l.LastHelpfulAt = time.Time{}, time.Time{}, time.Time{}
	l.Evidence = learnings.Evidence{Revisions: l.Evidence.Revisions}
	return l
}

// overlook is after how long who waits for a learning asks again though nothing was
// heard of it: a message may be lost with a connection.
const overlook = time.Second

// watch hears when something changes about a learning.
type watch struct {
	id    string
	again time.Duration
	known *nats.Subscription // what analyzers publish
	shown func() (kv.Context, bool)
	stop  func()
}

// watch begins to listen; what changes from now on is heard.
func (a *API) watch(ctx context.Context, id string) (*watch, error) {
	sub, err := a.asker.nc.SubscribeSync(pipeline.KnowAnywhere(learnings.Name, learn.Key{Kind: learnings.KindLearning, ID: id}))
	if err != nil {
		return nil, unreachable(fmt.Errorf("listen for what is known of a learning: %w", err))
	}
	next, stop := iter.Pull(a.deps.Learnings.Changes(ctx, kv.EntryKey(id)))
	return &watch{id: id, again: a.overlook, known: sub, shown: next, stop: stop}, nil
}

func (w *watch) close() {
	w.stop()
	_ = w.known.Unsubscribe() // the connection may have gone
}

// folded waits until the analyzers know something new.
func (w *watch) folded(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, w.again)
	defer cancel()
	switch _, err := w.known.NextMsgWithContext(ctx); {
	case errors.Is(err, nats.ErrConnectionClosed), errors.Is(err, nats.ErrBadSubscription):
		return unreachable(fmt.Errorf("listen for what is known of a learning: %w", err))
	default:
		return nil // or it is looked at all the same
	}
}

// published waits until readers see something new, or for the analyzers where readers
// see nothing any more.
func (w *watch) published(ctx context.Context) error {
	if _, more := w.shown(); more {
		return nil
	}
	return w.folded(ctx)
}
