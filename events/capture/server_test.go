package capture_test

import (
	"net"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// broker is a real server that can be stopped and started again.
type broker struct {
	tb   testing.TB
	opts *server.Options
	*server.Server
}

func start(tb testing.TB) *broker {
	tb.Helper()
	b := &broker{tb: tb, opts: &server.Options{
		Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: tb.TempDir(), NoLog: true, NoSigs: true,
	}}
	b.up()
	b.opts.Port = b.Addr().(*net.TCPAddr).Port
	tb.Cleanup(b.down)
	return b
}

func (b *broker) up() {
	b.tb.Helper()
	s, err := server.NewServer(b.opts.Clone())
	if err != nil {
		b.tb.Fatal(err)
	}
	s.Start()
	if !s.ReadyForConnections(10 * time.Second) {
		b.tb.Fatal("the server does not start")
	}
	b.Server = s
}

func (b *broker) down() {
	b.Shutdown()
	b.WaitForShutdown()
}

func (b *broker) connect() *nats.Conn {
	b.tb.Helper()
	nc, err := nats.Connect(b.ClientURL(), nats.MaxReconnects(-1), nats.ReconnectWait(10*time.Millisecond))
	if err != nil {
		b.tb.Fatal(err)
	}
	b.tb.Cleanup(nc.Close)
	return nc
}

// inbox makes the inbox stream, or changes how much it may hold.
func inbox(tb testing.TB, nc *nats.Conn, bytes int64) jetstream.Stream {
	tb.Helper()
	js, err := jetstream.New(nc)
	if err != nil {
		tb.Fatal(err)
	}
	s, err := js.CreateOrUpdateStream(tb.Context(), jetstream.StreamConfig{
		Name: "LEARN_INBOX", Subjects: []string{"learn.in.>"}, Discard: jetstream.DiscardNew, MaxBytes: bytes,
	})
	if err != nil {
		tb.Fatal(err)
	}
	return s
}
