package kv_test

import (
	"context"
	"fmt"
	"net"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/goleak"

	"learnloop.dev/kv"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// broker is a real server that can be stopped and started again.
type broker struct {
	tb   testing.TB
	opts *server.Options
	*server.Server
}

func start(tb testing.TB, accounts ...*server.User) *broker {
	tb.Helper()
	b := &broker{tb: tb, opts: &server.Options{
		Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: tb.TempDir(),
		NoLog: true, NoSigs: true, Users: accounts,
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

func (b *broker) connect(opts ...nats.Option) *nats.Conn {
	b.tb.Helper()
	patient := []nats.Option{nats.MaxReconnects(-1), nats.ReconnectWait(10 * time.Millisecond)}
	nc, err := nats.Connect(b.ClientURL(), append(patient, opts...)...)
	if err != nil {
		b.tb.Fatal(err)
	}
	b.tb.Cleanup(nc.Close)
	return nc
}

// bucket makes a bucket as the product does, with or without atomic batches.
func bucket(tb testing.TB, nc *nats.Conn, batches bool) jetstream.KeyValue {
	tb.Helper()
	js, err := jetstream.New(nc)
	if err != nil {
		tb.Fatal(err)
	}
	if _, err := js.CreateKeyValue(tb.Context(), jetstream.KeyValueConfig{Bucket: kv.Contexts}); err != nil {
		tb.Fatal(err)
	}
	if batches {
		stream, err := js.Stream(tb.Context(), "KV_"+kv.Contexts)
		if err != nil {
			tb.Fatal(err)
		}
		cfg := stream.CachedInfo().Config
		cfg.AllowAtomicPublish = true
		if _, err := js.UpdateStream(tb.Context(), cfg); err != nil {
			tb.Fatal(err)
		}
	}
	return reopen(tb, nc)
}

func reopen(tb testing.TB, nc *nats.Conn) jetstream.KeyValue {
	tb.Helper()
	js, err := jetstream.New(nc)
	if err != nil {
		tb.Fatal(err)
	}
	values, err := js.KeyValue(tb.Context(), kv.Contexts)
	if err != nil {
		tb.Fatal(err)
	}
	return values
}

func read(tb testing.TB, nc *nats.Conn, keys ...string) *kv.Reader {
	tb.Helper()
	r, err := kv.NewReader(within(tb), nc, kv.ReaderOptions{Keys: keys})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(r.Close)
	return r
}

func write(tb testing.TB, r *kv.Reader) *kv.Writer {
	tb.Helper()
	w, err := kv.NewWriter(tb.Context(), r)
	if err != nil {
		tb.Fatal(err)
	}
	return w
}

func within(tb testing.TB) context.Context {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), 20*time.Second)
	tb.Cleanup(cancel)
	return ctx
}

// value is a context of a given prompt.
func value(prompt string) []byte { return fmt.Appendf(nil, `{"prompt":%q}`, prompt) }

// eventually waits until the reader's answer for a key satisfies want.
func eventually(tb testing.TB, r *kv.Reader, key string, want func(kv.Context, bool) bool) {
	tb.Helper()
	ctx := within(tb)
	changes := r.Changes(ctx, key)
	if want(r.Get(key)) {
		return
	}
	for range changes {
		if want(r.Get(key)) {
			return
		}
	}
	c, ok := r.Get(key)
	tb.Fatalf("%s stayed %q (%t)", key, c.Value, ok)
}

func says(prompt string) func(kv.Context, bool) bool {
	return func(c kv.Context, ok bool) bool { return ok && c.Prompt == prompt }
}

func gone(_ kv.Context, ok bool) bool { return !ok }
