package app

import (
	"context"
	"errors"

	"github.com/nats-io/nats.go/jetstream"
)

// watchTries is how often a watch is asked for: the client gives the server five
// seconds for each, whatever else it was told, and one whose disk is slow takes longer.
const watchTries = 6

// watch begins a watch with the patience of other requests. What ends too late on the
// server, nobody listens to, and it goes by itself.
func watch(ctx context.Context, begin func(context.Context) (jetstream.KeyWatcher, error)) (w jetstream.KeyWatcher, err error) {
	for range watchTries {
		if w, err = begin(ctx); !errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil {
			break
		}
	}
	return w, err
}
