package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

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

func TestATranscriptIsPlayed(t *testing.T) {
	play(t, filepath.Join("testdata", "transcript.md"))
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
