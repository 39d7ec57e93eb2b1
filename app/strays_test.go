package app_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/learn"
	"learnloop.dev/pipeline"
	"learnloop.dev/pipeline/inject"
)

// What a kill of the server brings back of a person is published again here.
func TestWhatAServerFindsAgainOfAForgottenPersonGoesAtTheStart(t *testing.T) {
	dir := t.TempDir()
	a := meet(t, dir)
	a.hear(t, life("ben-4711", "ann-4711"))
	stored := a.Stored("ann-4711")
	ann := pipeline.KnowAnywhere("conversations", learn.Key{Kind: learn.KindPerson, ID: stored})
	old, err := bus.LastPerSubject(t.Context(), a.living.js, bus.InsightsStream, ann)
	if err != nil || len(old) != 1 {
		t.Fatal(err, old)
	}
	a.forgotten(t, "ann-4711")
	want := a.contexts(t)
	a.stop()

	b := meet(t, dir)
	ctx, cancel := context.WithTimeoutCause(t.Context(), time.Minute, errors.New("nobody believed the insight"))
	defer cancel()
	for _, e := range old {
		if _, err := b.living.js.Publish(t.Context(), e.Subject, e.Data); err != nil {
			t.Fatal(err)
		}
	}
	for len(b.contexts(t)) == len(want) { // until it is believed
		if ctx.Err() != nil {
			t.Fatal(context.Cause(ctx))
		}
	}
	b.stop()

	c := meet(t, dir)
	c.reflected(t, 0)
	differ(t, "after what was found again", c.contexts(t), want)
	c.nowhere(t, stored)
}

func TestAfterAKillHowFarTheContextsAreIsToldAnew(t *testing.T) {
	dir := t.TempDir()
	a := meet(t, dir)
	a.hear(t, life("ben-4711"))
	a.stop()
	d := spawn(t, dir)
	settings, err := d.js.KeyValue(t.Context(), learn.Settings)
	if err != nil {
		t.Fatal(err)
	}
	const beyond = "999999999"
	for p := range 4 {
		if _, err := settings.PutString(t.Context(), inject.Reflected(p), beyond); err != nil {
			t.Fatal(err)
		}
	}
	d.kill()

	b := meet(t, dir)
	b.reflected(t, 0)
	told, err := bus.NewBucket(b.living.js, learn.Settings).Find(t.Context(), inject.Positions)
	if err != nil || len(told) == 0 {
		t.Fatal(err, len(told))
	}
	for _, c := range told {
		if string(c.Value) == beyond {
			t.Errorf("%s is that of before", c.Key)
		}
	}
}
