package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"learnloop.dev/app"

	"github.com/spf13/cobra"
)

func (sh *shell) demoCommand() *cobra.Command {
	var keep bool
	c := &cobra.Command{
		Use: "demo", Short: "See the whole loop at work on an invented sample",
		Long: "Starts a loop on a temporary folder, plays a bundled sample of invented events into it, and\n" +
			"shows what comes of it. It needs no key, no account and no network.",
		Example: "  learnloop demo\n  learnloop demo --keep",
		Args:    exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if sh.json {
				return misused(cmd, errors.New("the demo tells a story for people: it has no --json"))
			}
			return sh.demo(cmd.Context(), keep)
		},
	}
	c.Flags().BoolVar(&keep, "keep", false, "leave the loop running, and its data where they are")
	return c
}

// demo runs the story on a folder of its own.
func (sh *shell) demo(ctx context.Context, keep bool) (err error) {
	ctx, stop := app.Interruptible(ctx)
	defer stop()
	dir, err := os.MkdirTemp("", "learnloop-demo-")
	if err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	if !keep {
		signal.Ignore(syscall.SIGPIPE) // who closes our output does not want the folder either
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	}
	err = sh.perform(ctx, dir, keep)
	switch {
	case errors.Is(err, syscall.EPIPE):
		return nil // nobody listens any more
	case err != nil && ctx.Err() != nil:
		return fmt.Errorf("demo: %w", errInterrupted)
	}
	return err
}

// perform runs the story on a folder that is there.
func (sh *shell) perform(ctx context.Context, dir string, keep bool) (err error) {
	config, err := app.Load("", nil, []string{"data=" + dir, "http=127.0.0.1:0", "nats=127.0.0.1:0", "log=error"})
	if err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	began := time.Now()
	r, err := start(ctx, config)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.stop()) }()
	up := time.Since(began)
	own := *sh // as the operator of the loop just started
	own.server, own.data, own.creds = r.Addresses().NATS, dir, ""
	l, err := own.connect()
	if err != nil {
		return err
	}
	defer l.close()
	if err := (&story{sh: &own, loop: l, at: r.Addresses(), stays: keep}).tell(ctx, up); err != nil {
		return err
	}
	if keep {
		own.sayKept(r.Addresses())
		r.wait(ctx)
	}
	return nil
}

// sayKept tells how the other commands find the loop.
func (sh *shell) sayKept(at app.Addresses) {
	sh.sayf("The loop keeps running; Ctrl-C stops it, and its folder stays. In another shell:\n")
	sh.sayf("  export LEARNLOOP_SERVER=%s", at.NATS)
	sh.sayf("  export LEARNLOOP_DATA=%s", sh.data)
	sh.sayf("  learnloop context list")
	sh.sayf("  learnloop explain rule.%s", turning)
	sh.sayf("  learnloop context watch        # and publish something")
	sh.sayf("\nover HTTP: %s/api/statistics", at.HTTP)
}
