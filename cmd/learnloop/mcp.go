package main

import (
	"context"

	"learnloop.dev/api"
	"learnloop.dev/app"

	"github.com/spf13/cobra"
)

func (sh *shell) mcpCommand() *cobra.Command {
	return &cobra.Command{
		Use: "mcp", Short: "Serve the Model Context Protocol on the standard streams",
		Long: "Serves the Model Context Protocol to the agent that starts this command: tools, learning\n" +
			"contexts as resources, and prompts, of the running loop. The standard output carries the\n" +
			"protocol alone. With the credential of the data folder the agent may do what operators may;\n" +
			"to keep it from that, name a folder without one: --data /nowhere. The loop serves the same\n" +
			"over HTTP, at /mcp.",
		Example: "  learnloop mcp\n  learnloop mcp --data /nowhere   # as anybody, not as an operator",
		Args:    exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return sh.serveMCP(cmd.Context())
		},
	}
}

// serveMCP serves until the client closes the standard input, or somebody interrupts.
func (sh *shell) serveMCP(ctx context.Context) error {
	ctx, l, end, err := sh.reach(ctx)
	if err != nil {
		return err
	}
	defer end()
	return l.client.ServeMCP(ctx, api.Streams{
		In: sh.in, Out: sh.out, Operator: l.operator, Version: app.Version(),
		Failed: func(_ string, err error) { sh.complain(err) },
	})
}
