package main

import (
	"cmp"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"

	"learnloop.dev/app"

	"github.com/spf13/cobra"
)

// Where a command looks when nothing is said.
const (
	defaultServer = "nats://127.0.0.1:4222"
	defaultData   = "learnloop-data"
	adminFile     = "admin.creds"
	masterFile    = "master.key"
)

// shell is what every command has: the streams it talks on and the flags that
// all commands share.
type shell struct {
	in       io.Reader
	out, err io.Writer
	environ  []string

	server string
	data   string
	creds  string
	json   bool
}

// run executes one command line and returns the exit code.
func (sh *shell) run(ctx context.Context, args []string) int {
	root := sh.completed(sh.root())
	root.SetArgs(args)
	root.SetIn(sh.in)
	root.SetOut(sh.out)
	root.SetErr(sh.err)
	err := root.ExecuteContext(ctx)
	if err != nil {
		sh.complain(err)
	}
	return exitCode(err)
}

// root is the tree of commands.
func (sh *shell) root() *cobra.Command {
	root := group("learnloop", "Learns from what people do with an agent's suggestions")
	root.Long = "learnloop turns what people accept, change and turn down into contexts that an\n" +
		"agent reads before it suggests again. Start with: learnloop demo"
	root.SilenceUsage, root.SilenceErrors = true, true
	root.SetFlagErrorFunc(misusedFlag)
	root.SetHelpCommand(helpCommand(root))
	root.PersistentPreRun = func(cmd *cobra.Command, _ []string) { sh.find(cmd.Flags().Changed("server")) }
	root.Version = thisBuild().text() // no template of ours: it would make the linker keep every exported method (ADR 0031)
	flags := root.PersistentFlags()
	flags.StringVar(&sh.server, "server", sh.env("LEARNLOOP_SERVER", defaultServer), "the NATS `URL` of a running loop (LEARNLOOP_SERVER)")
	flags.StringVar(&sh.data, "data", sh.env("LEARNLOOP_DATA", defaultData), "the data `folder` of the loop (LEARNLOOP_DATA)")
	flags.StringVar(&sh.creds, "creds", "", "the credentials `file` (admin.creds of the data folder)")
	flags.BoolVar(&sh.json, "json", false, "answer in JSON")
	for _, part := range sh.parts() {
		root.AddGroup(&cobra.Group{ID: part.title, Title: part.title + ":"})
		for _, c := range part.commands {
			c.GroupID = part.title
			root.AddCommand(c)
		}
	}
	return root
}

// part is what the list of commands has under one title.
type part struct {
	title    string
	commands []*cobra.Command
}

// parts are the commands by what people want.
func (sh *shell) parts() []part {
	return []part{
		{"Begin", []*cobra.Command{sh.demoCommand(), sh.serveCommand(), sh.statusCommand(), sh.doctorCommand()}},
		{"Tell it what happened", []*cobra.Command{sh.publishCommand(), sh.replayCommand(), sh.feedbackCommand(), sh.importScoresCommand()}},
		{"See what it learned", []*cobra.Command{
			sh.contextCommand(), sh.explainCommand(), sh.statsCommand(), sh.learningsCommand(), sh.searchCommand(), sh.learnedCommand(),
			sh.samplesCommand(), sh.experimentCommand(), sh.templatesCommand(), sh.preferencesCommand(),
		}},
		{"Use what it learned", []*cobra.Command{
			sh.injectCommand(), sh.routeCommand(), sh.promptCommand(), sh.rerankCommand(), sh.calibrateCommand(), sh.mcpCommand(),
		}},
		{"Decide what it keeps and shows", []*cobra.Command{
			sh.privacyCommand(), sh.forgetCommand(), sh.clearCommand(), sh.resetCommand(), sh.shareCommand(), sh.exportCommand(), sh.importCommand(),
		}},
		{"Run it", []*cobra.Command{
			sh.dashboardCommand(), sh.dlqCommand(), sh.tokenCommand(), sh.auditCommand(), sh.streamCommand(), sh.benchCommand(), sh.versionCommand(),
		}},
	}
}

// helpCommand explains a command, and says when there is none of that name.
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: "Explain a command",
		RunE: func(_ *cobra.Command, args []string) error {
			about, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return misused(root, unknownCommand(strings.Join(args, " "), nil))
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
	}
}

// group is a command that only has commands.
func group(use, short string, commands ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{
		Use: use, Short: short,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return misused(cmd, unknownCommand(args[0], cmd.SuggestionsFor(args[0])))
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.HasParent() {
				return misused(cmd, missingCommand(cmd))
			}
			return cmd.Help()
		},
	}
	c.SuggestionsMinimumDistance = 2 // letters
	c.AddCommand(commands...)
	return c
}

// exactly takes so many arguments, named for the person who forgot them.
func exactly(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == len(names) {
			return nil
		}
		return misused(cmd, wantArguments(names, len(args)))
	}
}

// atMostOne takes an argument or none.
func atMostOne() cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := cobra.MaximumNArgs(1)(cmd, args); err != nil {
			return misused(cmd, err)
		}
		return nil
	}
}

// find asks the loop of the data folder where nobody names a server.
func (sh *shell) find(named bool) {
	if !named && sh.env("LEARNLOOP_SERVER", "") == "" {
		sh.server = cmp.Or(app.ServerOf(sh.data), sh.server)
	}
}

// env is a variable of the environment, or a default.
func (sh *shell) env(name, otherwise string) string {
	for _, v := range sh.environ {
		if value, ok := strings.CutPrefix(v, name+"="); ok {
			return cmp.Or(value, otherwise)
		}
	}
	return otherwise
}

// credentialHint says what an operator has to give.
func (sh *shell) credentialHint() string {
	if sh.credentials() != "" {
		return "the credential is not an operator's: give the server's data folder with --data, or its admin.creds with --creds"
	}
	return sh.data + " has no " + adminFile + ": give the server's data folder with --data, or its admin.creds with --creds"
}

// credentials is the file to log in with, "" for none: a loop may be asked by
// strangers, too.
func (sh *shell) credentials() string {
	if sh.creds != "" {
		return sh.creds
	}
	file := filepath.Join(sh.data, adminFile)
	if _, err := os.Stat(file); err != nil {
		return ""
	}
	return file
}
