package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"learnloop.dev/api"
	"learnloop.dev/app"
	"learnloop.dev/learn/samples"

	"github.com/spf13/cobra"
)

// export is an order for a training set.
type export struct {
	choice
	quality, format string
	validation      float64
	out             string
	resume          bool
}

func (sh *shell) sampleExportCommand() *cobra.Command {
	var in export
	c := &cobra.Command{
		Use: "export", Short: "Write samples as training data",
		Long: "Writes good samples, or more, as one JSON document, as lines, or in the forms that fine-tuning services\n" +
			"take: chat for OpenAI and those that imitate it, gemini for Google. With --out a manifest is written beside\n" +
			"the file: filters, counts and checksums. With --validation a share of the prompts goes into a file of its own,\n" +
			"the same ones each time.",
		Example: "  learnloop samples export --format jsonl > samples.jsonl\n" +
			"  learnloop samples export --from 2026-01-01 --family intent_resolution --format chat --out train.jsonl --validation .1\n" +
			"  learnloop samples export --min-quality any --out all.json --resume",
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := in.read(cmd); err != nil {
				return err
			}
			if in.out == stdin {
				in.out = "" // as others write the standard output
			}
			if in.out == "" && (in.validation > 0 || in.resume) {
				return misused(cmd, errors.New("--validation and --resume need --out"))
			}
			return sh.export(cmd.Context(), in)
		},
	}
	in.flags(c)
	f := c.Flags()
	f.StringVar(&in.quality, "min-quality", "good", "the least `label`: good, acceptable, poor, or any for those without one too")
	f.StringVar(&in.format, "format", "json", "the `form`: json, jsonl, chat or gemini")
	f.Float64Var(&in.validation, "validation", 0, "hold this `share` out for validation, 0 to 0.9")
	f.StringVar(&in.out, "out", "", "write to this `file`, with a manifest beside it")
	f.BoolVar(&in.resume, "resume", false, "go on with an export to the file that was interrupted")
	return c
}

// args are what the loop is asked.
func (e *export) args() api.ExportArgs {
	return api.ExportArgs{SampleArgs: e.SampleArgs, MinQuality: e.quality, Format: e.format, Validation: e.validation}
}

// export writes a training set.
func (sh *shell) export(ctx context.Context, e export) error {
	ctx, l, end, err := sh.reach(ctx)
	if err != nil {
		return err
	}
	defer end()
	if e.out == "" {
		return l.advise(l.pour(ctx, e, sh.out))
	}
	set, err := openSet(e)
	if err != nil {
		return err
	}
	bar, err := sh.exporting(ctx, l, e)
	if err != nil {
		return errors.Join(l.advise(err), set.abandon())
	}
	m, err := set.fill(ctx, l, bar)
	bar.end()
	if err != nil && ctx.Err() != nil {
		return app.WithHint(fmt.Errorf("export: %w after %d samples", errInterrupted, m.Samples), "go on with the same command and --resume")
	}
	if err != nil {
		return l.advise(err)
	}
	return sh.sayExport(m)
}

// pages calls take with every page from a position on. The next one is on its way
// meanwhile.
func (l *loop) pages(ctx context.Context, args api.ExportArgs, take func(api.ExportPage) error) error {
	ctx, cancel := context.WithCancel(ctx)
	var asking sync.WaitGroup
	defer asking.Wait()
	defer cancel() // nobody wants the page any more
	coming := make(chan arrival, 1)
	ask := func(args api.ExportArgs) {
		asking.Go(func() {
			var a arrival
			a.err = l.client.Call(ctx, "samples.export", args, &a.page)
			coming <- a
		})
	}
	ask(args)
	for {
		a := <-coming
		if a.err != nil {
			return a.err
		}
		if args.After = a.page.Next; args.After != "" {
			ask(args)
		}
		if err := take(a.page); err != nil || args.After == "" {
			return err
		}
	}
}

// arrival is a page that was asked for.
type arrival struct {
	page api.ExportPage
	err  error
}

// pour writes all samples to a stream.
func (l *loop) pour(ctx context.Context, e export, out io.Writer) error {
	doc := samples.Document{W: out, Lines: e.format != "json"}
	begun := false
	err := l.pages(ctx, e.args(), func(p api.ExportPage) error {
		if !begun { // nothing is written before it is known that there is an answer
			begun = true
			if err := doc.Begin(); err != nil {
				return err
			}
		}
		return doc.Write(p.Samples...)
	})
	if err != nil {
		return err
	}
	return doc.End()
}

// exporting starts a bar over as many samples as there will be.
func (sh *shell) exporting(ctx context.Context, l *loop, e export) (*progress, error) {
	if !isTerminal(sh.err) {
		return &progress{}, nil
	}
	var m samples.Metrics
	if err := l.client.Call(ctx, "samples.metrics", e.SampleArgs, &m); err != nil {
		return nil, err
	}
	total := m.Total
	if at := m.ByLabel; e.quality != string(samples.AnyQuality) {
		total = map[string]int64{"good": at.Good, "acceptable": at.Good + at.Acceptable, "poor": m.Total - m.Unlabelled}[e.quality]
	}
	return sh.counting(total, "export", "samples"), nil
}

func (sh *shell) sayExport(m manifest) error {
	if sh.json {
		return sh.answerWith(m)
	}
	for _, f := range m.Files {
		sh.sayf("%s: %s, sha256 %s", f.Name, plural(f.Samples, "sample"), f.SHA256)
	}
	return nil
}
