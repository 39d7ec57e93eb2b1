package pipeline_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"learnloop.dev/pipeline"
)

var (
	errPassing = errors.New("passes")
	errFinal   = errors.New("stays")
)

func isFinal(err error) bool { return errors.Is(err, errFinal) }

func TestWhatFailsIsTriedAgainMoreAndMoreSeldom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		var tries []time.Duration
		seen := 0
		err := pipeline.Retry(t.Context(), func() error {
			tries = append(tries, time.Since(begin))
			if len(tries) < 12 {
				return errPassing
			}
			return nil
		}, isFinal, func(err error) {
			if errors.Is(err, errPassing) {
				seen++
			}
		})
		if err != nil || seen != 11 {
			t.Fatalf("%v, %d failures seen", err, seen)
		}
		var waits []time.Duration
		for i := range tries[1:] {
			waits = append(waits, tries[i+1]-tries[i])
		}
		if !slices.IsSorted(waits) || waits[0] != 20*time.Millisecond || waits[10] != 5*time.Second {
			t.Errorf("waited %v", waits)
		}
	})
}

func TestAFinalErrorIsReturnedAtOnce(t *testing.T) {
	tries := 0
	err := pipeline.Retry(t.Context(), func() error { tries++; return errFinal }, isFinal,
		func(error) { t.Error("a final error is not told: it is returned") })
	if !errors.Is(err, errFinal) || tries != 1 {
		t.Errorf("%v after %d tries", err, tries)
	}
}

func TestAnEndedContextEndsTheTrying(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reason := errors.New("asked to stop")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Minute, func() { cancel(reason) })
		begin := time.Now()
		err := pipeline.Retry(ctx, func() error { return errPassing }, pipeline.Never, func(error) {})
		if !errors.Is(err, reason) || time.Since(begin) != time.Minute {
			t.Errorf("%v after %v", err, time.Since(begin))
		}
	})
}

func TestWhatSucceedsWithAnEndedContextHasSucceeded(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := pipeline.Retry(ctx, func() error { return nil }, pipeline.Never, func(error) {}); err != nil {
		t.Error(err)
	}
}
