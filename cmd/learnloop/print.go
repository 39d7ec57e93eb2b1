package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"unicode"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/term"
)

// printable is a text that does nothing to a terminal but stand there: ids are
// whatever a producer sent.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case r == '\r':
			return -1
		case r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)):
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// shown is a text that was made printable already.
type shown string

// sayf prints one line. The format is ours; texts among the arguments may be anybody's.
func (sh *shell) sayf(format string, args ...any) {
	for i, arg := range args {
		if text, ok := arg.(string); ok {
			args[i] = printable(text)
		}
	}
	_, _ = fmt.Fprintf(sh.out, format+"\n", args...) // nobody would hear of it
}

// answer prints the JSON of an operation as one line.
func (sh *shell) answer(v jsontext.Value) error {
	if err := v.Compact(); err != nil {
		return fmt.Errorf("print answer: %w", err)
	}
	_, err := fmt.Fprintf(sh.out, "%s\n", v)
	return err
}

// answerWith prints a value of ours as JSON.
func (sh *shell) answerWith(v any) error {
	data, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		return fmt.Errorf("print answer: %w", err)
	}
	return sh.answer(data)
}

// widest is how many characters of a cell a table shows: an id of thousands would
// push the other columns out of sight. --json has all of it.
const widest = 100

// fitted is a text as a cell of a table.
func fitted(text string) string {
	text = strings.ReplaceAll(printable(text), "\n", " ")
	if r := []rune(text); len(r) > widest {
		return string(r[:widest-1]) + "…"
	}
	return text
}

// table prints rows in columns; the first row names them.
func (sh *shell) table(rows [][]string) error {
	w := tabwriter.NewWriter(sh.out, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		for i, cell := range row {
			row[i] = fitted(cell)
		}
		_, _ = fmt.Fprintln(w, strings.Join(row, "\t")) // Flush reports it
	}
	return w.Flush()
}

// style is how a piece of text stands out on a terminal.
type style string

const (
	bold  style = "1"
	faint style = "2"
	red   style = "31"
	green style = "32"
)

// mark makes a text stand out, when the output is a terminal and nobody objects
// to colours.
func (sh *shell) mark(s style, text string) shown {
	if !sh.colours() {
		return shown(printable(text))
	}
	return shown("\x1b[" + string(s) + "m" + printable(text) + "\x1b[0m")
}

// colours follows no-color.org.
func (sh *shell) colours() bool {
	return isTerminal(sh.out) && sh.env("NO_COLOR", "") == "" && sh.env("TERM", "") != "dumb"
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
