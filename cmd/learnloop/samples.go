package main

import (
	"maps"
	"slices"

	"learnloop.dev/api"
	"learnloop.dev/learn/samples"

	"github.com/spf13/cobra"
)

func (sh *shell) samplesCommand() *cobra.Command {
	return group("samples", "Show how good learning samples are, and export them for training", sh.sampleMetricsCommand(),
		sh.sampleExportCommand())
}

// choice is which samples a command is about.
type choice struct {
	api.SampleArgs
	when period
}

func (c *choice) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	c.when.flags(cmd, "from this `moment` on: 2026-01-31 or 2026-01-31T08:00:00Z", "up to this `moment`, without it")
	f.StringArrayVar(&c.Families, "family", nil, "only this sample `family`; may be repeated")
}

// read reads the moments.
func (c *choice) read(cmd *cobra.Command) error { return c.when.read(cmd, &c.From, &c.To) }

func (sh *shell) sampleMetricsCommand() *cobra.Command {
	var in choice
	c := &cobra.Command{
		Use: "metrics", Short: "Show how good the samples are, over all and by family",
		Example: "  learnloop samples metrics\n  learnloop samples metrics --from 2026-01-01 --family intent_resolution --json",
		Args:    exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := in.read(cmd); err != nil {
				return err
			}
			return sh.call(cmd.Context(), "samples.metrics", in.SampleArgs, reading(sh.showMetrics))
		},
	}
	in.flags(c)
	return c
}

func (sh *shell) showMetrics(m samples.Metrics) error {
	rows := [][]string{{"FAMILY", "SAMPLES", "APPROVED", "CORRECTED", "REJECTED", "UNLABELLED"}}
	for _, family := range slices.Sorted(maps.Keys(m.Families)) {
		rows = append(rows, qualityRow(family, m.Families[family]))
	}
	return sh.table(append(rows, qualityRow("all", m.Quality)))
}

func qualityRow(name string, q samples.Quality) []string {
	return []string{name, count(q.Total), percent(q.ApprovalRate), percent(q.CorrectionRate), percent(q.RejectionRate), count(q.Unlabelled)}
}
