package main

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"learnloop.dev/app"

	"go.uber.org/zap"
)

// broken is an output that nobody reads any more.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestALoopThatCannotSayWhereItIsIsStopped(t *testing.T) {
	dir := t.TempDir()
	var complaints strings.Builder
	sh := shell{out: broken{}, err: &complaints, in: strings.NewReader(""), environ: loopEnv(dir)}
	if code := sh.run(t.Context(), []string{"serve", "--json"}); code != exitFailed || !strings.Contains(complaints.String(), "broken pipe") {
		t.Errorf("exit code %d: %s", code, complaints.String())
	}
	config, err := app.Load("", nil, []string{"data=" + filepath.Join(dir, "data"), "http=127.0.0.1:0", "nats=127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	l, err := app.Open(t.Context(), config, zap.NewNop())
	if err != nil {
		t.Fatalf("the folder is not free: %v", err)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
}

func TestWhoIsAskedToStopWhileStartingStops(t *testing.T) {
	dir := t.TempDir()
	for _, after := range []time.Duration{0, time.Millisecond, 10 * time.Millisecond, 100 * time.Millisecond, time.Second} {
		ctx, ask := context.WithCancel(t.Context())
		moment := time.AfterFunc(after, ask)
		var complaints strings.Builder
		sh := shell{out: io.Discard, err: &complaints, in: strings.NewReader(""), environ: loopEnv(dir)}
		if code := sh.run(ctx, []string{"serve"}); code != exitOK || complaints.Len() > 0 {
			t.Errorf("asked after %v: exit code %d: %s", after, code, complaints.String())
		}
		moment.Stop()
	}
}
