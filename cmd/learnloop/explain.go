package main

import (
	"slices"

	"learnloop.dev/api"

	"github.com/spf13/cobra"
)

// mostWitnesses is how many events of a line are shown to a person.
const mostWitnesses = 3

func (sh *shell) explainCommand() *cobra.Command {
	return &cobra.Command{
		Use: "explain KEY", Short: "Trace every line of a context to the events behind it",
		Example: "  learnloop explain rule.passive-voice\n  learnloop explain rule.revive/unused-parameter --json",
		Args:    exactly("KEY"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return sh.call(cmd.Context(), "explain", api.ExplainArgs{Key: args[0]}, reading(sh.showExplanation))
		},
	}
}

// showExplanation shows lines that the same events stand behind together.
func (sh *shell) showExplanation(e api.Explanation) error {
	sh.sayf("%s", sh.mark(bold, outlineOf{Kind: e.Kind, ID: e.ID}.name()))
	if len(e.Lines) == 0 {
		sh.sayf("\nNo event is behind it yet.")
		return nil
	}
	sh.sayf("The lines that most events stand behind come first, and of their events the newest.")
	for i, line := range e.Lines {
		if i == 0 || !sameEvents(e.Lines[i-1], line) {
			sh.sayf("")
		}
		sh.sayf("%s", sh.mark(bold, line.Line))
		if len(line.Value) > 0 {
			sh.sayf("  %s", string(line.Value))
		}
		if i+1 == len(e.Lines) || !sameEvents(line, e.Lines[i+1]) {
			sh.showEvents(line)
		}
	}
	return nil
}

// sameEvents reports whether two lines rest on the same events.
func sameEvents(a, b api.ExplainedLine) bool {
	return a.Count == b.Count && a.First.Equal(b.First) && a.Last.Equal(b.Last) && slices.Equal(a.Events, b.Events)
}

func (sh *shell) showEvents(line api.ExplainedLine) {
	if line.Count == 1 {
		sh.sayf("  1 event, %s", when(line.First))
	} else {
		sh.sayf("  %d events, from %s to %s", line.Count, when(line.First), when(line.Last))
	}
	for i, w := range line.Events {
		if i == mostWitnesses {
			sh.sayf("  … %d of %d; --json shows %d of them", mostWitnesses, line.Count, len(line.Events))
			return
		}
		sh.sayf("  %s  %s %s", when(w.Time), w.Source, w.ID)
	}
}
