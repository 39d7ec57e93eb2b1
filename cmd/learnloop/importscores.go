package main

import (
	"context"
	"errors"
	"fmt"

	"learnloop.dev/events"

	"github.com/spf13/cobra"
)

// scores is an order to import evaluations.
type scores struct {
	scale events.Scale
	wait  bool
}

func (sh *shell) importScoresCommand() *cobra.Command {
	var in scores
	c := &cobra.Command{
		Use: "import-scores FILE...", Short: "Import evaluations of OpenTelemetry as feedback",
		Long: "Reads gen_ai.evaluation.result events, one JSON object per line: OTLP as collectors write it to files, or single\n" +
			"records. The response that was evaluated is the exchange; a label that says so, else the score, is thumbs up or\n" +
			"down. What is neither, or names no response, is left out and counted. Importing again changes nothing.",
		Example: "  learnloop import-scores evaluations.jsonl\n  learnloop import-scores --good 4 --poor 2 --wait scores.jsonl.gz",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return misused(cmd, wantArguments([]string{"FILE"}, 0))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, files []string) error {
			if in.scale.Poor > in.scale.Good {
				return misused(cmd, errors.New("--poor is above --good"))
			}
			return sh.importScores(cmd.Context(), in, files)
		},
	}
	f := c.Flags()
	f.Float64Var(&in.scale.Good, "good", 0.7, "a `score` from which on an answer was good")
	f.Float64Var(&in.scale.Poor, "poor", 0.4, "a `score` below which it was poor")
	f.BoolVar(&in.wait, "wait", false, "return when everything that was sent is known")
	return c
}

// imported counts what became of the evaluations of some files.
type imported struct {
	Evaluations int `json:"evaluations"`
	NoResponse  int `json:"no_response"`
	NoVerdict   int `json:"no_verdict"`
	NotJudged   int `json:"not_judged"`
	Unreadable  int `json:"unreadable_lines"`
	fate
}

func (sh *shell) importScores(ctx context.Context, in scores, files []string) error {
	ctx, l, end, err := sh.reach(ctx)
	if err != nil {
		return err
	}
	defer end()
	bar, err := sh.progress(files)
	if err != nil {
		return err
	}
	defer bar.end()
	ship := l.shipment(bar.sent)
	var got imported
	err = sh.readAll(files, bar.read, func(_ int, src *source) error { return got.load(ctx, ship, src, in.scale) })
	if err != nil {
		return err
	}
	if err := ship.flush(ctx); err != nil {
		return err
	}
	bar.end()
	settle := l.await(ship)
	ask := settle.once
	if in.wait {
		ask = settle.until
	}
	if got.fate, err = ask(ctx); err != nil {
		return err
	}
	return sh.sayImported(got)
}

// load sends the evaluations of a file.
func (i *imported) load(ctx context.Context, s *shipment, src *source, scale events.Scale) error {
	for line, err := range src.all() {
		switch {
		case errors.Is(err, errLongLine):
			i.Unreadable++
			continue
		case err != nil:
			return err
		}
		list, err := events.ReadEvaluations(line)
		if err != nil {
			i.Unreadable++
		}
		for _, e := range list {
			if err := i.send(ctx, s, e, scale); err != nil {
				return err
			}
		}
	}
	return nil
}

func (i *imported) send(ctx context.Context, s *shipment, e events.Evaluation, scale events.Scale) error {
	i.Evaluations++
	env, err := e.Feedback(scale)
	switch {
	case errors.Is(err, events.ErrNoResponse):
		i.NoResponse++
		return nil
	case errors.Is(err, events.ErrNoVerdict):
		i.NoVerdict++
		return nil
	case errors.Is(err, events.ErrNotJudged):
		i.NotJudged++
		return nil
	case err != nil:
		return fmt.Errorf("import scores: %w", err)
	}
	line, err := events.EncodeStructured(env)
	if err != nil {
		return fmt.Errorf("import scores: %w", err)
	}
	i.Sent++
	return s.add(ctx, line)
}

func (sh *shell) sayImported(i imported) error {
	if sh.json {
		return sh.answerWith(i)
	}
	sh.sayf("%s: %d sent as feedback, %d refused%s", plural(i.Evaluations, "evaluation"), i.Sent, i.Refused, i.others())
	for _, left := range []struct {
		n   int
		why string
	}{
		{i.NoVerdict, "neither good nor poor"},
		{i.NoResponse, "naming no response"},
		{i.NotJudged, "failed themselves"},
	} {
		if left.n > 0 {
			sh.sayf("  left out: %d %s", left.n, left.why)
		}
	}
	if i.Unreadable > 0 {
		sh.sayf("  not read: %s", plural(i.Unreadable, "line"))
	}
	return nil
}
