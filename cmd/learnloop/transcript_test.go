package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// step is one command of a transcript and what it prints.
type step struct {
	line    int
	command string
	want    string
}

// transcript reads the steps out of the blocks that are fenced as "console":
// a line after "$ " is a command, the lines below are what it prints. "..."
// stands for anything within a line, and alone on a line for any lines.
func transcript(text string) (steps []step) {
	inside := false
	for i, line := range strings.Split(text, "\n") {
		command, isCommand := strings.CutPrefix(line, "$ ")
		switch {
		case strings.HasPrefix(line, "```"):
			inside = line == "```console"
		case !inside:
		case isCommand:
			steps = append(steps, step{line: i + 1, command: command})
		case len(steps) > 0:
			steps[len(steps)-1].want += line + "\n"
		}
	}
	return steps
}

// matches reports where output differs from what was wanted.
func matches(want, got string) error {
	trimmed := func(text string) string {
		lines := strings.Split(strings.TrimSpace(text), "\n")
		for i, line := range lines {
			lines[i] = strings.TrimRight(line, " \r")
		}
		return strings.Join(lines, "\n")
	}
	pattern := "\n" + regexp.QuoteMeta(trimmed(want)) + "\n"
	pattern = strings.ReplaceAll(pattern, `\.\.\.`, `[^\n]*`)
	pattern = strings.ReplaceAll(pattern, "\n[^\\n]*\n", "\n(?:[^\\n]*\n)*?")
	if regexp.MustCompile(`^` + pattern + `$`).MatchString("\n" + trimmed(got) + "\n") {
		return nil
	}
	return fmt.Errorf("printed:\n%s\nwant:\n%s", got, want)
}

func TestReadmeShowsWhatTheCommandsPrint(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	play(t, transcript(string(text)))
}

func TestATranscriptIsPlayed(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "transcript.md"))
	if err != nil {
		t.Fatal(err)
	}
	play(t, transcript(string(text)))
}

func TestATranscriptThatIsWrongIsFound(t *testing.T) {
	for want, got := range map[string]string{
		"a\nb":      "a\nc",
		"a":         "a\nb",
		"a...c":     "abd",
		"a\n...\nd": "a\nb\nc",
		"":          "a",
	} {
		if matches(want, got) == nil {
			t.Errorf("%q passes for %q", got, want)
		}
	}
	for want, got := range map[string]string{
		"a\n...\nd":  "a\nb\nc\nd",
		"a\n...":     "a\nb\nc",
		"...\nc":     "a\nb\nc",
		"x ... z.":   "x y z.",
		"a\n\n...\n": "a\n\nb",
	} {
		if err := matches(want, got); err != nil {
			t.Error(err)
		}
	}
}

// play runs the steps one after another, in a folder and with ports of their own.
func play(t *testing.T, steps []step) {
	t.Helper()
	if len(steps) == 0 {
		t.Fatal("there is no fenced console block with a command")
	}
	s := stage{t: t, dir: t.TempDir()}
	s.env = append(os.Environ(), loopEnv(s.dir)...)
	if err := os.WriteFile(filepath.Join(s.dir, "sample.jsonl"), sample, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, step := range steps {
		step.command = strings.ReplaceAll(step.command, "go run ./cmd/learnloop", "learnloop")
		if command, ok := strings.CutSuffix(step.command, "&"); ok {
			s.background(command)
			continue
		}
		s.play(step)
	}
}

// stage is where a transcript is played.
type stage struct {
	t   *testing.T
	dir string
	env []string
}

func (s *stage) command(line string) *exec.Cmd {
	c := exec.Command("sh", "-c", line) // a server has to outlive the test until its cleanup
	c.Dir, c.Env = s.dir, s.env
	return c
}

func (s *stage) play(step step) {
	s.t.Helper()
	out, err := s.command(step.command).CombinedOutput()
	if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited {
		s.t.Fatalf("line %d: %s: %v", step.line, step.command, err)
	}
	if err := matches(step.want, string(out)); err != nil {
		s.t.Errorf("line %d: $ %s\n%v", step.line, step.command, err)
	}
}

// background starts a server, and returns when it answers.
func (s *stage) background(command string) {
	s.t.Helper()
	c := s.command("exec " + command)
	var said bytes.Buffer
	c.Stdout, c.Stderr = &said, &said
	if err := c.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() {
		_ = c.Process.Signal(syscall.SIGTERM)
		if err := c.Wait(); err != nil {
			s.t.Errorf("%s: %v\n%s", command, err, &said)
		}
	})
	at, err := awaitReady(filepath.Join(s.dir, "ready.json"))
	if err != nil {
		s.t.Fatalf("%s: %v\n%s", command, err, &said)
	}
	s.env = append(s.env, "LEARNLOOP_SERVER="+at.NATS)
}
