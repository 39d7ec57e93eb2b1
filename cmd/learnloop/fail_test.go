package main

import (
	"context"
	"os"
	"strings"
	"testing"
)

func TestAnInterruptedDemoSaysSoAndLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var said, complaints strings.Builder
	sh := shell{out: &said, err: &complaints, in: strings.NewReader("")}
	if code := sh.run(ctx, []string{"demo"}); code != exitInterrupted || complaints.String() != "learnloop: demo: interrupted\n" {
		t.Errorf("exit code %d: %s", code, complaints.String())
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
}
