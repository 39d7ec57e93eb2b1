package main

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

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
