package api

import (
	"context"
	"time"

	"learnloop.dev/kv"
	"learnloop.dev/learn/learnings"
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

// settled waits until what was reported is known, and published if it ever is.
func (a *API) settled(ctx context.Context, id string, done func(learnings.Use) bool) (*Learning, error) {
	t := time.NewTicker(glance)
	defer t.Stop()
	for {
		u, err := a.standing(ctx, learnings.UseArgs{ID: id})
		if err != nil {
			return nil, err
		}
		if done(u) && a.shows(&u.Learning) {
			return &Learning{u.Learning}, nil
		}
		select {
		case <-ctx.Done():
			return nil, problem(TimedOut, a.underWay()).because(ctx.Err())
		case <-t.C:
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
	return err == nil && !shown.UpdatedAt.Before(l.UpdatedAt) && shown.Status == l.Status
}
