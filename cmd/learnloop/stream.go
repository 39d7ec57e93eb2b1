package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"learnloop.dev/app"
	"learnloop.dev/bus"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"
)

func (sh *shell) streamCommand() *cobra.Command {
	return group("stream", "Make the streams and buckets of a NATS server what they have to be", sh.streamApplyCommand())
}

func (sh *shell) streamApplyCommand() *cobra.Command {
	var want bus.Layout
	var yes bool
	c := &cobra.Command{
		Use: "apply", Short: "Show what differs from what this version needs; with --yes, change it",
		Long: "Streams and buckets that are missing are made, the others are brought up to date. What an operator tuned,\n" +
			"such as limits and placement, stays; more replicas can be had, fewer cannot. Doing it again changes nothing.",
		Example: "  learnloop stream apply --server nats://10.0.0.7:4222 --creds operator.seed --replicas 3\n" +
			"  learnloop stream apply --server nats://10.0.0.7:4222 --creds operator.seed --replicas 3 --yes",
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if want.Partitions < 0 || want.Partitions > mostPartitions {
				return misused(cmd, fmt.Errorf("--partitions %d: want 1 to %d", want.Partitions, mostPartitions))
			}
			if !slices.Contains([]int{0, 1, 3, 5}, want.Replicas) {
				return misused(cmd, fmt.Errorf("--replicas %d: want 1, 3 or 5", want.Replicas))
			}
			ctx, stop := app.Interruptible(cmd.Context())
			defer stop()
			return sh.applyStreams(ctx, want, yes)
		},
	}
	c.Flags().IntVar(&want.Partitions, "partitions", 0, "into how many partitions a new log is divided, for good (32)")
	c.Flags().IntVar(&want.Replicas, "replicas", 0, "on how many nodes each stream is kept, 1 or 3 or 5; as it is when not given")
	c.Flags().BoolVar(&yes, "yes", false, "change it")
	return c
}

// mostPartitions is how many a log may be divided into.
const mostPartitions = 1024

// applied is what came of it.
type applied struct {
	Changes []bus.Change `json:"changes"`
	Applied bool         `json:"applied"`
}

func (sh *shell) applyStreams(ctx context.Context, want bus.Layout, yes bool) error {
	creds := sh.credentials()
	if creds == "" {
		return app.WithHint(errors.New("streams are for operators"), sh.credentialHint())
	}
	nc, err := bus.Connect(sh.server, creds, "learnloop command")
	if err != nil {
		return app.WithHint(err, sh.connectHint(err))
	}
	defer nc.Close()
	nc.SetErrorHandler(nil) // what is not permitted is told once, by who asked for it
	js, err := bus.JetStream(nc)
	if err != nil {
		return err
	}
	a := applied{Applied: yes}
	if a.Changes, err = bus.Plan(ctx, js, want); err == nil && yes {
		_, err = bus.Ensure(ctx, js, want)
	}
	if errors.Is(err, context.DeadlineExceeded) { // what is not permitted is not answered
		err = app.WithHint(err, sh.credentialHint())
	}
	if err != nil {
		return err
	}
	if sh.json {
		return sh.answerWith(a)
	}
	return sh.showApplied(a)
}

func (sh *shell) showApplied(a applied) error {
	for _, c := range a.Changes {
		sign, made := "~", ""
		if c.Create {
			sign, made = "+", " (new)"
		}
		sh.sayf("%s %s%s", sign, c.Stream, made)
		rows := make([][]string, len(c.Settings))
		for i, s := range c.Settings {
			rows[i] = []string{"    " + s.Name, changeOf(s, c.Create)}
		}
		if err := sh.table(rows); err != nil {
			return err
		}
	}
	switch {
	case len(a.Changes) == 0:
		sh.sayf("All streams and buckets are as they have to be.")
	case a.Applied:
		sh.sayf("\nChanged: %s.", plural(len(a.Changes), "stream"))
	default:
		sh.sayf("\nNothing is changed yet: add --yes to change %s.", plural(len(a.Changes), "stream"))
	}
	return nil
}

// changeOf is what a setting will be, and was.
func changeOf(s bus.Setting, create bool) string {
	if create {
		return shortly(s.Will)
	}
	return fmt.Sprintf("%s -> %s", shortly(s.Is), shortly(s.Will))
}

// shortly is JSON as a person reads it.
func shortly(v jsontext.Value) string {
	if len(v) == 0 {
		return "unset"
	}
	return strings.Trim(string(v), `"`)
}
