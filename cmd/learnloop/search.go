package main

import (
	"strings"

	"learnloop.dev/api"

	"github.com/spf13/cobra"
)

func (sh *shell) searchCommand() *cobra.Command {
	var in api.SearchArgs
	c := &cobra.Command{
		Use: "search WORD...", Short: "Find learnings by what they say, the best first",
		Example: "  learnloop search webhook signature\n  learnloop search 'deploy*' --min-confidence 0 --status all\n" +
			"  learnloop search --strategy hybrid 'panic: runtime eror' --json",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return misused(cmd, wantArguments([]string{"WORD"}, 0))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			in.Q = strings.Join(args, " ")
			return sh.call(cmd.Context(), "learnings.search", in, reading(sh.showResults))
		},
	}
	f := c.Flags()
	f.IntVar(&in.Limit, "limit", 0, "this `number` of them, 10 when not given, 100 at most")
	f.Float64Var(&in.MinConfidence, "min-confidence", 0.5, "only those of at least this `confidence`, 0 to 1")
	f.StringVar(&in.Domain, "domain", "", "only those of this `field`")
	f.StringVar(&in.Status, "status", "", "only those of this `status`: active (when not given), archived, superseded or all")
	f.StringVar(&in.ExcludeOutcome, "exclude-outcome", "", "none that was learned in this `outcome`")
	f.StringVar(&in.Strategy, "strategy", "", "the `strategy`: bm25 (when not given), semantic or hybrid")
	f.Float64Var(&in.SemanticWeight, "semantic-weight", 0, "with hybrid: the `share` of meaning, up to 1; 0 is what suits: 0.2, or 0.5 with a model")
	return c
}

func (sh *shell) showResults(r api.SearchResults) error {
	if len(r.Results) == 0 {
		sh.sayf("Nothing was found: %s.", r.Note)
		return nil
	}
	if r.Note != "" {
		sh.sayf("%s\n", r.Note)
	}
	rows := [][]string{{"ID", "SCORE", "CONFIDENCE", "TITLE", "FITS IN"}}
	for _, f := range r.Results {
		rows = append(rows, []string{f.Learning.ID, hundredths(f.Score), hundredths(f.Learning.Confidence), f.Learning.Title,
			strings.Join(f.MatchedFields, ", ")})
	}
	return sh.table(rows)
}
