package main

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"learnloop.dev/api"
	"learnloop.dev/events"

	"github.com/spf13/cobra"
)

func (sh *shell) clearCommand() *cobra.Command {
	var in api.Erasing
	var when period
	var kind string
	c := &cobra.Command{
		Use: "clear", Short: "Clear what was learned: a period, rules, a kind, or all",
		Long: "Without --confirm nothing is changed: it shows what would go, and the token that\n" +
			"confirms exactly this, once, within five minutes.",
		Example: "  learnloop clear --rule passive-voice\n  learnloop clear --from 2026-01-01 --to 2026-02-01\n" +
			"  learnloop clear --all --confirm TOKEN",
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := when.read(cmd, &in.From, &in.To); err != nil {
				return err
			}
			in.Kind = events.Kind(kind)
			return sh.call(cmd.Context(), "clear", in, reading(func(c api.Clearing) error {
				return sh.showClearing(c, again(cmd))
			}))
		},
	}
	f := c.Flags()
	f.BoolVar(&in.All, "all", false, "everything")
	when.flags(c, "what happened from this `moment` on: 2026-01-31 or 2026-01-31T08:00:00Z", "what happened before this `moment`")
	f.StringArrayVar(&in.Rules, "rule", nil, "only this rule `id`; may be repeated")
	f.StringVar(&kind, "kind", "", "only this `kind` of events, such as feedback.fix")
	f.StringVar(&in.Confirm, "confirm", "", "the `token` that was shown for exactly this")
	return c
}

// again is the command line without the flags that are given once.
func again(cmd *cobra.Command) string {
	words := []string{cmd.CommandPath()}
	for _, arg := range cmd.Flags().Args() {
		words = append(words, quoteWord(arg))
	}
	for _, name := range []string{"server", "data", "creds", "all", "from", "to", "rule", "kind"} {
		flag := cmd.Flags().Lookup(name)
		switch {
		case flag == nil || !flag.Changed:
		case name == "all":
			words = append(words, "--all")
		case name == "rule":
			rules, _ := cmd.Flags().GetStringArray(name) // it is one
			for _, id := range rules {
				words = append(words, "--rule", quoteWord(id))
			}
		default:
			words = append(words, "--"+name, quoteWord(flag.Value.String()))
		}
	}
	return strings.Join(words, " ")
}

// quoteWord makes one word of a text for a shell.
func quoteWord(text string) string {
	if strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:@") == "" && text != "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

func (sh *shell) showClearing(c api.Clearing, command string) error {
	if c.Cleared {
		sh.sayf("Cleared %s.", plural(c.Records, "record"))
	} else {
		sh.sayf("This would clear %s.", plural(c.Records, "record"))
	}
	if err := sh.table(countRows(c.Counts)); err != nil {
		return err
	}
	sh.showPledge(c.Confirm, command)
	return nil
}

// showPledge says how to go on.
func (sh *shell) showPledge(p *api.Pledge, command string) {
	if p == nil {
		return
	}
	sh.sayf("\nNothing is changed yet. To go on, until %s:\n\n  %s --confirm %s", p.Expires.Format("15:04:05 UTC"), command, p.Token)
}

// countRows list records by kind.
func countRows(counts map[events.Kind]int) (rows [][]string) {
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		rows = append(rows, []string{"  " + string(kind), strconv.Itoa(counts[kind])})
	}
	return rows
}

func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}
