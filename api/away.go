package api

import (
	"context"
	"errors"
	"time"
)

// errAway means that the NATS server has gone while an operation needed it.
var errAway = errors.New("the NATS server is away")

// lookout is how often operations under way look whether the server is still there:
// long enough for a connection that comes back at once.
const lookout = 500 * time.Millisecond

// attached is a context that ends when the server is away: what waits for it would
// wait in vain. What needs no server is done before anybody looks.
func (r *Registry) attached(ctx context.Context) (_ context.Context, end func()) {
	if r.away == nil {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	var look func()
	look = func() {
		switch {
		case ctx.Err() != nil:
		case r.away():
			cancel(errAway)
		default:
			time.AfterFunc(lookout, look)
		}
	}
	first := time.AfterFunc(lookout, look)
	return ctx, func() {
		first.Stop()
		cancel(nil)
	}
}

// forsaken is what a caller is told whose operation ended because the server went away.
func forsaken() *Problem {
	return problem(Unavailable, errAway.Error()).with("Retry-After", "2").
		hint("send the same again, with the same ids: nothing counts twice")
}
