package app_test

import (
	"bufio"
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"learnloop.dev/api"
	"learnloop.dev/app"
	"learnloop.dev/bus"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/goleak"
	"go.uber.org/zap"
)

func TestMain(m *testing.M) {
	if os.Getenv(victimVar) != "" {
		os.Exit(victim())
	}
	goleak.VerifyTestMain(m)
}

// living is a loop under test, running in this process.
type living struct {
	*app.Loop
	data   string
	nc     *nats.Conn
	js     jetstream.JetStream
	client *api.Client
}

// start runs a loop on a folder until the test ends or stop is called.
func start(t *testing.T, dir string, pairs ...string) (l *living, stop func()) {
	t.Helper()
	pairs = append([]string{"data=" + dir, "http=127.0.0.1:0", "nats=127.0.0.1:0"}, pairs...)
	config, err := app.Load("", nil, pairs)
	if err != nil {
		t.Fatal(err)
	}
	loop, err := app.Open(t.Context(), config, zap.NewNop())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- loop.Run(ctx) }()
	select {
	case <-loop.Ready():
	case err := <-ended:
		t.Fatalf("loop ended before it was ready: %v", err)
	}
	l = &living{Loop: loop, data: dir}
	l.connect(t)
	var done bool
	stop = func() {
		if done {
			return
		}
		done = true
		l.nc.Close()
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("run: %v", err)
		}
		if err := loop.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	}
	t.Cleanup(stop)
	return l, stop
}

func (l *living) connect(t *testing.T) {
	t.Helper()
	var err error
	l.nc, err = bus.Connect(l.Addresses().NATS, filepath.Join(l.data, "admin.creds"), "test")
	if err != nil {
		t.Fatal(err)
	}
	if l.js, err = jetstream.New(l.nc, jetstream.WithDefaultTimeout(patience)); err != nil {
		t.Fatal(err)
	}
	l.client = api.NewClient(l.nc)
}

// testdata returns a file of real events, or skips.
func testdata(t *testing.T, name string) string {
	t.Helper()
	dir := os.Getenv("LEARNLOOP_TESTDATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared", "data")
	}
	path := filepath.Join(dir, name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("real events are not here: set LEARNLOOP_TESTDATA (%v)", err)
	}
	return path
}

// lines reads a JSONL file.
func lines(t *testing.T, path string) [][]byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out [][]byte
	for s := bufio.NewScanner(bytes.NewReader(data)); s.Scan(); {
		out = append(out, bytes.Clone(s.Bytes()))
	}
	return out
}

// publish sends structured events and waits until all are acknowledged.
func (l *living) publish(t *testing.T, events [][]byte) {
	t.Helper()
	for _, e := range events {
		m := nats.NewMsg("learn.in.feedback.fix")
		m.Header.Set("Content-Type", "application/cloudevents+json")
		m.Data = e
		if _, err := l.js.PublishMsgAsync(m); err != nil {
			t.Fatal(err)
		}
	}
	select {
	case <-l.js.PublishAsyncComplete():
	case <-time.After(30 * time.Second):
		t.Fatal("not everything was acknowledged within 30 s")
	}
}
