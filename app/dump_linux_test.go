package app

import (
	"syscall"
	"testing"
)

func TestTheMemoryOfTheProcessIsHidden(t *testing.T) {
	if err := forbidDumps(); err != nil {
		t.Fatal(err)
	}
	dumpable, _, failed := syscall.RawSyscall(syscall.SYS_PRCTL, syscall.PR_GET_DUMPABLE, 0, 0)
	if failed != 0 || dumpable != 0 {
		t.Errorf("dumpable is %d, %v", dumpable, failed)
	}
}
