package main

import (
	"fmt"
	"strconv"

	"learnloop.dev/api"

	"github.com/spf13/cobra"
)

func (sh *shell) liftCommand() *cobra.Command {
	var in api.LiftArgs
	return &cobra.Command{
		Use: "lift [ID]", Short: "Show what injection does to the success of tasks, or what one learning does",
		Example: "  learnloop learnings lift\n  learnloop learnings lift learn_7f31a2c4d5e6 --json",
		Args:    atMostOne(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				in.ID = args[0]
			}
			return sh.call(cmd.Context(), "learnings.lift", in, reading(sh.showLift))
		},
	}
}

func (sh *shell) showLift(l api.Lift) error {
	if o := l.Learning; o != nil {
		return sh.table([][]string{
			{"with", outOf(o.With)},
			{"without", outOf(o.Without)},
			{"effect", fmt.Sprintf("%s (%s to %s)", signed(o.Effect), signed(o.Lower), signed(o.Upper))},
			{"harmful", "with probability " + hundredths(o.Harm)},
			{"belief", hundredths(o.Belief)},
		})
	}
	rows := [][]string{{"AGAINST", "WITH LEARNINGS", "WITHOUT", "LIFT", "95 % AT ALL TIMES", "P"}}
	for _, r := range []struct {
		name string
		lift *api.LoopLift
	}{{"nothing", l.Holdout}, {"a placebo", l.Placebo}, {"both", l.Both}} {
		if r.lift == nil {
			continue
		}
		lift := "unknown"
		if r.lift.Absolute != nil {
			lift = signed(*r.lift.Absolute)
		}
		rows = append(rows, []string{r.name, outOf(r.lift.Treatment), outOf(r.lift.Control), lift,
			signed(r.lift.Lower) + " to " + signed(r.lift.Upper), strconv.FormatFloat(r.lift.PValue, 'f', 3, 64)})
	}
	return sh.table(rows)
}

func outOf(t api.Tasks) string { return fmt.Sprintf("%d of %d succeeded", t.Success, t.N) }

func signed(share float64) string { return fmt.Sprintf("%+.2f", share) }
