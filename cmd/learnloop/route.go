package main

import (
	"fmt"
	"strconv"
	"strings"

	"learnloop.dev/api"

	"github.com/spf13/cobra"
)

func (sh *shell) routeCommand() *cobra.Command {
	var in api.RouteRequest
	var candidates []string
	c := &cobra.Command{
		Use: "route TYPE", Short: "Choose the model for a step by what runs of such steps taught",
		Long: "The choice is recorded with its probability. Candidates are written MODEL:TIER:COST, from the\n" +
			"last part on any may be left out.",
		Example: "  learnloop route run-tests\n" +
			"  learnloop route run-tests --candidate small-1:1:1 --candidate large-2:2:5 --tier 1\n" +
			"  learnloop route regex --candidate small-1:1 --candidate large-2:2 --request req-7 --json",
		Args: exactly("TYPE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			in.Type = args[0]
			for _, text := range candidates {
				candidate, err := parseCandidate(text)
				if err != nil {
					return misused(cmd, fmt.Errorf("--candidate: %w", err))
				}
				in.Candidates = append(in.Candidates, candidate)
			}
			return sh.call(cmd.Context(), "route", in, reading(sh.showRouting))
		},
	}
	f := c.Flags()
	f.StringArrayVar(&candidates, "candidate", nil, "a `model` that could do it, as MODEL:TIER:COST; may be repeated")
	f.Int64Var(&in.ModelTier, "tier", 0, "the `tier` that the plan asks for")
	f.StringVar(&in.Role, "role", "", "`what` the model is for")
	f.StringVar(&in.RequestID, "request", "", "the `id` of the choice: asked again the answer is the same")
	return c
}

// parseCandidate reads MODEL:TIER:COST. A model may have colons of its own.
func parseCandidate(text string) (c api.RouteCandidate, err error) {
	parts := strings.Split(text, ":")
	if n := len(parts); n > 2 {
		parts = []string{strings.Join(parts[:n-2], ":"), parts[n-2], parts[n-1]}
	}
	c.Model = parts[0]
	if len(parts) > 1 {
		if c.Tier, err = strconv.ParseInt(parts[1], 10, 64); err != nil {
			return c, fmt.Errorf("%q: the tier is not a number", text)
		}
	}
	if len(parts) > 2 {
		if c.Cost, err = strconv.ParseFloat(parts[2], 64); err != nil {
			return c, fmt.Errorf("%q: the cost is not a number", text)
		}
	}
	return c, nil
}

func (sh *shell) showRouting(r api.Routing) error {
	if name := sh.mark(bold, modelName(r.Model)); r.Tier == 0 {
		sh.sayf("%s", name)
	} else {
		sh.sayf("%s  tier %d", name, r.Tier)
	}
	sh.sayf("%s\n", r.Reason)
	rows := [][]string{{"MODEL", "TIER", "COST", "SUCCESS", "BETWEEN", "RECENT RUNS", "COST PER SUCCESS", "CHOSEN"}}
	for _, o := range r.Candidates {
		rows = append(rows, []string{modelName(o.Model), tierName(o.Tier), short(o.Cost), hundredths(o.ExpectedSuccess),
			hundredths(o.Lower) + " and " + hundredths(o.Upper), short(o.RecentRuns), short(o.CostPerSuccess), share(o.Propensity)})
	}
	return sh.table(rows)
}

// modelName is a model as it is shown: where only a tier is known, any will do.
func modelName(model *string) string {
	if model == nil {
		return "any model"
	}
	return *model
}

// tierName is a tier as it is shown, a dash where nobody says.
func tierName(tier int64) string {
	if tier == 0 {
		return "-"
	}
	return count(tier)
}

// short writes a number with three digits.
func short(x float64) string { return strconv.FormatFloat(x, 'g', 3, 64) }

// share writes a probability in hundredths.
func share(p float64) string { return strconv.FormatFloat(100*p, 'f', 0, 64) + " %" }
