package main

import (
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"learnloop.dev/api"
	"learnloop.dev/app"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"
)

func (sh *shell) experimentCommand() *cobra.Command {
	return group("experiment", "Compare arms, and decide between them",
		sh.listExperimentsCommand(), sh.showExperimentCommand(), sh.reportExperimentCommand(), sh.assignCommand(),
		sh.createExperimentCommand(), sh.widenExperimentCommand(),
		sh.experimentStepCommand("start", "Start an experiment: units are assigned from now on"),
		sh.stopExperimentCommand(),
		sh.experimentStepCommand("archive", "Archive an experiment that is over"))
}

func (sh *shell) listExperimentsCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List all experiments, and what they advise",
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return sh.call(cmd.Context(), "experiments.list", nil, reading(func(l api.ExperimentList) error {
				if len(l.Experiments) == 0 {
					sh.sayf("There are none.")
					return nil
				}
				rows := [][]string{{"NAME", "STATUS", "METRIC", "CONTROL", "TREATMENT", "P", "ADVICE", "DECIDED"}}
				for _, e := range l.Experiments {
					rows = append(rows, []string{
						e.Name, e.Status, e.Metric, count(e.ControlN), count(e.TreatmentN),
						fmt.Sprintf("%.3g", e.PValue), e.Recommendation, map[bool]string{true: "yes", false: "no"}[e.Decided],
					})
				}
				return sh.table(rows)
			}))
		},
	}
}

func (sh *shell) reportExperimentCommand() *cobra.Command {
	var file string
	c := &cobra.Command{
		Use: "report NAME", Short: "Tell of an experiment in plain words, with a chart",
		Long: "With --svg how the difference went while outcomes came in is drawn as well; of several treatments\n" +
			"each but the first has its name before the ending of the file.",
		Example: "  learnloop experiment report topic_affinity_boost\n  learnloop experiment report topic_affinity_boost --svg boost.svg",
		Args:    exactly("NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			in := api.ReportArgs{ExperimentArgs: api.ExperimentArgs{Name: args[0]}, Charts: file != ""}
			return sh.call(cmd.Context(), "experiments.report", in, reading(func(r api.ExperimentReport) error {
				if err := sh.sayReport(r); err != nil || file == "" {
					return err
				}
				return saveCharts(file, r.Charts)
			}))
		},
	}
	c.Flags().StringVar(&file, "svg", "", "also draw into this `file`")
	return c
}

// saveCharts writes each chart into a file of its own.
func saveCharts(file string, charts []api.ExperimentChart) error {
	if len(charts) == 0 {
		return errors.New("draw the experiment: it has no outcomes yet")
	}
	for i, c := range charts {
		name := file
		if i > 0 {
			ending := filepath.Ext(file)
			name = strings.TrimSuffix(file, ending) + "." + url.PathEscape(c.Variant) + ending
		}
		if err := os.WriteFile(name, []byte(c.SVG), 0o644); err != nil { //nolint:gosec // a drawing for others to see
			return fmt.Errorf("write chart: %w", err)
		}
	}
	return nil
}

func (sh *shell) sayReport(r api.ExperimentReport) error {
	sh.sayf("%s", strings.TrimRight(r.Report, "\n"))
	return nil
}

// showExperimentCommand shows the report to people, and everything to programs.
func (sh *shell) showExperimentCommand() *cobra.Command {
	return &cobra.Command{
		Use: "show NAME", Short: "Show what came out so far, as report does; with --json the definition and every number",
		Example: "  learnloop experiment show topic_affinity_boost\n  learnloop experiment show topic_affinity_boost --json",
		Args:    exactly("NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			in := api.ReportArgs{ExperimentArgs: api.ExperimentArgs{Name: args[0]}}
			if sh.json {
				return sh.call(cmd.Context(), "experiments.get", in.ExperimentArgs, nil)
			}
			return sh.call(cmd.Context(), "experiments.report", in, reading(sh.sayReport))
		},
	}
}

func (sh *shell) assignCommand() *cobra.Command {
	return &cobra.Command{
		Use: "assign NAME UNIT", Short: "Tell which arm a unit has",
		Example: "  learnloop experiment assign topic_affinity_boost session-17",
		Args:    exactly("NAME", "UNIT"),
		RunE: func(cmd *cobra.Command, args []string) error {
			in := api.AssignArgs{Name: args[0], UnitID: args[1]}
			return sh.call(cmd.Context(), "experiments.assign", in, reading(func(a api.Assignment) error {
				if !a.Enrolled {
					sh.sayf("%s, not enrolled", a.Variant)
					return nil
				}
				sh.sayf("%s, with probability %.4g", a.Variant, a.Propensity)
				return nil
			}))
		},
	}
}

func (sh *shell) createExperimentCommand() *cobra.Command {
	var start bool
	c := &cobra.Command{
		Use: "create FILE", Short: "Define an experiment by a JSON file, - for the standard input",
		Long: "The file has the fields of the definition: name, description, control_config, treatment_config,\n" +
			"treatment_percentage, start_date, end_date, primary_metric, secondary_metrics, guardrails,\n" +
			"smallest_useful_effect, min_sample_size, confidence_level. It stays a draft until it is started.",
		Example: "  learnloop experiment create examples/experiments/topic_affinity_boost.json --start",
		Args:    exactly("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			in, err := sh.readExperiment(args[0])
			if err != nil {
				return err
			}
			if start {
				in["is_active"] = jsontext.Value("true")
			}
			return sh.call(cmd.Context(), "experiments.create", in, reading(sh.sayStatus))
		},
	}
	c.Flags().BoolVar(&start, "start", false, "start it at once")
	return c
}

// readExperiment reads a definition. What is wrong with its fields the loop says, who knows
// what each of them may be.
func (sh *shell) readExperiment(file string) (fields map[string]jsontext.Value, err error) {
	var data []byte
	if file == "-" {
		data, err = io.ReadAll(sh.in)
	} else {
		data, err = os.ReadFile(file)
	}
	if err == nil && (json.Unmarshal(data, &fields) != nil || fields == nil) { // null is none
		err = errors.New("it is no JSON object")
		if syntax, is := errors.AsType[*jsontext.SyntacticError](json.Unmarshal(data, new(any))); is {
			err = fmt.Errorf("it is not JSON with each field once, from byte %d on", syntax.ByteOffset)
		}
	}
	if err != nil {
		return nil, app.WithHint(fmt.Errorf("read experiment %s: %w", file, err),
			"examples/experiments has some; learnloop experiment create --help lists the fields")
	}
	return fields, nil
}

func (sh *shell) sayStatus(e api.Experiment) error {
	sh.sayf("%s: %s", e.Name, e.Status)
	return nil
}

func (sh *shell) experimentStepCommand(verb, short string) *cobra.Command {
	return &cobra.Command{
		Use: verb + " NAME", Short: short,
		Example: "  learnloop experiment " + verb + " topic_affinity_boost",
		Args:    exactly("NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return sh.call(cmd.Context(), "experiments."+verb, api.ExperimentStepArgs{Name: args[0]}, reading(sh.sayStatus))
		},
	}
}

// stopExperimentCommand shows how an experiment stands before it is stopped for good.
func (sh *shell) stopExperimentCommand() *cobra.Command {
	var yes bool
	c := &cobra.Command{
		Use: "stop NAME", Short: "Stop an experiment: later outcomes are not counted",
		Long:    "It cannot be started again. Without --yes nothing is changed: it shows how the experiment stands.",
		Example: "  learnloop experiment stop topic_affinity_boost\n  learnloop experiment stop topic_affinity_boost --yes",
		Args:    exactly("NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if yes {
				return sh.call(cmd.Context(), "experiments.stop", api.ExperimentStepArgs{Name: args[0]}, reading(sh.sayStatus))
			}
			if sh.json {
				return misused(cmd, errors.New("say --yes: nothing is changed without it"))
			}
			in := api.ReportArgs{ExperimentArgs: api.ExperimentArgs{Name: args[0]}}
			return sh.call(cmd.Context(), "experiments.report", in, reading(func(r api.ExperimentReport) error {
				if err := sh.sayReport(r); err != nil {
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

func (sh *shell) widenExperimentCommand() *cobra.Command {
	var treatment, control float64
	c := &cobra.Command{
		Use: "widen NAME", Short: "Give the arms of an experiment larger shares",
		Long:    "Shares only grow, out of units that are not enrolled: nobody changes arms.",
		Example: "  learnloop experiment widen topic_affinity_boost --treatment 50 --control 50",
		Args:    exactly("NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			in := struct {
				Name       string `json:"name"`
				api.Shares `json:",inline"`
			}{Name: args[0]}
			if cmd.Flags().Changed("treatment") {
				in.TreatmentPercentage = &treatment
			}
			if cmd.Flags().Changed("control") {
				in.ControlPercentage = &control
			}
			return sh.call(cmd.Context(), "experiments.widen", in, reading(sh.sayStatus))
		},
	}
	c.Flags().Float64Var(&treatment, "treatment", 0, "`percentage` of units in treatment")
	c.Flags().Float64Var(&control, "control", 0, "`percentage` of units in control")
	return c
}
