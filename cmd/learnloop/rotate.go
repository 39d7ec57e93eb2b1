package main

import (
	"learnloop.dev/api"

	"github.com/spf13/cobra"
)

func (sh *shell) rotateCommand() *cobra.Command {
	var in api.RotateArgs
	c := &cobra.Command{
		Use: "rotate-key", Short: "Show people under new pseudonyms from now on",
		Long: "Makes a new key for the pseudonyms under which people are shown, while the loop runs. No count\n" +
			"changes, and nobody is lost. The former pseudonyms still find the people for a while; then their key\n" +
			"is destroyed, and nobody can tell any more whom they meant.",
		Example: "  learnloop privacy rotate-key\n  learnloop privacy rotate-key --window 7d --actor anna",
		Args:    exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return sh.call(cmd.Context(), "privacy.rotate-key", in, reading(sh.showRotation))
		},
	}
	c.Flags().StringVar(&in.Window, "window", "", "how long former pseudonyms still find people: `7d`, 12h, 0 for not at all")
	actorFlag(c, &in.Actor)
	return c
}

// actorFlag lets somebody say who changes something.
func actorFlag(c *cobra.Command, actor *string) {
	c.Flags().StringVar(actor, "actor", "", "the `name` to put into the history")
}

func (sh *shell) showRotation(r api.Rotation) error {
	sh.sayf("Pseudonyms begin with p%s_ now.", r.KeyID)
	for _, f := range r.Former {
		sh.sayf("Those that begin with p%s_ find people until %s.", f.KeyID, when(f.Until))
	}
	return nil
}
