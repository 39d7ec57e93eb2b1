package bus

import (
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const testKey = "a key for tests only"

// serve starts a server that ends with the test.
func serve(tb testing.TB, change ...func(*Options)) *Server {
	tb.Helper()
	o := Options{Dir: tb.TempDir(), StoreKey: testKey}
	for _, f := range change {
		f(&o)
	}
	s, err := Serve(o)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(s.Shutdown)
	return s
}

// stage connects as a stage of the process.
func stage(tb testing.TB, s *Server) jetstream.JetStream {
	tb.Helper()
	nc, err := s.ConnectStage(tb.Name())
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(nc.Close)
	return newJetStream(tb, nc)
}

func newJetStream(tb testing.TB, nc *nats.Conn) jetstream.JetStream {
	tb.Helper()
	js, err := jetstream.New(nc)
	if err != nil {
		tb.Fatal(err)
	}
	return js
}

const soon = 5 * time.Second
