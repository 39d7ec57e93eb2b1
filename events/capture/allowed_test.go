package capture_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"learnloop.dev/events"
	"learnloop.dev/events/capture"
)

func TestWhatIsNotAllowedIsDroppedAtOnceAndTheRestArrives(t *testing.T) {
	b := start(t)
	inbox(t, b.connect(), -1)
	b.down()
	b.opts.Users = []*server.User{{Username: "agent", Password: "p", Permissions: &server.Permissions{
		Publish: &server.SubjectPermission{Deny: []string{"learn.in.control.>"}},
	}}}
	b.up()
	nc, err := nats.Connect(b.ClientURL(), nats.UserInfo("agent", "p"), nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	why := make(chan error, 1)
	p := capture.New(nc, capture.Options{Source: "/agent", OnDrop: func(_ uint64, err error) { why <- err }})
	if err := capture.Publish(p, events.ControlTick, events.Tick{Date: "2026-01-01"}); err != nil {
		t.Fatal(err)
	}
	if err := capture.Publish(p, events.FeedbackFix, events.FixFeedback{}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second) // less than one try may take
	defer cancel()
	if err := p.Close(ctx); err != nil {
		t.Error(err)
	}
	if err := <-why; !errors.Is(err, capture.ErrNotAllowed) {
		t.Errorf("dropped: %v", err)
	}
	if s := p.Stats(); s.Sent != 1 || s.Dropped != 1 {
		t.Errorf("%+v", s)
	}
}
