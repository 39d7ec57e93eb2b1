package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"learnloop.dev/api"
	"learnloop.dev/app"
	"learnloop.dev/learn/portable"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"
)

func (sh *shell) importCommand() *cobra.Command {
	var dry bool
	c := &cobra.Command{
		Use: "import FILE", Short: "Take in what learnloop export wrote",
		Long: "Checks all of the file first: nothing changes if anything is wrong with it. Counts replace older ones of the\n" +
			"same installation, so that importing again, or several files in any order, comes to the same.",
		Example: "  learnloop import learned.json --dry-run\n  learnloop import learned.json",
		Args:    exactly("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return sh.importData(cmd.Context(), args[0], dry)
		},
	}
	c.Flags().BoolVar(&dry, "dry-run", false, "show what would change, and change nothing")
	return c
}

// importData imports a file.
func (sh *shell) importData(ctx context.Context, name string, dry bool) error {
	ctx, stop := app.Interruptible(ctx)
	defer stop()
	file, err := seekable(name, sh.in)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // it was only read
	whole, err := portable.Read(file, portable.Visitor{})
	if err != nil {
		return app.WithHint(fmt.Errorf("import: %w", err), "nothing was changed; export it again")
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("import: %w", err)
	}
	l, err := sh.connect()
	if err != nil {
		return err
	}
	defer l.close()
	bar := sh.counting(int64(whole.Patterns+whole.Rules), "import", "entries")
	defer bar.end()
	sum := api.Importing{Imported: !dry, Source: whole.Source, ExportedAt: whole.ExportedAt}
	err = portable.Split(file, whole, func(part []byte) error {
		told, err := l.importPart(ctx, part, dry)
		bar.sent(told.Patterns + told.Rules)
		sum.Add(told)
		return err
	})
	if err != nil {
		return l.advise(err)
	}
	return sh.sayTakenIn(sum, whole)
}

// importPart sends a part of an export.
func (l *loop) importPart(ctx context.Context, part []byte, dry bool) (told api.Importing, err error) {
	if dry {
		part = append([]byte(`{"dry_run":true,`), part[1:]...)
	}
	err = l.client.Call(ctx, "import", jsontext.Value(part), &told)
	return told, err
}

// seekable opens a file that can be read twice; what comes in once is put aside.
func seekable(name string, in io.Reader) (*os.File, error) {
	from := in
	if name != stdin {
		file, err := os.Open(name)
		if err != nil {
			return nil, fmt.Errorf("import: %w", err)
		}
		if info, err := file.Stat(); err != nil || info.Mode().IsRegular() {
			return file, err
		}
		defer func() { _ = file.Close() }()
		from = file
	}
	aside, err := os.CreateTemp("", "learnloop-import-*")
	if err != nil {
		return nil, fmt.Errorf("import: %w", err)
	}
	err = os.Remove(aside.Name()) // it stays until it is closed
	if err == nil {
		_, err = io.Copy(aside, io.LimitReader(from, portable.Largest+1))
	}
	if err == nil {
		_, err = aside.Seek(0, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("import: %w", err), aside.Close())
	}
	return aside, nil
}

func (sh *shell) sayTakenIn(i api.Importing, whole portable.Summary) error {
	if sh.json {
		return sh.answerWith(i)
	}
	verb := "Imported"
	if !i.Imported {
		verb = "Would import"
	}
	whose := "another installation"
	if i.Own {
		whose = "this installation"
	}
	sh.sayf("%s what %s exported at %s: %s, %s.", verb, whose, when(i.ExportedAt), plural(i.Rules, "rule"), plural(i.Patterns, "pattern"))
	sh.sayf("  %d new, %d replaced, %d unchanged, %d older than what is known; %s", i.New, i.Replaced, i.Unchanged, i.Older,
		plural(int(i.Decisions), "decision"))
	if whole.Options.Period != nil {
		sh.sayf("  The export is of a period: its counts stand for all that is known of its source.")
	}
	return nil
}
