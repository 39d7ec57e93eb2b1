package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"learnloop.dev/app"

	"github.com/spf13/cobra"
)

func (sh *shell) replayCommand() *cobra.Command {
	var wait bool
	c := &cobra.Command{
		Use:   "replay FILE...",
		Short: "Load events from JSONL files",
		Long: "Loads CloudEvents, one JSON object per line, from files that may be compressed with gzip;\n" +
			"- is the standard input. Loading the same events again changes nothing.",
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
			return sh.replay(cmd.Context(), files, wait)
		},
	}
	c.Flags().BoolVar(&wait, "wait", false, "return when the contexts reflect everything that was sent")
	return c
}

// replay loads files, and says what became of their events.
func (sh *shell) replay(ctx context.Context, files []string, wait bool) error {
	l, err := sh.connect()
	if err != nil {
		return err
	}
	defer l.close()
	became, ship, err := sh.load(ctx, l, files, wait)
	if err != nil {
		return err
	}
	if err := sh.sayReplay(became, wait); err != nil {
		return err
	}
	if ship.unsent > 0 {
		return app.WithHint(fmt.Errorf("replay: %d lines are too large to be sent", ship.unsent),
			"an event holds at most 256 KiB of data: split it, or leave it out")
	}
	return nil
}

// load sends the files and looks at what became of them.
func (sh *shell) load(ctx context.Context, l *loop, files []string, wait bool) (f fate, s *shipment, err error) {
	bar, err := sh.progress(files)
	if err != nil {
		return f, nil, err
	}
	s = l.shipment(bar.sent)
	a := l.await(s)
	for _, name := range files {
		if err := sh.loadFile(ctx, s, name, bar); err != nil {
			return f, nil, err
		}
	}
	err = s.flush(ctx)
	bar.end()
	switch {
	case err != nil:
	case wait:
		bar = sh.waiting(s.sent)
		a.note = bar.known
		f, err = a.until(ctx)
		bar.end()
	default:
		f, err = a.once(ctx)
	}
	return f, s, err
}

func (sh *shell) loadFile(ctx context.Context, s *shipment, name string, bar *progress) error {
	src, err := sh.openSource(name, bar.read)
	if err != nil {
		return err
	}
	return errors.Join(s.addAll(ctx, src), src.close())
}

func (s *shipment) addAll(ctx context.Context, src *source) error {
	for {
		line, err := src.next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, errLongLine):
			s.unsent++
			continue
		case err != nil:
			return err
		}
		if err := s.add(ctx, line); err != nil {
			return err
		}
	}
}

// sayReplay prints the closing line.
func (sh *shell) sayReplay(f fate, wait bool) error {
	if sh.json {
		return sh.answerWith(f)
	}
	if !wait {
		sh.sayf("%d sent, %d refused so far", f.Sent, f.Refused)
	} else {
		sh.sayf("%d sent: %d stored, %d duplicates, %d refused%s", f.Sent, f.Stored, f.Duplicates, f.Refused, f.others())
	}
	if f.Refused > 0 {
		sh.sayf("look at what was refused with: learnloop dlq list")
	}
	return nil
}
