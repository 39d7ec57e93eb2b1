package main

import (
	"cmp"
	"fmt"

	"learnloop.dev/api"

	"github.com/spf13/cobra"
)

func (sh *shell) auditCommand() *cobra.Command {
	var in api.AuditArgs
	c := &cobra.Command{
		Use: "audit", Short: "Show who changed what, the newest first",
		Long: "Every change that needs a role is written down with who made it, through which door, when, and what\n" +
			"came of it; for a year. Neither what the change said nor whom it was about is.",
		Example: "  learnloop audit\n  learnloop audit --limit 1000 --json", Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return sh.call(cmd.Context(), "audit.list", in, reading(sh.showAudit))
		},
	}
	c.Flags().IntVar(&in.Limit, "limit", 20, "this `number` of them, 1000 at most")
	c.Flags().Uint64Var(&in.Before, "before", 0, "go on with those before this `number`, which the last line of a list says")
	return c
}

func (sh *shell) showAudit(a api.Audit) error {
	if len(a.Deeds) == 0 {
		sh.sayf("Nobody changed anything yet.")
		return nil
	}
	rows := [][]string{{"AT", "WHO", "THROUGH", "DID", "TO", "OUTCOME"}}
	for _, d := range a.Deeds {
		rows = append(rows, []string{when(d.At), d.Who, d.Door, d.Operation, cmp.Or(d.Key, "-"), d.Outcome})
	}
	if a.Next > 0 {
		rows = append(rows, []string{fmt.Sprintf("… more: --before %d", a.Next)})
	}
	return sh.table(rows)
}

func (sh *shell) dashboardCommand() *cobra.Command {
	return &cobra.Command{
		Use: "dashboard", Short: "Make a link that signs a browser in",
		Long:    "The link signs one browser in as an operator, once, within a quarter of an hour.",
		Example: "  learnloop dashboard", Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return sh.call(cmd.Context(), "dashboard.link", nil, reading(func(l api.SignInLink) error {
				sh.sayf("%s", l.URL)
				return nil
			}))
		},
	}
}
