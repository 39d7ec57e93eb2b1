package main

import (
	"fmt"
	"strings"

	"learnloop.dev/api"

	"github.com/spf13/cobra"
)

func (sh *shell) injectCommand() *cobra.Command {
	var u api.Undertaking
	c := &cobra.Command{
		Use: "inject TASK", Short: "Print what a task should know from earlier ones, and record that it does",
		Long: "Prints a block for the prompt of the task with this id, and nothing else on the standard output; why there is none goes to\n" +
			"the standard error. A task that asks again counts once.\n" +
			"Some tasks get nothing, or a block that says nothing: settings injection.* say how many.",
		Example: "  learnloop inject task-119 --title 'Fix the refund webhook' --outcome refunds\n" +
			"  learnloop inject task-120 --title 'Speed up CI' --description \"$(cat issue.md)\" --max-tokens 500",
		Args: exactly("TASK"),
		RunE: func(cmd *cobra.Command, args []string) error {
			u.TaskID = args[0]
			return sh.call(cmd.Context(), "inject", u, reading(sh.showInjection))
		},
	}
	f := c.Flags()
	f.StringVar(&u.Title, "title", "", "a `text`: what is to be done, in a line")
	f.StringVar(&u.Description, "description", "", "a `text`: the same at length")
	f.StringVar(&u.OutcomeID, "outcome", "", "the outcome `id` the task is part of: nothing learned in it is given")
	f.IntVar(&u.Limit, "limit", 0, "at most this `number` of learnings, 5 when not given")
	f.IntVar(&u.MaxTokens, "max-tokens", 0, "how long the block may be: a `number` of tokens, by estimate")
	f.Float64Var(&u.MinConfidence, "min-confidence", 0, "only those of at least this `confidence`, 0 to 1")
	f.StringVar(&u.Generator, "generator", "", "the `name` of who asks")
	f.StringVar(&u.UserID, "user", "", "who the task is done for: an `id`, stored as a pseudonym")
	return c
}

func (sh *shell) showInjection(in api.Injection) error {
	if in.Markdown != "" {
		sh.sayf("%s", strings.TrimSuffix(in.Markdown, "\n"))
		return nil
	}
	_, _ = fmt.Fprintf(sh.err, "nothing is given: %s\n", in.Note) // what goes into a prompt stays clean
	return nil
}
