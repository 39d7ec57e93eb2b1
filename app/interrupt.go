package app

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// Interruptible ends the context when somebody asks this process to stop: with Ctrl-C,
// as a service manager does, or by closing its terminal, unless it was started to
// outlive that (nohup). Who asks twice ends the process at once; a terminal that closes
// may tell twice, and means it once.
func Interruptible(outer context.Context) (_ context.Context, stop func()) {
	asking := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		asking = append(asking, syscall.SIGHUP)
	}
	ctx, end := signal.NotifyContext(outer, asking...)
	called := context.AfterFunc(ctx, func() {
		if outer.Err() == nil { // else nobody asked this process
			signal.Ignore(syscall.SIGHUP)
		}
		end()
	})
	return ctx, func() {
		called() // off: who was not asked goes on hearing
		end()
	}
}
