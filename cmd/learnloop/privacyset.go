package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"learnloop.dev/api"
	"learnloop.dev/privacy"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"
)

func (sh *shell) privacyGetCommand() *cobra.Command {
	var history bool
	var in api.HistoryArgs
	c := &cobra.Command{
		Use: "get", Short: "Show the settings of privacy, or who changed them when",
		Example: "  learnloop privacy get\n  learnloop privacy get --history",
		Args:    exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if history {
				return sh.call(cmd.Context(), "privacy.history", in, reading(sh.showHistory))
			}
			return sh.call(cmd.Context(), "privacy.get", nil, reading(sh.showSettings))
		},
	}
	c.Flags().BoolVar(&history, "history", false, "show every change: who, what, when")
	c.Flags().StringVar(&in.Group, "group", "", "with --history: only changes of this `group`")
	c.Flags().IntVar(&in.Limit, "limit", 0, "with --history: at most this `number`, 100 when not given")
	return c
}

func (sh *shell) privacySetCommand() *cobra.Command {
	var actor, match string
	c := &cobra.Command{
		Use: "set KEY=VALUE...", Short: "Change settings of privacy while the loop runs",
		Long: "Changes the settings that are named and leaves the others. The next event meets them, and the change\n" +
			"stands in the history. Values are JSON, or text where they are none.",
		Example: "  learnloop privacy set text_mode=strict\n" +
			"  learnloop privacy set enabled=false --actor anna\n" +
			"  learnloop privacy set 'opt_out_patterns=[\"*.env\",\"*.pem\"]' retention_days.ab_tests=90",
		Args: someOf("KEY=VALUE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			patch, err := patchOf(args)
			if err != nil {
				return misused(cmd, err)
			}
			for name, value := range map[string]string{"actor": actor, "if_match": match} {
				if value != "" {
					patch[name] = value
				}
			}
			return sh.call(cmd.Context(), "privacy.set", patch, reading(sh.showSettings))
		},
	}
	actorFlag(c, &actor)
	c.Flags().StringVar(&match, "if-match", "", "refuse it unless the settings are still those with this `ETag`")
	return c
}

// someOf takes at least one argument.
func someOf(name string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return nil
		}
		return misused(cmd, wantArguments([]string{name}, 0))
	}
}

// patchOf makes an object of key=value arguments; a dot in a key leads into an object.
func patchOf(pairs []string) (map[string]any, error) {
	patch := map[string]any{}
	for _, pair := range pairs {
		key, value, ok := strings.Cut(pair, "=")
		if !ok || key == "" {
			return nil, fmt.Errorf("setting %q: want KEY=VALUE", pair)
		}
		key = strings.TrimPrefix(key, "privacy.") // as serve --set has it
		into := patch
		for outer, inner, deeper := strings.Cut(key, "."); deeper; outer, inner, deeper = strings.Cut(key, ".") {
			below, _ := into[outer].(map[string]any)
			if below == nil {
				below = map[string]any{}
				into[outer] = below
			}
			into, key = below, inner
		}
		into[key] = valueOf(value)
	}
	return patch, nil
}

// valueOf is JSON where it is JSON, and a text where it is not.
func valueOf(text string) any {
	var v any
	if json.Unmarshal([]byte(text), &v) == nil {
		return v
	}
	return text
}

func (sh *shell) showSettings(s map[string]jsontext.Value) error {
	rows := [][]string{{"SETTING", "VALUE"}}
	for _, name := range slices.Sorted(maps.Keys(s)) {
		rows = append(rows, []string{name, string(s[name])})
	}
	return sh.table(rows)
}

func (sh *shell) showHistory(h api.History) error {
	if len(h.Changes) == 0 {
		sh.sayf("Nothing was changed yet.")
		return nil
	}
	rows := [][]string{{"AT", "WHO", "GROUP", "WHAT"}}
	for _, c := range h.Changes {
		rows = append(rows, []string{when(c.At), cmp.Or(c.Actor, "-"), c.Group, whatChanged(c.Changed)})
	}
	return sh.table(rows)
}

func whatChanged(by map[string]api.Difference) string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(by)) {
		d := by[name]
		all = append(all, fmt.Sprintf("%s: %s → %s", name, cmp.Or(string(d.From), "-"), cmp.Or(string(d.To), "-")))
	}
	return strings.Join(all, ", ")
}

func (sh *shell) optOutCommand() *cobra.Command {
	var in api.OptOutArgs
	c := &cobra.Command{
		Use: "opt-out USER", Short: "Take in nothing of a person any more",
		Long: "From now on events of this person are declined and counted, and nothing of them is kept. What is\n" +
			"stored already stays. The person is remembered by a keyed hash alone.",
		Example: "  learnloop privacy opt-out anna\n  learnloop privacy opt-out anna --team-only\n  learnloop privacy opt-out anna --undo",
		Args:    exactly("USER"),
		RunE: func(cmd *cobra.Command, args []string) error {
			in.User = args[0]
			return sh.call(cmd.Context(), "privacy.opt-out", in, reading(sh.showChoice))
		},
	}
	c.Flags().BoolVar(&in.TeamOnly, "team-only", false, "only leave the person out of what is shared with others")
	c.Flags().BoolVar(&in.Undo, "undo", false, "take it back")
	actorFlag(c, &in.Actor)
	return c
}

func (sh *shell) showChoice(c privacy.Choice) error {
	says := func(yes bool) string {
		if yes {
			return "yes"
		}
		return "no"
	}
	sh.sayf("Events are taken in: %s", says(c.Capture))
	sh.sayf("Counts in what is shared: %s", says(c.ParticipateInTeamLearning))
	return nil
}
