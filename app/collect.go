package app

import (
	"context"
	"time"
)

// collect gives disk space back now and then.
func (l *Loop) collect(ctx context.Context) error {
	t := time.NewTicker(collectEvery)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-t.C:
			if err := l.state.Collect(); err != nil {
				return err
			}
		}
	}
}
