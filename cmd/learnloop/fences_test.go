package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// fence is a block of code on a page.
type fence struct {
	line     int    // of the page, where its text begins
	language string // what it is written in
	about    string // what else stands behind its mark
	text     string
	excuse   string // why it is not run, as the page says below it
}

// notRun begins the line below a fence that no test runs; the reason follows.
const notRun = "*Not run by the tests: "

// fences are the blocks of code of a page.
func fences(page string) (all []fence) {
	var open *fence
	for i, line := range strings.Split(page, "\n") {
		mark, isMark := strings.CutPrefix(strings.TrimLeft(line, " "), "```")
		last := len(all) - 1
		switch {
		case isMark && open == nil:
			language, about, _ := strings.Cut(mark, " ")
			open = &fence{line: i + 2, language: language, about: about}
		case isMark:
			all, open = append(all, *open), nil
		case open != nil:
			open.text += line + "\n"
		case strings.HasPrefix(line, notRun) && last >= 0:
			all[last].excuse = strings.TrimSuffix(strings.TrimPrefix(line, notRun), "*")
		}
	}
	return all
}

// step is one command of a transcript and what it prints.
type step struct {
	line    int
	command string
	want    string
}

// steps reads a transcript: a line after "$ " is a command, the lines below are what
// it prints. "..." stands for anything within a line, and alone on a line for any lines.
func (f fence) steps() (steps []step) {
	for i, line := range strings.Split(strings.TrimSuffix(f.text, "\n"), "\n") {
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			steps = append(steps, step{line: f.line + i, command: command})
		} else if len(steps) > 0 {
			steps[len(steps)-1].want += line + "\n"
		}
	}
	return steps
}

// manual lists every page that shows commands to people.
func manual(t *testing.T) (files []string) {
	t.Helper()
	for _, glob := range []string{"README.md", "docs/*.md", "examples/*/README.md"} {
		found, err := filepath.Glob(filepath.Join("..", "..", glob))
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %v", glob, err)
		}
		files = append(files, found...)
	}
	return files
}

// contents returns a page.
func contents(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// excused is how many fences of the manual no test runs. One more needs a better
// reason than that it is hard.
const excused = 2

func TestWhatIsNotRunSaysWhy(t *testing.T) {
	var found []string
	for _, file := range manual(t) {
		for _, f := range fences(contents(t, file)) {
			if f.excuse != "" {
				found = append(found, file+": "+f.excuse)
			}
		}
	}
	if len(found) != excused {
		t.Errorf("%d blocks are not run, %d are known:\n%s", len(found), excused, strings.Join(found, "\n"))
	}
}

func TestAFenceKnowsWhyItIsNotRun(t *testing.T) {
	all := fences("```sh\na\n```\n\n" + notRun + "it is long.*\n\n```\nb\n```\n")
	if len(all) != 2 || all[0].excuse != "it is long." || all[1].excuse != "" || all[1].text != "b\n" || all[1].line != 8 {
		t.Errorf("%+v", all)
	}
}

func TestEveryCommandThatTheManualNamesExists(t *testing.T) {
	for _, file := range append(manual(t), filepath.Join("..", "..", "CONTRIBUTING.md")) {
		for line := range strings.Lines(contents(t, file)) {
			spans := strings.Split(line, "`")
			for i := 1; i+1 < len(spans); i += 2 { // what stands between two marks
				if !strings.HasPrefix(spans[i], "learnloop ") || strings.Contains(spans[i], "…") {
					continue
				}
				if err := named(spans[i]); err != nil {
					t.Errorf("%s: %s: %v", file, spans[i], err)
				}
			}
		}
	}
}

// named reports what of a command that prose names does not exist: "a|b" names two.
// Arguments may be missing.
func named(span string) error {
	words := commandsOf(strings.ReplaceAll(span, "|", "\x00"))[0]
	for i, word := range words {
		if names := strings.Split(word, "\x00"); len(names) > 1 {
			for _, name := range names {
				if err := exists(append(append(words[1:i:i], name), words[i+1:]...)); err != nil {
					return err
				}
			}
			return nil
		}
	}
	return exists(words[1:])
}

func exists(words []string) error {
	c, rest, err := tree().Find(words)
	if err != nil {
		return err
	}
	if slices.Contains(rest, "--help") {
		return nil
	}
	if err := c.ParseFlags(rest); err != nil {
		return err
	}
	if args := c.Flags().Args(); c.HasSubCommands() && len(args) > 0 {
		return c.ValidateArgs(args)
	}
	return nil
}
