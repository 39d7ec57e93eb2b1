package main

import (
	"context"
	"errors"
	"fmt"

	"learnloop.dev/app"

	"github.com/spf13/cobra"
)

func (sh *shell) replayCommand() *cobra.Command {
	var wait, strict bool
	c := &cobra.Command{
		Use:   "replay FILE...",
		Short: "Load events from JSONL files",
		Long: "Loads CloudEvents, one JSON object per line, from files that may be compressed with gzip;\n" +
			"- is the standard input. Loading the same events again changes nothing. It fails when all\n" +
			"were refused, with --strict when any was.",
		Example: "  learnloop replay events.jsonl\n" +
			"  learnloop replay --wait january.jsonl.gz february.jsonl.gz\n" +
			"  zcat old.gz | learnloop replay -",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return misused(cmd, wantArguments([]string{"FILE"}, 0))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, files []string) error {
			return sh.replay(cmd.Context(), files, wait || strict, strict)
		},
	}
	c.Flags().BoolVar(&wait, "wait", false, "return when the contexts reflect everything that was sent")
	c.Flags().BoolVar(&strict, "strict", false, "wait, and fail when anything was refused")
	return c
}

// replay loads files, and says what became of their events.
func (sh *shell) replay(ctx context.Context, files []string, wait, strict bool) error {
	ctx, l, end, err := sh.reach(ctx)
	if err != nil {
		return err
	}
	defer end()
	ship := l.shipment(nil)
	became, err := sh.load(ctx, l.await(ship), files, wait)
	if err != nil && ctx.Err() != nil {
		return fmt.Errorf("replay: %w after %d events were sent; sending them again is safe", errInterrupted, ship.sent)
	}
	if err != nil {
		return err
	}
	var found []refused
	if became.Refused > 0 {
		if found, err = l.refusals(ctx, ship, files); err != nil {
			return err
		}
	}
	if err := sh.sayReplay(became, found, wait); err != nil {
		return err
	}
	return verdict(became, ship, strict)
}

// verdict is an error when a replay did not do what it was for.
func verdict(f fate, ship *shipment, strict bool) error {
	if ship.unsent > 0 {
		return app.WithHint(fmt.Errorf("replay: %d lines are too large to be sent", ship.unsent),
			"an event holds at most 256 KiB of data: split it, or leave it out")
	}
	if f.Refused > 0 && (strict || f.Refused == f.Sent) {
		return app.WithHint(fmt.Errorf("replay: %d of %d events were refused", f.Refused, f.Sent),
			"learnloop dlq list says why")
	}
	return nil
}

// load sends the files and looks at what became of them.
func (sh *shell) load(ctx context.Context, a *await, files []string, wait bool) (fate, error) {
	if err := sh.sendFiles(ctx, a.ship, files); err != nil {
		return fate{}, err
	}
	if !wait {
		return a.once(ctx)
	}
	bar := sh.waiting(a.ship.sent)
	defer bar.end()
	a.note = bar.known
	return a.until(ctx)
}

func (sh *shell) sendFiles(ctx context.Context, s *shipment, files []string) error {
	bar, err := sh.progress(files)
	if err != nil {
		return err
	}
	defer bar.end()
	s.note = bar.sent
	err = sh.readAll(files, bar.read, func(n int, src *source) error {
		s.here.file = int32(n)
		return s.addAll(ctx, src)
	})
	if err != nil {
		return err
	}
	return s.flush(ctx)
}

func (s *shipment) addAll(ctx context.Context, src *source) error {
	for line, err := range src.all() {
		switch {
		case errors.Is(err, errLongLine):
			s.unsent++
			continue
		case err != nil:
			return s.leave(ctx, err)
		}
		s.here.line = src.lines.line()
		if err := s.add(ctx, line); err != nil {
			return err
		}
	}
	return nil
}

// leave sends what was read before a file could not be read any further.
func (s *shipment) leave(ctx context.Context, why error) error {
	err := s.flush(ctx)
	return errors.Join(fmt.Errorf("%w; %d events were sent before", why, s.sent), err)
}

// sayReplay prints the closing line.
func (sh *shell) sayReplay(f fate, found []refused, wait bool) error {
	if sh.json {
		return sh.answerWith(struct {
			fate
			Lines []refused `json:"refused_lines,omitzero"`
		}{f, found})
	}
	if !wait {
		sh.sayf("%d sent, %d refused so far", f.Sent, f.Refused)
	} else {
		sh.sayf("%s", f.told())
	}
	if f.Refused == 0 {
		return nil
	}
	if err := sh.sayRefused(found, f.Refused); err != nil {
		return err
	}
	sh.sayf("look at what was refused with: learnloop dlq list")
	return nil
}
