package app

import (
	"context"
	"errors"
	"testing"

	"github.com/nats-io/nats.go/jetstream"
)

func TestAWatchIsAskedForAgainWhenTheServerIsSlow(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	end()
	refused := errors.New("refused")
	for _, c := range []struct {
		name  string
		ctx   context.Context
		err   error // of each time but the last
		last  int   // the time that succeeds
		tries int
		want  error
	}{
		{"at once", t.Context(), nil, 1, 1, nil},
		{"slow", t.Context(), context.DeadlineExceeded, 3, 3, nil},
		{"never", t.Context(), context.DeadlineExceeded, watchTries + 1, watchTries, context.DeadlineExceeded},
		{"refused", t.Context(), refused, 3, 1, refused},
		{"ended", ended, context.DeadlineExceeded, 3, 1, context.DeadlineExceeded},
	} {
		t.Run(c.name, func(t *testing.T) {
			tries := 0
			_, err := watch(c.ctx, func(context.Context) (jetstream.KeyWatcher, error) {
				if tries++; tries == c.last {
					return nil, nil
				}
				return nil, c.err
			})
			if !errors.Is(err, c.want) || tries != c.tries {
				t.Errorf("%v after %d tries, want %v after %d", err, tries, c.want, c.tries)
			}
		})
	}
}
