package app_test

import (
	"fmt"
	"os"
	"regexp"
	"testing"
)

func TestARunningLoopLeavesNoCoreDump(t *testing.T) {
	d := spawn(t, t.TempDir())
	limits, err := os.ReadFile(fmt.Sprintf("/proc/%d/limits", d.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`(?m)^Max core file size +0 +0 `).Match(limits) {
		t.Errorf("%s", limits)
	}
}
