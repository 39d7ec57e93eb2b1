package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"learnloop.dev/api"
	"learnloop.dev/app"
	"learnloop.dev/pipeline/forget"

	"github.com/spf13/cobra"
)

func (sh *shell) forgetCommand() *cobra.Command {
	var confirm string
	c := &cobra.Command{
		Use: "forget USER", Short: "Forget a person, and prove it",
		Long: "USER is the id that the events bear, or its pseudonym. Without --confirm nothing is\n" +
			"changed: it shows what would go, and the token that confirms it, once, within five\n" +
			"minutes. With it every record, context and log entry of the person goes, and what\n" +
			"is sent again from before is declined. It ends with a search of everything stored.",
		Example: "  learnloop forget u-4711\n  learnloop forget u-4711 --confirm TOKEN",
		Args:    exactly("USER"),
		RunE: func(cmd *cobra.Command, args []string) error {
			in := api.Renouncing{Subject: api.Subject{User: args[0]}, Confirm: confirm}
			return sh.forget(cmd.Context(), in, again(cmd))
		},
	}
	c.Flags().StringVar(&confirm, "confirm", "", "the `token` that was shown for exactly this")
	return c
}

// forget asks for it and, once it is confirmed, waits until it is done.
func (sh *shell) forget(ctx context.Context, in api.Renouncing, command string) error {
	l, err := sh.connect()
	if err != nil {
		return err
	}
	defer l.close()
	var out api.Forgetting
	err = l.client.Call(ctx, "forget", in, &out)
	if absent(err) && in.Confirm != "" {
		return app.WithHint(err, "if the order was written it goes on by itself; ask again to see what is left")
	}
	if err != nil {
		return l.advise(err)
	}
	for out.Cleared && out.Report == nil {
		if out, err = sh.waitFor(ctx, l, out.ID); err != nil {
			return err
		}
	}
	if sh.json {
		err = sh.answerWith(out)
	} else {
		err = sh.showForgetting(out, command)
	}
	if err == nil && out.Report != nil && out.Report.Scan.Found > 0 {
		err = app.WithHint(errors.New("traces of the person are left"), "ask again: learnloop forget, and tell us where they were")
	}
	return err
}

// absences is how often in a row nobody may be there to ask how far an order is: a
// stage that is started again takes it up.
const absences = 120

// waitFor asks how far an order is, now and then, until somebody says.
func (sh *shell) waitFor(ctx context.Context, l *loop, id string) (out api.Forgetting, err error) {
	for range absences {
		select {
		case <-ctx.Done():
			return out, fmt.Errorf("wait for the report: %w", context.Cause(ctx))
		case <-time.After(lookEvery):
		}
		if err = l.client.Call(ctx, "forget.get", api.ForgettingArgs{ID: id}, &out); !absent(err) {
			break
		}
	}
	return out, err
}

// absent reports whether nobody was there to answer, or not in time.
func absent(err error) bool {
	p, ok := errors.AsType[*api.Problem](err)
	return ok && (p.Code == api.Unavailable || p.Code == api.TimedOut)
}

func (sh *shell) showForgetting(f api.Forgetting, command string) error {
	if f.Report == nil {
		sh.sayf("This would remove %s of the person.", plural(f.Records, "record"))
	} else {
		sh.sayf("Forgotten: %s removed.", plural(f.Records, "record"))
	}
	if err := sh.table(countRows(f.Counts)); err != nil {
		return err
	}
	if f.Report != nil {
		return sh.showScan(*f.Report)
	}
	sh.showPledge(f.Confirm, command)
	return nil
}

func (sh *shell) showScan(r forget.Report) error {
	var rows [][]string
	for _, stream := range slices.Sorted(maps.Keys(r.Erased)) {
		rows = append(rows, []string{"  besides, in " + stream, strconv.Itoa(r.Erased[stream])})
	}
	for _, place := range slices.Sorted(maps.Keys(r.Scan.Places)) {
		rows = append(rows, []string{"  left in " + place, strconv.Itoa(r.Scan.Places[place])})
	}
	if err := sh.table(rows); err != nil {
		return err
	}
	sh.sayf("scanned: %d messages, %d keys; found: %d", r.Scan.Messages, r.Scan.Keys, r.Scan.Found)
	for _, stream := range r.Scan.Skipped {
		sh.sayf("not scanned: %s, which is not the loop's.", stream)
	}
	if r.Scan.Newer > 0 {
		sh.sayf("The person has been here since: %s of after %s.", plural(r.Scan.Newer, "trace"), when(r.Before))
	}
	return nil
}
