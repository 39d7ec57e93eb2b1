package app

import (
	"context"
	"errors"
	"testing"

	"github.com/nats-io/nats.go/jetstream"
)

func TestAWatchIsAskedForAgainWhenTheServerIsSlow(t *testing.T) {
	refused := errors.New("refused")
	for _, c := range []struct {
		name  string
		ended bool
		err   error // of each time but the last
		last  int   // the time that succeeds
		tries int
		want  error
	}{
		{"at once", false, nil, 1, 1, nil},
		{"slow", false, context.DeadlineExceeded, 3, 3, nil},
		{"never", false, context.DeadlineExceeded, watchTries + 1, watchTries, context.DeadlineExceeded},
		{"refused", false, refused, 3, 1, refused},
		{"ended", true, context.DeadlineExceeded, 3, 1, context.DeadlineExceeded},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, end := context.WithCancel(t.Context())
			defer end()
			if c.ended {
				end()
			}
			tries := 0
			_, err := watch(ctx, func(context.Context) (jetstream.KeyWatcher, error) {
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
