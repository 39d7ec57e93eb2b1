package providers_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"learnloop.dev/providers"
)

// scripted is a writer that answers by a function.
type scripted func(ctx context.Context, n int) (string, error)

type script struct {
	mu   sync.Mutex
	n    int // guarded by mu
	does scripted
}

func (s *script) Name() string { return "script" }

func (s *script) Write(ctx context.Context, _ providers.Question) (string, error) {
	s.mu.Lock()
	s.n++
	n := s.n
	s.mu.Unlock()
	return s.does(ctx, n)
}

var busy = &providers.Error{Who: "script", Why: providers.Busy, Status: 429}

func TestWhatPassesIsAskedAgainLaterAndLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		s := &script{does: func(_ context.Context, n int) (string, error) {
			if n < 4 {
				return "", busy
			}
			return "yes", nil
		}}
		w := providers.Bound(s, providers.Limits{Timeout: time.Second, Retries: 3})
		if got, err := w.Write(t.Context(), providers.Question{}); got != "yes" || err != nil {
			t.Errorf("%q, %v", got, err)
		}
		if took := time.Since(begin); took != 7*time.Second {
			t.Errorf("took %v, want 1 s, 2 s and 4 s", took)
		}
	})
}

func TestTheServerSaysWhenToComeBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		s := &script{does: func(_ context.Context, n int) (string, error) {
			if n == 1 {
				return "", &providers.Error{Why: providers.Busy, After: 9 * time.Second}
			}
			return "", &providers.Error{Why: providers.Busy, After: time.Hour}
		}}
		_, err := providers.Bound(s, providers.Limits{Timeout: time.Second, Retries: 5}).Write(t.Context(), providers.Question{})
		if e, is := errors.AsType[*providers.Error](err); !is || e.After != time.Hour || time.Since(begin) != 9*time.Second {
			t.Errorf("%v after %v", err, time.Since(begin))
		}
	})
}

func TestWhatDoesNotPassIsAskedOnce(t *testing.T) {
	s := &script{does: func(context.Context, int) (string, error) {
		return "", &providers.Error{Why: providers.Rejected, Status: 401}
	}}
	if _, err := providers.Bound(s, providers.Limits{Timeout: time.Second, Retries: 3}).Write(t.Context(), providers.Question{}); err == nil || s.n != 1 {
		t.Errorf("%v after %d attempts", err, s.n)
	}
}

func TestAfterThirtySecondsAnAttemptIsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		s := &script{does: func(ctx context.Context, _ int) (string, error) { // a server that needs 40 s
			select {
			case <-time.After(40 * time.Second):
				return "late", nil
			case <-ctx.Done():
				return "", &providers.Error{Why: providers.Late}
			}
		}}
		_, err := providers.Bound(s, providers.Limits{Timeout: 30 * time.Second}).Write(t.Context(), providers.Question{})
		if e, is := errors.AsType[*providers.Error](err); !is || e.Why != providers.Late || time.Since(begin) != 30*time.Second {
			t.Errorf("%v after %v", err, time.Since(begin))
		}
	})
}

func TestTheHourHasABudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		s := &script{does: func(context.Context, int) (string, error) { return "yes", nil }}
		w := providers.Bound(s, providers.Limits{Timeout: time.Second, PerHour: 2})
		var at []time.Duration
		for range 5 {
			if _, err := w.Write(t.Context(), providers.Question{}); err != nil {
				t.Fatal(err)
			}
			at = append(at, time.Since(begin))
		}
		for i, want := range []time.Duration{0, 0, time.Hour, time.Hour, 2 * time.Hour} {
			if at[i] != want {
				t.Errorf("question %d was asked after %v, want %v", i, at[i], want)
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if _, err := w.Write(ctx, providers.Question{}); err != nil { // one is left of the third hour
			t.Error(err)
		}
		if _, err := w.Write(ctx, providers.Question{}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("beyond the budget: %v", err)
		}
	})
}

func TestOnlySoManyQuestionsAreUnderWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		now, most := 0, 0
		s := &script{does: func(context.Context, int) (string, error) {
			mu.Lock()
			now++
			most = max(most, now)
			mu.Unlock()
			<-time.After(time.Second)
			mu.Lock()
			now--
			mu.Unlock()
			return "yes", nil
		}}
		w := providers.Bound(s, providers.Limits{Timeout: time.Minute, AtOnce: 3})
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() {
				if _, err := w.Write(t.Context(), providers.Question{}); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if most != 3 {
			t.Errorf("%d at once", most)
		}
	})
}
