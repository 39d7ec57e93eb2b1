package main

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"learnloop.dev/app"
)

func TestNothingAProducerSentMovesTheTerminal(t *testing.T) {
	var out bytes.Buffer
	sh := &shell{out: &out, err: &out}
	evil := "rule\x1b[2J\x07\u202e\r\nnext"
	sh.sayf("%s", evil)
	if err := sh.table([][]string{{"A", "B"}, {evil, "x\ty"}}); err != nil {
		t.Fatal(err)
	}
	sh.complain(app.WithHint(errors.New(evil), evil))
	if text := out.String(); strings.ContainsAny(text, "\x1b\x07\r\u202e\t") {
		t.Errorf("printed %q", text)
	}
}

func TestTextOfSeveralLinesIsShownAsItWasWritten(t *testing.T) {
	if got := printable("if a {\r\n\treturn\r\n}"); got != "if a {\n return\n}" {
		t.Errorf("%q", got)
	}
}

func TestALongIDDoesNotPushTheOtherColumnsAway(t *testing.T) {
	var out bytes.Buffer
	sh := &shell{out: &out, err: &out}
	if err := sh.table([][]string{{"ID", "N"}, {strings.Repeat("ä", 5000), "1"}}); err != nil {
		t.Fatal(err)
	}
	want := strings.Repeat("ä", widest-1) + "…  1\n"
	if _, row, _ := strings.Cut(out.String(), "\n"); row != want {
		t.Errorf("printed %d bytes, want %d", len(row), len(want))
	}
}

func TestAnErrorIsOneLineAndAHint(t *testing.T) {
	var out bytes.Buffer
	sh := &shell{out: &out, err: &out}
	sh.complain(errors.Join(app.WithHint(errors.New("open state: locked"), "stop it"), errors.New("and more")))
	if want := "learnloop: open state: locked; and more\nhint: stop it\n"; out.String() != want {
		t.Errorf("printed %q, want %q", out.String(), want)
	}
}

func TestColoursAreForTerminals(t *testing.T) {
	sh := &shell{out: &bytes.Buffer{}}
	if text := sh.mark(bold, "x"); text != "x" {
		t.Errorf("a file gets %q", text)
	}
}

func TestLongLinesAreBrokenAtSpaces(t *testing.T) {
	got := wrapped("- one two three fourfivesix", 9)
	if want := []string{"- one two", "  three", "  fourfivesix"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := wrapped("", 9); !slices.Equal(got, []string{""}) {
		t.Errorf("an empty line became %q", got)
	}
}
