//go:build unix

package app

import (
	"os/signal"
	"syscall"
	"testing"
)

func TestWhoWasNotAskedToStopGoesOnHearingOfItsTerminal(t *testing.T) {
	if signal.Ignored(syscall.SIGHUP) {
		t.Skip("started to outlive its terminal")
	}
	_, stop := Interruptible(t.Context())
	stop()
	if signal.Ignored(syscall.SIGHUP) {
		t.Error("what this process starts would outlive its terminal")
	}
}
