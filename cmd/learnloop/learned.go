package main

import (
	"fmt"
	"strings"

	"learnloop.dev/api"
	"learnloop.dev/learn/outcomes"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"
)

func (sh *shell) learnedCommand() *cobra.Command {
	c := group("learned", "Show and delete the patterns that tasks taught",
		sh.listPatternsCommand(), sh.showPatternCommand(), sh.deletePatternCommand())
	var interactive bool
	c.Flags().BoolVar(&interactive, "tui", false, "browse, search, inspect and delete in the terminal")
	missing := c.RunE
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if interactive {
			return sh.browsePatterns(cmd.Context())
		}
		return missing(cmd, args)
	}
	return c
}

func (sh *shell) listPatternsCommand() *cobra.Command {
	var in api.PatternsArgs
	c := &cobra.Command{
		Use: "list", Short: "List patterns, the most frequent first",
		Example: "  learnloop learned list\n  learnloop learned list --type model_failure\n" +
			"  learnloop learned list --search test --min-frequency 5 --json",
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return sh.call(cmd.Context(), "patterns.list", in, reading(sh.showPatterns))
		},
	}
	f := c.Flags()
	f.StringVar(&in.Type, "type", "", "only those of this `type`, such as retry_pattern")
	f.StringVar(&in.Key, "key", "", "only the one of this `key`")
	f.StringVar(&in.Search, "search", "", "only those in whose key this `text` stands")
	f.Int64Var(&in.MinFrequency, "min-frequency", 0, "only those seen so `often`")
	f.IntVar(&in.Limit, "limit", 0, "how `many`, 100 when not given, 1000 at most")
	f.IntVar(&in.Offset, "offset", 0, "pass over so `many`")
	return c
}

func (sh *shell) showPatternCommand() *cobra.Command {
	return &cobra.Command{
		Use: "show TYPE KEY", Short: "Show a pattern with its evidence",
		Example: "  learnloop learned show subtask_success run-tests\n  learnloop learned show model_failure run-tests/small-1",
		Args:    exactly("TYPE", "KEY"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return sh.call(cmd.Context(), "patterns.get", api.PatternArgs{Type: args[0], Key: args[1]}, reading(sh.showPattern))
		},
	}
}

func (sh *shell) deletePatternCommand() *cobra.Command {
	var yes bool
	c := &cobra.Command{
		Use: "delete TYPE KEY", Short: "Forget a pattern, with what it rests on",
		Long:    "Later runs start anew. Without --yes nothing is changed: it shows the pattern.",
		Example: "  learnloop learned delete model_failure run-tests/small-1\n  learnloop learned delete user_correction config --yes",
		Args:    exactly("TYPE", "KEY"),
		RunE: func(cmd *cobra.Command, args []string) error {
			in := api.PatternArgs{Type: args[0], Key: args[1]}
			if yes {
				return sh.call(cmd.Context(), "patterns.delete", in, reading(sh.showGone))
			}
			return sh.call(cmd.Context(), "patterns.get", in, reading(func(p shownPattern) error {
				if err := sh.showPattern(p); err != nil {
					return err
				}
				sh.sayf("\nNothing is changed yet. To go on:\n\n  %s --yes", again(cmd))
				return nil
			}))
		},
	}
	c.Flags().BoolVar(&yes, "yes", false, "go on")
	return c
}

func (sh *shell) resetCommand() *cobra.Command {
	var in api.Resetter
	c := &cobra.Command{
		Use: "reset", Short: "Forget all that tasks taught",
		Long: "Rule feedback and learnings stay. Without --confirm nothing is changed: it shows what\n" +
			"would go, and the token that confirms it, once, within five minutes.",
		Example: "  learnloop reset\n  learnloop reset --confirm TOKEN",
		Args:    exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return sh.call(cmd.Context(), "reset", in, reading(func(r api.Resetting) error {
				what := plural(r.Patterns, "pattern") + " of " + plural(int(r.Tasks), "task")
				if r.Reset {
					sh.sayf("Forgot %s.", what)
				} else {
					sh.sayf("This would forget %s.", what)
				}
				sh.showPledge(r.Confirm, again(cmd))
				return nil
			}))
		},
	}
	c.Flags().StringVar(&in.Confirm, "confirm", "", "the `token` that was shown for it")
	return c
}

// shownPattern is a pattern whose data is shown as it comes.
type shownPattern struct {
	outcomes.Pattern `json:",inline"`
	Data             jsontext.Value `json:"data"`
}

func (sh *shell) showPatterns(l struct {
	Total    int            `json:"total"`
	Patterns []shownPattern `json:"patterns"`
},
) error {
	if len(l.Patterns) == 0 {
		sh.sayf("There are none.")
		return nil
	}
	rows := [][]string{{"TYPE", "KEY", "SEEN", "FIRST", "LAST"}}
	for _, p := range l.Patterns {
		rows = append(rows, []string{string(p.Type), p.Key, count(p.Frequency), p.CreatedAt, p.LastSeen})
	}
	if more := l.Total - len(l.Patterns); more > 0 {
		rows = append(rows, []string{fmt.Sprintf("… %d of %d; --limit and --offset show others", len(l.Patterns), l.Total)})
	}
	return sh.table(rows)
}

func (sh *shell) showPattern(p shownPattern) error {
	sh.sayf("%s\n%s  seen %s, from %s to %s", sh.mark(bold, p.Key), string(p.Type), plural(int(p.Frequency), "time"), p.CreatedAt, p.LastSeen)
	if err := p.Data.Indent(); err != nil {
		return fmt.Errorf("print pattern: %w", err)
	}
	sh.sayf("\n%s", strings.TrimSpace(string(p.Data)))
	return nil
}

func (sh *shell) showGone(p api.PatternGone) error {
	sh.sayf("Forgot %s %s, seen %s.", p.Type, p.Key, plural(int(p.Frequency), "time"))
	return nil
}
