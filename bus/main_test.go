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
func serve(t testing.TB, change ...func(*Options)) *Server {
	t.Helper()
	o := Options{Dir: t.TempDir(), StoreKey: testKey}
	for _, f := range change {
		f(&o)
	}
	s, err := Serve(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Shutdown)
	return s
}

// stage connects as a stage of the process.
func stage(t testing.TB, s *Server) jetstream.JetStream {
	t.Helper()
	nc, err := s.ConnectStage(t.Name())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return newJetStream(t, nc)
}

func newJetStream(t testing.TB, nc *nats.Conn) jetstream.JetStream {
	t.Helper()
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	return js
}

const soon = 5 * time.Second
