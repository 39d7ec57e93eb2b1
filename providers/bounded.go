package providers

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Limits bound how a model is asked.
type Limits struct {
	Timeout time.Duration // of one attempt
	Retries int           // after the first attempt, when what went wrong may pass
	PerHour int           // attempts within any hour; 0 is no limit
	AtOnce  int           // questions under way
}

// Bounded is a writer within limits. Who asks beyond them waits.
type Bounded struct {
	Writer
	limits Limits
	slots  chan struct{}

	mu    sync.Mutex
	asked []time.Time // guarded by mu; attempts of the last hour, in order
}

// Bound puts limits around a writer.
func Bound(w Writer, l Limits) *Bounded {
	return &Bounded{Writer: w, limits: l, slots: make(chan struct{}, max(l.AtOnce, 1))}
}

// Waits between attempts when the server does not say how long: doubling.
const (
	firstWait = time.Second
	lastWait  = 30 * time.Second
)

// Write asks until there is an answer, an error that does not pass, or no attempt
// left.
func (b *Bounded) Write(ctx context.Context, q Question) (answer string, err error) {
	select {
	case b.slots <- struct{}{}:
		defer func() { <-b.slots }()
	case <-ctx.Done():
		return "", ctx.Err()
	}
	for try := 0; ; try++ {
		if err := b.afford(ctx); err != nil {
			return "", err
		}
		answer, err = b.once(ctx, q)
		var failed *Error
		if err == nil || !errors.As(err, &failed) || !failed.Passing() || try >= b.limits.Retries || ctx.Err() != nil {
			return answer, err
		}
		wait := min(firstWait<<try, lastWait)
		if failed.After > lastWait {
			return "", err // whoever asks has other things to do meanwhile
		}
		if err := pause(ctx, max(wait, failed.After)); err != nil {
			return "", err
		}
	}
}

func (b *Bounded) once(ctx context.Context, q Question) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, b.limits.Timeout)
	defer cancel()
	return b.Writer.Write(ctx, q)
}

// afford waits until another attempt is within the hour's budget, and takes it.
func (b *Bounded) afford(ctx context.Context) error {
	for {
		wait := b.spend(time.Now())
		if wait <= 0 {
			return ctx.Err()
		}
		if err := pause(ctx, wait); err != nil {
			return err
		}
	}
}

// spend takes an attempt, or returns how long there will be none.
func (b *Bounded) spend(now time.Time) time.Duration {
	if b.limits.PerHour <= 0 {
		return 0
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.asked) > 0 && now.Sub(b.asked[0]) >= time.Hour {
		b.asked = b.asked[1:]
	}
	if len(b.asked) < b.limits.PerHour {
		b.asked = append(b.asked, now)
		return 0
	}
	return time.Hour - now.Sub(b.asked[0])
}

func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
