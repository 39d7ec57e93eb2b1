package main

import (
	"learnloop.dev/learn/rules"

	"github.com/spf13/cobra"
)

func (sh *shell) shareCommand() *cobra.Command {
	return &cobra.Command{
		Use: "share", Short: "Show what others may see of rule feedback",
		Long: "Shows the counts that enough people stand behind, who all take part; see the settings team_threshold\n" +
			"and participate_in_team_learning. Everything else is left out, of the sums too.",
		Example: "  learnloop share\n  learnloop share --json > team.json",
		Args:    exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return sh.call(cmd.Context(), "rules.share", nil, reading(sh.showShare))
		},
	}
}

func (sh *shell) showShare(s rules.Share) error {
	if len(s.Rules) == 0 {
		sh.sayf("Nothing may be shared yet: behind nothing stand %d people who take part.", s.Threshold)
		return nil
	}
	rows := [][]string{{"RULE", "KEPT", "ACCEPTED", "MODIFIED", "REJECTED", "PATTERN"}}
	for _, r := range s.Rules {
		rows = append(rows, sharedRow(r.RuleID, r.Decisions, ""))
		for _, p := range r.Patterns {
			rows = append(rows, sharedRow("", p.Decisions, p.Original+" → "+p.Suggested))
		}
	}
	return sh.table(rows)
}

func sharedRow(rule string, t rules.Tally, pattern string) []string {
	kept := "-"
	if n := t.Decided(); n > 0 {
		share := float64(t.Kept()) / float64(n)
		kept = percent(&share)
	}
	return []string{rule, kept, count(t.Accepted), count(t.Modified), count(t.Rejected), pattern}
}
