package app

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// stub is a loop of two stages, one of which waits for a word before it works.
func stub(t *testing.T, c Config) (l *Loop, word chan struct{}) {
	t.Helper()
	_, nc := connect(t)
	l = &Loop{config: c, nc: nc, ready: make(chan struct{}), rising: &rising{all: make(chan struct{})}}
	word = make(chan struct{})
	l.run("quick", func(ctx context.Context) error { <-ctx.Done(); return nil })
	l.rise("slow", func(ctx context.Context, up func()) error {
		select {
		case <-word:
			up()
		case <-ctx.Done():
		}
		<-ctx.Done()
		return nil
	})
	return l, word
}

func TestALoopIsReadyWhenItsLastStageWorks(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ready.json")
	l, word := stub(t, Config{ReadyFile: file})
	if err := l.notReady(); err == nil || !strings.Contains(err.Error(), "quick, slow") {
		t.Errorf("before it runs: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- l.Run(ctx) }()
	for l.rising.missing()[0] == "quick" { // until it is up
		if ctx.Err() != nil {
			t.Fatal(ctx.Err())
		}
	}
	if err := l.notReady(); err == nil || !strings.HasSuffix(err.Error(), ": slow") {
		t.Errorf("while a stage starts: %v", err)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("the ready file is there although a stage starts")
	}
	close(word)
	<-l.Ready()
	if _, err := os.Stat(file); err != nil || l.notReady() != nil {
		t.Errorf("when all work: %v %v", err, l.notReady())
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestALoopThatFailsWhileItStartsIsNeverReady(t *testing.T) {
	l, _ := stub(t, Config{})
	l.run("broken", func(context.Context) error { return errors.New("no luck") })
	if err := l.Run(t.Context()); err == nil || err.Error() != "broken: no luck" {
		t.Errorf("run: %v", err)
	}
	if l.notReady() == nil {
		t.Error("it is ready")
	}
}
