package api

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestWhoAsksTheSameSharesAnAnswerThatIsBegunAfterwards(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, changes, done := newRounds(), atomic.Int64{}, atomic.Int64{}
		work := func(context.Context) (answer, error) {
			done.Add(1)
			seen := changes.Load()
			<-time.After(time.Second)
			return answer{status: int(seen)}, nil
		}
		var all sync.WaitGroup
		for i := range 1000 {
			all.Go(func() {
				<-time.After(time.Duration(i) * 2 * time.Millisecond)
				known := changes.Add(1)
				ans, err := r.share(t.Context(), "q", work)
				if err != nil || int64(ans.status) < known {
					t.Errorf("of %d changes that were there %d are in the answer, %v", known, ans.status, err)
				}
			})
		}
		all.Wait()
		if n := done.Load(); n > 4 { // at 0, 1 and 2 s, and perhaps at 3 s
			t.Errorf("a thousand callers were worked for %d times", n)
		}
		if len(r.next)+len(r.now) > 0 {
			t.Errorf("left over: %v %v", r.next, r.now)
		}
	})
}

func TestWhoeverWorksMayGoAndTheOthersAreAnsweredAllTheSame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRounds()
		work := func(ctx context.Context) (answer, error) {
			select {
			case <-time.After(time.Minute):
				return answer{status: 200}, nil
			case <-ctx.Done():
				return answer{}, ctx.Err()
			}
		}
		gone, leave := context.WithCancel(t.Context())
		var all sync.WaitGroup
		all.Go(func() { _, _ = r.share(t.Context(), "q", work) })
		synctest.Wait()
		all.Go(func() { // leads the next round
			if _, err := r.share(gone, "q", work); !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
		synctest.Wait()
		for range 3 {
			all.Go(func() {
				if ans, err := r.share(t.Context(), "q", work); ans.status != 200 {
					t.Errorf("%+v %v", ans, err)
				}
			})
		}
		<-time.After(10 * time.Second)
		leave()
		all.Wait()
	})
}

func TestDifferentQuestionsDoNotWaitForEachOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, began := newRounds(), time.Now()
		var all sync.WaitGroup
		for _, q := range []string{"a", "b", "c"} {
			all.Go(func() {
				_, _ = r.share(t.Context(), q, func(context.Context) (answer, error) {
					<-time.After(time.Second)
					return answer{}, nil
				})
			})
		}
		all.Wait()
		if took := time.Since(began); took != time.Second {
			t.Errorf("it took %v", took)
		}
	})
}
