package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"learnloop.dev/api"
	"learnloop.dev/learn/portable"

	"github.com/spf13/cobra"
)

func (sh *shell) exportCommand() *cobra.Command {
	var in api.TransferArgs
	var when period
	var out string
	var bare, brief, people bool
	c := &cobra.Command{
		Use: "export", Short: "Write what was learned from rule feedback, for another installation",
		Long: "Writes counts by rule and pattern with a checksum, for learnloop import. Texts are masked and people left out\n" +
			"unless asked for. What others may see of single people is another question: learnloop share.",
		Example: "  learnloop export --out learned.json\n  learnloop export --rule passive-voice --no-statistics > passive.json\n" +
			"  learnloop export --from 2026-01-01 --include-original-text --out january.json",
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := when.read(cmd, &in.From, &in.To); err != nil {
				return err
			}
			in.IncludePatterns, in.IncludeStatistics, in.AnonymizeAll = !bare, !brief, !people
			return sh.exportData(cmd.Context(), in, out)
		},
	}
	f := c.Flags()
	when.flags(c, "decisions from this `moment` on: 2026-01-31 or 2026-01-31T08:00:00Z", "decisions up to this `moment`, without it")
	f.StringArrayVar(&in.Rules, "rule", nil, "only this rule `id`; may be repeated")
	f.BoolVar(&bare, "no-patterns", false, "leave patterns out")
	f.BoolVar(&brief, "no-statistics", false, "leave statistics out")
	f.BoolVar(&people, "people", false, "with people (pseudonyms) and remarks in the statistics")
	f.BoolVar(&in.IncludeOriginalText, "include-original-text", false, "patterns as whole as they are kept; the settings of privacy have to allow it")
	f.StringVar(&out, "out", "", "write to this `file`")
	return c
}

// departed says what an export came to.
type departed struct {
	File     string `json:"file"`
	Patterns int    `json:"patterns"`
	Rules    int    `json:"rules"`
}

// exportData writes an export to a file, or to the standard output.
func (sh *shell) exportData(ctx context.Context, in api.TransferArgs, file string) error {
	ctx, l, end, err := sh.reach(ctx)
	if err != nil {
		return err
	}
	defer end()
	if file == "" || file == stdin {
		_, err := l.write(ctx, in, sh.out)
		return l.advise(err)
	}
	w, err := l.writeFile(ctx, in, file)
	if err != nil {
		return l.advise(err)
	}
	if sh.json {
		return sh.answerWith(w)
	}
	sh.sayf("%s: %s of %s", w.File, plural(w.Patterns, "pattern"), plural(w.Rules, "rule"))
	return nil
}

// writeFile writes an export; the file is there when all of it is.
func (l *loop) writeFile(ctx context.Context, in api.TransferArgs, file string) (w departed, err error) {
	tmp, err := os.CreateTemp(filepath.Dir(file), "."+filepath.Base(file)+".*")
	if err != nil {
		return w, fmt.Errorf("write export: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(tmp.Name()))
		}
	}()
	if w, err = l.write(ctx, in, tmp); err == nil {
		err = tmp.Sync()
	}
	if err = errors.Join(err, tmp.Close()); err != nil {
		return w, err
	}
	w.File = file
	return w, os.Rename(tmp.Name(), file)
}

// write writes an export page by page.
func (l *loop) write(ctx context.Context, in api.TransferArgs, out io.Writer) (sum departed, err error) {
	doc, begun := portable.NewWriter(out), false
	for {
		var page api.TransferPage
		if err := l.client.Call(ctx, "export", in, &page); err != nil {
			return sum, err
		}
		if !begun { // nothing is written before it is known that there is an answer
			begun = true
			if err := doc.Begin(page.Header); err != nil {
				return sum, err
			}
		}
		if len(page.Patterns) > 0 {
			err = doc.Patterns(page.Patterns...)
		} else if len(page.Rules) > 0 {
			err = doc.Rules(page.Rules...)
		}
		sum.Patterns, sum.Rules = sum.Patterns+len(page.Patterns), sum.Rules+len(page.Rules)
		if err != nil {
			return sum, err
		}
		if in.After = page.Next; in.After == "" {
			return sum, doc.End(page.Until, page.Statistics)
		}
	}
}
