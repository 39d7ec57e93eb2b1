//go:build unix

package app

import (
	"context"
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
	outer, end := context.WithCancel(t.Context())
	inner, stop := Interruptible(outer)
	heard := make(chan struct{})
	context.AfterFunc(inner, func() { close(heard) })
	end()
	<-heard
	stop()
	if signal.Ignored(syscall.SIGHUP) {
		t.Error("what this process starts would outlive its terminal")
	}
}
