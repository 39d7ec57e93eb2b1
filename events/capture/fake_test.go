package capture

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"testing"

	"github.com/nats-io/nats.go"
	"go.uber.org/goleak"

	"learnloop.dev/events"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var errRefused = errors.New("refused: maximum bytes exceeded")

// faults is a wire whose server answers as a function says.
type faults struct {
	answer func(ctx context.Context, m *nats.Msg) error
	limit  int

	mu     sync.Mutex
	stored []*nats.Msg
}

func (f *faults) publish(ctx context.Context, m *nats.Msg) error {
	if f.answer != nil {
		if err := f.answer(ctx, m); err != nil {
			return err
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.stored = append(f.stored, m)
	return nil
}

func (f *faults) watch(context.Context) {}

func (f *faults) room() int {
	if f.limit > 0 {
		return f.limit
	}
	return batchBytes
}

// fix is an event whose id and data are a number.
func fix(n int) events.Envelope {
	return events.Envelope{
		ID: strconv.Itoa(n), Source: "/agents/editor", Kind: events.FeedbackFix.Kind, Data: fmt.Appendf(nil, `{"rule_id":"%d"}`, n),
	}
}

// told collects what OnDrop was told.
type told struct {
	mu   sync.Mutex
	lost map[error]uint64
}

func (t *told) note(n uint64, why error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.lost == nil {
		t.lost = map[error]uint64{}
	}
	t.lost[why] += n
}

func (t *told) sum() (n uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, lost := range t.lost {
		n += lost
	}
	return n
}

// addsUp checks the promise that Stats makes.
func addsUp(tb testing.TB, s Stats) {
	tb.Helper()
	if s.Captured != s.Sent+s.Dropped+s.Pending {
		tb.Fatalf("%+v does not add up", s)
	}
}

func mustCapture(tb testing.TB, p *Publisher, from, to int) {
	tb.Helper()
	for n := from; n < to; n++ {
		if err := p.Capture(fix(n)); err != nil {
			tb.Fatal(err)
		}
	}
}
