package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"learnloop.dev/privacy"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"
)

func (sh *shell) privacyCommand() *cobra.Command {
	lines := false
	test := &cobra.Command{
		Use: "test FILE", Short: "Show what would be removed from a text, and why",
		Long: "Reads a text (- for the standard input) and shows what the redaction engine finds in it\n" +
			"and what would be kept. A JSON document is walked, names and numbers too, as when it comes in an\n" +
			"event; so are JSON lines. Files that are opted out are looked into like others. Nothing is sent anywhere.\n" +
			"With --jsonl a line that cannot be read is answered with an error, and the others are read all the same.",
		Example: "  learnloop privacy test notes.txt\n  learnloop privacy test --jsonl texts.jsonl",
		Args:    exactly("FILE"),
		RunE: func(_ *cobra.Command, args []string) error {
			if lines {
				return sh.examineLines(args[0])
			}
			return sh.examineText(args[0])
		},
	}
	test.Flags().BoolVar(&lines, "jsonl", false, `read lines of {"id","text"}, and answer each with what was found`)
	return group("privacy", "See and change how people are protected", sh.privacyGetCommand(), sh.privacySetCommand(),
		sh.optOutCommand(), sh.rotateCommand(), test)
}

// examined is a text and what was found in it; the offsets count bytes of the
// text as it was given.
type examined struct {
	ID       jsontext.Value    `json:"id,omitzero"`
	Text     string            `json:"text"` // as it would be kept
	Findings []privacy.Finding `json:"findings"`
}

func examine(text string) examined {
	kept, found := privacy.Examine(text)
	return examined{Text: kept, Findings: append([]privacy.Finding{}, found...)}
}

// mostText is the longest text that is examined at once, in bytes.
const mostText = 1 << 20

func (sh *shell) examineText(name string) error {
	in := sh.in
	if name != stdin {
		f, err := os.Open(name)
		if err != nil {
			return fmt.Errorf("open text: %w", err)
		}
		defer func() { _ = f.Close() }() // only read
		in = f
	}
	data, err := io.ReadAll(io.LimitReader(in, mostText+1))
	if err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	if len(data) > mostText {
		return fmt.Errorf("read %s: more than %d bytes; split it, or use --jsonl", name, mostText)
	}
	found := examine(string(data))
	if sh.json {
		return sh.answerWith(found)
	}
	return sh.showExamined(string(data), found)
}

func (sh *shell) showExamined(text string, e examined) error {
	if len(e.Findings) == 0 {
		sh.sayf("Nothing would be removed.")
		return nil
	}
	rows := [][]string{{"TYPE", "LINE", "OFFSET", "WHY"}}
	for _, f := range e.Findings {
		line := 1 + strings.Count(text[:f.Start], "\n")
		rows = append(rows, []string{f.Entity.String(), strconv.Itoa(line), fmt.Sprintf("%d-%d", f.Start, f.End), reasons[f.Entity]})
	}
	if err := sh.table(rows); err != nil {
		return err
	}
	sh.sayf("\nWhat would be kept:\n\n%s", strings.TrimRight(e.Text, "\n"))
	return nil
}

// reasons say in words what a type is.
var reasons = map[privacy.Entity]string{
	privacy.Email:      "an e-mail address",
	privacy.Card:       "a payment card number whose check digit is right",
	privacy.IBAN:       "an account number whose check digits are right",
	privacy.SSN:        "a United States social security number",
	privacy.IP:         "an address on the internet",
	privacy.MAC:        "the address of a network card",
	privacy.Phone:      "a telephone number by its shape, or beside a word that says so",
	privacy.Secret:     "a credential by its format, or behind a name that says so",
	privacy.NationalID: "a national identity or tax number by its check digits, or beside a word that says so",
	privacy.Crypto:     "the address of a crypto currency whose checksum is right",
	privacy.DOB:        "a date beside a word that says it is one of birth",
	privacy.Person:     "a name, beside a word that says so or by itself",
	privacy.Address:    "a street and number",
}

// examineLines answers every line with what was found in it, or with why it cannot be read.
func (sh *shell) examineLines(name string) error {
	s, err := sh.openSource(name, func(int) {})
	if err != nil {
		return err
	}
	bad := 0
	for number := 1; ; number++ {
		line, err := s.next()
		last := errors.Is(err, io.EOF)
		switch {
		case last && len(line) == 0:
			return errors.Join(unreadable(bad, number-1, name), s.close())
		case err == nil || last:
			err = sh.examineLine(line)
		}
		if unread := errors.Is(err, errNoText) || errors.Is(err, errLongLine); unread {
			bad++
			err = sh.answerWith(unexamined{idOf(line), number, err.Error()})
		}
		if err != nil {
			return errors.Join(fmt.Errorf("text %d of %s: %w", number, name, err), s.close())
		}
	}
}

// unexamined is what is answered for a line that holds no text.
type unexamined struct {
	ID    jsontext.Value `json:"id,omitzero"`
	Line  int            `json:"line"` // counted from 1, without blank ones
	Error string         `json:"error"`
}

// errNoText is of a line that is no text; the decoder's own words may quote it.
var errNoText = errors.New(`want {"id": …, "text": "…"}`)

func unreadable(bad, of int, name string) error {
	if bad == 0 {
		return nil
	}
	return fmt.Errorf("%d of %d texts of %s could not be read", bad, of, name)
}

func (sh *shell) examineLine(line []byte) error {
	var in struct {
		Text *string `json:"text"`
	}
	if json.Unmarshal(line, &in) != nil || in.Text == nil {
		return errNoText
	}
	out := examine(*in.Text)
	out.ID = idOf(line)
	return sh.answerWith(out)
}

// idOf is the id that a line bears, none where it cannot be read.
func idOf(line []byte) jsontext.Value {
	var in struct {
		ID jsontext.Value `json:"id"`
	}
	if json.Unmarshal(line, &in) != nil {
		return nil
	}
	return in.ID
}
