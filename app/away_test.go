package app

import (
	"testing"
	"time"

	"learnloop.dev/bus"

	"github.com/nats-io/nats.go"
)

// connect starts a server and connects to it, until the test ends.
func connect(t *testing.T) (*bus.Server, *nats.Conn) {
	t.Helper()
	server, err := bus.Serve(bus.Options{Dir: t.TempDir(), StoreKey: "a key for this test alone, thirty-two"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Shutdown)
	nc, err := bus.Connect(server.URL(), "", "test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return server, nc
}

func TestALoopWhoseServerIsAwayIsNotReady(t *testing.T) {
	server, nc := connect(t)
	l := &Loop{nc: nc, ready: make(chan struct{})}
	close(l.ready)
	if err := l.notReady(); err != nil {
		t.Errorf("connected: %v", err)
	}
	gone := nc.StatusChanged(nats.RECONNECTING)
	server.Shutdown()
	select {
	case <-gone:
	case <-time.After(10 * time.Second):
		t.Fatal("the connection still stands")
	}
	if err := l.notReady(); err == nil {
		t.Error("away, and ready")
	}
}
