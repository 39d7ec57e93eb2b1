package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"learnloop.dev/api"
	"learnloop.dev/app"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"
)

// Exit codes.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2

	exitInterrupted = 130 // as shells say it of Ctrl-C
)

// errInterrupted means that somebody asked the command to stop.
var errInterrupted = errors.New("interrupted")

// misuse is a command line that cannot be understood.
type misuse struct {
	err  error
	path string // of the command whose help explains it
}

func (m *misuse) Error() string { return m.err.Error() }

func (m *misuse) Unwrap() error { return m.err }

func misused(cmd *cobra.Command, err error) error { return &misuse{err, cmd.CommandPath()} }

// misusedFlag says what a flag wants, where the library tells how it was read.
func misusedFlag(cmd *cobra.Command, err error) error {
	said, how, read := strings.Cut(err.Error(), ": strconv.Parse")
	switch {
	case !read:
	case strings.HasPrefix(how, "Bool"):
		err = fmt.Errorf("%s: want true or false", said)
	case strings.HasPrefix(how, "Uint"):
		err = fmt.Errorf("%s: want a whole number, 0 or more", said)
	default:
		err = fmt.Errorf("%s: want a number", said)
	}
	return misused(cmd, err)
}

func unknownCommand(name string, alike []string) error {
	if len(alike) == 0 {
		return fmt.Errorf("there is no command %q", name)
	}
	return fmt.Errorf("there is no command %q; did you mean %s?", name, strings.Join(alike, " or "))
}

func missingCommand(group *cobra.Command) error {
	var names []string
	for _, c := range group.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return fmt.Errorf("%s: say which: %s", group.Name(), strings.Join(names, ", "))
}

func wantArguments(names []string, got int) error {
	if got > len(names) {
		return fmt.Errorf("too many arguments: want %s", cmp.Or(strings.Join(names, " "), "none"))
	}
	return fmt.Errorf("missing %s", strings.Join(names[got:], " "))
}

func exitCode(err error) int {
	if err == nil {
		return exitOK
	}
	if _, ok := errors.AsType[*misuse](err); ok {
		return exitUsage
	}
	if errors.Is(err, errInterrupted) {
		return exitInterrupted
	}
	return exitFailed
}

// complaint is what failed, for programs.
type complaint struct {
	Error  string      `json:"error"`
	Hint   string      `json:"hint,omitzero"`
	Errors []api.Fault `json:"errors,omitzero"`
}

// complainJSON says in one line of JSON what failed. The caller's own values stay out.
func (sh *shell) complainJSON(err error) {
	c := complaint{Error: err.Error(), Hint: hintOf(err)}
	if p, ok := errors.AsType[*api.Problem](err); ok {
		for _, f := range p.Errors {
			c.Errors = append(c.Errors, api.Fault{Pointer: f.Pointer, Expected: f.Expected})
		}
	}
	data, err := json.Marshal(c, jsontext.AllowInvalidUTF8(true))
	if err == nil {
		_, _ = fmt.Fprintf(sh.err, "%s\n", data) // the exit code says it too
	}
}

// complain tells what failed, why, and what to do.
func (sh *shell) complain(err error) {
	if sh.json {
		sh.complainJSON(err)
		return
	}
	var text strings.Builder
	fmt.Fprintf(&text, "learnloop: %s\n", printable(strings.ReplaceAll(err.Error(), "\n", "; ")))
	if p, ok := errors.AsType[*api.Problem](err); ok && len(p.Errors) > 1 { // one stands in the text
		for _, f := range p.Errors {
			fmt.Fprintf(&text, "  %s: expected %s\n", printable(f.Pointer), printable(f.Expected))
		}
	}
	if do := hintOf(err); do != "" {
		fmt.Fprintf(&text, "hint: %s\n", printable(do))
	}
	_, _ = io.WriteString(sh.err, text.String()) // the exit code says it too
}

// hintOf says what to do about an error, "" when nobody knows.
func hintOf(err error) string {
	if do := app.HintOf(err); do != "" {
		return do
	}
	if m, ok := errors.AsType[*misuse](err); ok {
		return "see " + m.path + " --help"
	}
	if p, ok := errors.AsType[*api.Problem](err); ok {
		return p.Hint
	}
	return ""
}
