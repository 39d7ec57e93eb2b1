package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"learnloop.dev/app"

	"github.com/spf13/cobra"
)

// errUnwell ends a doctor's visit that found faults: the exit code says so, too.
var errUnwell = errors.New("there are faults")

func (sh *shell) doctorCommand() *cobra.Command {
	return &cobra.Command{
		Use: "doctor", Short: "Find what is wrong, and say what to do about it", Args: exactly(),
		Long: "Looks at the data folder, at the loop that uses it and at what was refused, and says of\n" +
			"each what to do. Changes nothing. Exits with 1 when there is a fault.",
		Example: "  learnloop doctor\n  learnloop doctor --data /var/lib/learnloop --json",
		RunE:    func(cmd *cobra.Command, _ []string) error { return sh.examine(cmd.Context()) },
	}
}

// examine looks at everything, and fails when something is broken.
func (sh *shell) examine(ctx context.Context) error {
	findings := slices.Concat(app.ExamineFolder(sh.data), sh.examineLoop(ctx))
	err := sh.showExamination(findings)
	if err == nil && slices.ContainsFunc(findings, func(f app.Finding) bool { return f.Verdict == app.Faulty }) {
		err = app.WithHint(errUnwell, "do what stands beside each, and run learnloop doctor again")
	}
	return err
}

func (sh *shell) showExamination(findings []app.Finding) error {
	if sh.json {
		return sh.answerWith(map[string]any{"findings": findings})
	}
	width := 0
	for _, f := range findings {
		width = max(width, len(f.About))
	}
	for _, f := range findings {
		sh.sayf("%s  %s  %s", sh.verdict(f.Verdict), shown(f.About+strings.Repeat(" ", width-len(f.About))), f.Found)
		if f.Do != "" {
			sh.sayf("%s→ %s", shown(strings.Repeat(" ", len(app.NotChecked)+width+4)), f.Do)
		}
	}
	return nil
}

// verdict is one in a column.
func (sh *shell) verdict(v app.Verdict) shown {
	text := fmt.Sprintf("%-*s", len(app.NotChecked), v)
	switch v {
	case app.Fine:
		return sh.mark(green, text)
	case app.Faulty:
		return sh.mark(red, text)
	case app.Worrying, app.NotChecked:
	}
	return sh.mark(bold, text)
}
