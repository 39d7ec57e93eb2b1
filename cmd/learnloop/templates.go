package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"learnloop.dev/api"
	"learnloop.dev/app"
	"learnloop.dev/learn/outcomes"

	"github.com/spf13/cobra"
)

func (sh *shell) templatesCommand() *cobra.Command {
	return group("templates", "Find plans that worked, and add your own",
		sh.matchTemplatesCommand(), sh.listTemplatesCommand(), sh.showTemplateCommand(), sh.addTemplateCommand(), sh.deleteTemplateCommand())
}

func (sh *shell) matchTemplatesCommand() *cobra.Command {
	var in api.MatchArgs
	c := &cobra.Command{
		Use: "match GOAL...", Short: "Find plans that fit a goal, the best first",
		Example: "  learnloop templates match 'Move the service to TypeScript'\n  learnloop templates match fix the login bug --limit 1 --json",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return misused(cmd, wantArguments([]string{"GOAL"}, 0))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			in.Goal = strings.Join(args, " ")
			return sh.call(cmd.Context(), "templates.match", in, reading(sh.showMatches))
		},
	}
	c.Flags().IntVar(&in.Limit, "limit", 0, "how `many`, 5 when not given, 50 at most")
	return c
}

func (sh *shell) listTemplatesCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List all templates: learned, added, built in, and those of DATA/templates",
		Example: "  learnloop templates list\n  learnloop templates list --json",
		Args:    exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return sh.call(cmd.Context(), "templates.list", nil, reading(sh.showTemplates))
		},
	}
}

func (sh *shell) showTemplateCommand() *cobra.Command {
	return &cobra.Command{
		Use: "show ID", Short: "Show a template with its plan",
		Example: "  learnloop templates show bug-fix",
		Args:    exactly("ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return sh.call(cmd.Context(), "templates.get", api.TemplateArgs{ID: args[0]}, reading(sh.showTemplate))
		},
	}
}

func (sh *shell) addTemplateCommand() *cobra.Command {
	return &cobra.Command{
		Use: "add FILE", Short: "Add a template from a YAML or JSON file, - for the standard input",
		Long: "A template has a name, keywords and a plan of steps. Tiers are numbers from 1 on: the smallest\n" +
			"model, the lightest check. What stands in DATA/templates is there without being added.\n\n" +
			"  name: Release\n" +
			"  keywords: [release, publish]\n" +
			"  plan:\n" +
			"    - id: changelog\n" +
			"      description: Write down what changed for users\n" +
			"      model_tier: 1\n" +
			"    - id: publish\n" +
			"      description: Tag it and publish what was built\n" +
			"      model_tier: 2\n" +
			"      verification_tier: 2\n" +
			"      depends_on: [changelog]",
		Example: "  learnloop templates add release.yaml\n  learnloop templates show bug-fix --json | learnloop templates add -",
		Args:    exactly("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			t, err := sh.readTemplate(args[0])
			if err != nil {
				return err
			}
			return sh.call(cmd.Context(), "templates.add", t, reading(sh.showTemplate))
		},
	}
}

func (sh *shell) deleteTemplateCommand() *cobra.Command {
	var yes bool
	c := &cobra.Command{
		Use: "delete ID", Short: "Forget a template that was added, or a plan that was learned",
		Long: "With how tasks that used it ended; the tasks and their patterns stay. What it stood in the place of is\n" +
			"there again. Without --yes nothing is changed: it shows the template.",
		Example: "  learnloop templates delete plan-1f0c9a6b2d3e4f50\n  learnloop templates delete Release --yes",
		Args:    exactly("ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			in := api.TemplateArgs{ID: args[0]}
			if yes {
				return sh.call(cmd.Context(), "templates.delete", in, reading(func(g api.TemplateGone) error {
					sh.sayf("Forgot %s, %s: completed %d, failed %d.", g.ID, g.Source, g.Completed, g.Failed)
					return nil
				}))
			}
			return sh.call(cmd.Context(), "templates.get", in, reading(func(t outcomes.Template) error {
				if err := sh.showTemplate(t); err != nil {
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

func (sh *shell) readTemplate(file string) (t api.NewTemplate, err error) {
	var data []byte
	if file == "-" {
		data, err = io.ReadAll(sh.in)
	} else {
		data, err = os.ReadFile(file)
	}
	if err != nil {
		return t, fmt.Errorf("read template: %w", err)
	}
	read, err := app.ReadTemplate(data)
	if err != nil {
		return t, app.WithHint(fmt.Errorf("read template %s: %w", file, err), "learnloop templates show bug-fix --json shows one")
	}
	t = api.NewTemplate{Name: read.Name, Keywords: api.Labels(read.Keywords)}
	for _, s := range read.Plan {
		t.Plan = append(t.Plan, api.NewStep(s))
	}
	if len(t.Plan) == 0 {
		return t, errors.New("read template: it has no steps")
	}
	return t, nil
}

func (sh *shell) showMatches(m api.Matches) error {
	if len(m.Matches) == 0 {
		sh.sayf("No template fits.")
		return nil
	}
	rows := [][]string{{"ID", "FITS", "COMPLETED", "FAILED", "SOURCE", "STEPS"}}
	for _, f := range m.Matches {
		rows = append(rows, append([]string{f.Template.ID, hundredths(f.Similarity)}, templateRow(f.Template.Template)...))
	}
	return sh.table(rows)
}

func (sh *shell) showTemplates(l api.TemplateList) error {
	rows := [][]string{{"ID", "COMPLETED", "FAILED", "SOURCE", "STEPS"}}
	for _, t := range l.Templates {
		rows = append(rows, append([]string{t.ID}, templateRow(t.Template)...))
	}
	return sh.table(rows)
}

func templateRow(t outcomes.Template) []string {
	var steps []string
	for _, s := range t.Plan {
		steps = append(steps, s.ID)
	}
	return []string{count(t.Completed), count(t.Failed), t.Source, strings.Join(steps, ", ")}
}

func (sh *shell) showTemplate(t outcomes.Template) error {
	sh.sayf("%s\n%s  %s: completed %d, failed %d", sh.mark(bold, t.Name), t.ID, t.Source, t.Completed, t.Failed)
	if t.Problem != "" {
		sh.sayf("never offered: %s", t.Problem)
	}
	for i, s := range t.Plan {
		after := ""
		if len(s.DependsOn) > 0 {
			after = "  (after " + strings.Join(s.DependsOn, ", ") + ")"
		}
		sh.sayf("%3d. %s%s", i+1, s.ID, after)
		if s.Description != "" {
			sh.sayf("     %s", s.Description)
		}
	}
	return nil
}
