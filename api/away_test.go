package api

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestWhatWaitsForAServerThatIsAwayEndsAndNothingElseDoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var gone atomic.Bool
		r := Registry{away: gone.Load}
		time.AfterFunc(time.Minute, func() { gone.Store(true) })
		began := time.Now()
		ctx, end := r.attached(t.Context())
		defer end()
		<-ctx.Done()
		if took := time.Since(began); took < time.Minute || took > time.Minute+lookout || !errors.Is(context.Cause(ctx), errAway) {
			t.Errorf("after %v: %v", took, context.Cause(ctx))
		}
		later, end := r.attached(t.Context())
		if later.Err() != nil {
			t.Error("what needs no server is not begun")
		}
		end()
		if p := forsaken(); p.Status != 503 || p.header.Get("Retry-After") == "" {
			t.Errorf("%+v", p)
		}
	})
}
