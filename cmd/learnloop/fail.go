package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"learnloop.dev/api"
	"learnloop.dev/app"

	"github.com/spf13/cobra"
)

// Exit codes.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

// misuse is a command line that cannot be understood.
type misuse struct {
	err  error
	path string // of the command whose help explains it
}

func (m *misuse) Error() string { return m.err.Error() }

func (m *misuse) Unwrap() error { return m.err }

func misused(cmd *cobra.Command, err error) error { return &misuse{err, cmd.CommandPath()} }

type unknownCommand struct {
	name  string
	alike []string
}

func (u unknownCommand) Error() string {
	text := fmt.Sprintf("there is no command %q", u.name)
	if len(u.alike) > 0 {
		text += "; did you mean " + strings.Join(u.alike, " or ") + "?"
	}
	return text
}

type missingCommand struct{ group *cobra.Command }

func (m missingCommand) Error() string {
	var names []string
	for _, c := range m.group.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return m.group.Name() + ": say which: " + strings.Join(names, ", ")
}

type wantArguments struct {
	names []string
	got   int
}

func (w wantArguments) Error() string {
	if w.got > len(w.names) {
		return fmt.Sprintf("too many arguments: want %s", cmp.Or(strings.Join(w.names, " "), "none"))
	}
	return "missing " + strings.Join(w.names[w.got:], " ")
}

func exitCode(err error) int {
	var m *misuse
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &m):
		return exitUsage
	}
	return exitFailed
}

// complain tells a person what failed, why, and what to do.
func (sh *shell) complain(err error) {
	fmt.Fprintf(sh.err, "learnloop: %s\n", printable(strings.ReplaceAll(err.Error(), "\n", "; ")))
	var p *api.Problem
	if errors.As(err, &p) {
		for _, f := range p.Errors {
			fmt.Fprintf(sh.err, "  %s: expected %s\n", printable(f.Pointer), printable(f.Expected))
		}
	}
	if do := hintOf(err); do != "" {
		fmt.Fprintf(sh.err, "hint: %s\n", printable(do))
	}
}

// hintOf says what to do about an error, "" when nobody knows.
func hintOf(err error) string {
	var m *misuse
	if do := app.HintOf(err); do != "" {
		return do
	}
	if errors.As(err, &m) {
		return "see " + m.path + " --help"
	}
	var p *api.Problem
	if errors.As(err, &p) {
		return p.Hint
	}
	return ""
}
