package app_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"learnloop.dev/api"
	"learnloop.dev/app"
	"learnloop.dev/bus"

	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/zap"
)

func TestThreeProcessesOnAServerElsewhereAreTheSameLoop(t *testing.T) {
	creds, url := elsewhere(t)
	data := t.TempDir()
	for _, role := range []app.Role{app.Ingest, app.Analyzer, app.Injector} {
		runRole(t, role, []string{
			"data=" + filepath.Join(data, string(role)), "server=" + url, "creds=" + creds,
			"http=127.0.0.1:0", "clock.ticks=false",
		})
	}
	nc, err := bus.Connect(url, creds, "test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	l := &living{nc: nc, client: api.NewClient(nc)}
	if l.js, err = jetstream.New(nc, jetstream.WithDefaultTimeout(patience)); err != nil {
		t.Fatal(err)
	}
	for n := range 3 {
		if _, err := l.js.PublishMsg(t.Context(), parcel(n)); err != nil {
			t.Fatal(err)
		}
	}
	l.reflected(t, 3*perMessage)
	(&doomed{living: *l}).checkCounts(t, 3*perMessage)
}

func TestOnlyWhoTakesEventsInHoldsTheMasterKey(t *testing.T) {
	creds, url := elsewhere(t)
	data := t.TempDir()
	for _, role := range []app.Role{app.Ingest, app.Analyzer, app.Injector} {
		dir := filepath.Join(data, string(role))
		runRole(t, role, []string{"data=" + dir, "server=" + url, "creds=" + creds, "http=127.0.0.1:0", "clock.ticks=false"})
		_, err := os.Stat(filepath.Join(dir, "master.key"))
		if holds := err == nil; holds != (role == app.Ingest) {
			t.Errorf("%s holds the master key: %v", role, holds)
		}
	}
	other := filepath.Join(data, "other")
	pairs := []string{"data=" + other, "server=" + url, "creds=" + creds}
	fails(t, app.Ingest, "another key", pairs...) // it has none, and makes none
	if _, err := os.Stat(filepath.Join(other, "master.key")); err == nil {
		t.Error("a key was made for a log that has one")
	}
	if err := place(strings.Repeat("A", 43) + "=\n")(filepath.Join(other, "master.key")); err != nil {
		t.Fatal(err)
	}
	fails(t, app.Ingest, "another key", pairs...)
	key, err := os.ReadFile(filepath.Join(data, "ingest", "master.key"))
	if err == nil {
		err = os.WriteFile(filepath.Join(other, "master.key"), key, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	runRole(t, app.Ingest, append(pairs, "http=127.0.0.1:0"))
}

// elsewhere is a NATS server that only the holder of the credentials file uses.
func elsewhere(t *testing.T) (creds, url string) {
	t.Helper()
	file, public, err := bus.NewAdminCreds()
	if err != nil {
		t.Fatal(err)
	}
	creds = filepath.Join(t.TempDir(), "stage.creds")
	if err := os.WriteFile(creds, file, 0o600); err != nil {
		t.Fatal(err)
	}
	server, err := bus.Serve(bus.Options{Dir: t.TempDir(), StoreKey: "a key for this test alone, thirty-two", Admins: []string{public}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Shutdown)
	return creds, server.URL()
}

// runRole runs one role until the test ends.
func runRole(t *testing.T, role app.Role, pairs []string) *app.Loop {
	t.Helper()
	config, err := app.Load("", nil, pairs)
	if err != nil {
		t.Fatal(err)
	}
	loop, err := app.OpenRole(t.Context(), role, config, zap.NewNop())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- loop.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("run %s: %v", role, err)
		}
		if err := loop.Close(); err != nil {
			t.Errorf("close %s: %v", role, err)
		}
	})
	return loop
}
