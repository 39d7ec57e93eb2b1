package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

var update = flag.Bool("update", false, "write the reference of commands anew")

// tree is every command as it is without a loop and an environment.
func tree() *cobra.Command {
	sh := shell{}
	root := sh.root()
	root.InitDefaultCompletionCmd()
	root.InitDefaultHelpCmd()
	return root
}

func TestTheReferenceOfCommandsSaysWhatTheHelpSays(t *testing.T) {
	root := tree()
	var b strings.Builder
	b.WriteString("# Commands\n\n<!-- made of the help: go test ./cmd/learnloop -run Reference -update -->\n\n" +
		root.Long + "\n\nThis page is made of what `learnloop help COMMAND` says. Exit codes: 0 done, 1 failed, 2 used wrongly. " +
		"An error stands on the standard error, with a hint of what to do next.\n\n## Flags of every command\n\n")
	b.WriteString("```text\n" + unindented(root.PersistentFlags().FlagUsages()) + "```\n")
	for _, c := range below(root) {
		if c.Hidden || strings.HasPrefix(c.CommandPath(), "learnloop completion ") {
			continue
		}
		chapter(&b, c)
	}
	file := filepath.Join("..", "..", "docs", "reference", "cli.md")
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil || string(got) != b.String() {
		t.Errorf("%s is not what the help says (%v); make it again with -update", file, err)
	}
}

// chapter writes what the help says of one command.
func chapter(b *strings.Builder, c *cobra.Command) {
	fmt.Fprintf(b, "\n## %s\n\n%s.\n", c.CommandPath(), c.Short)
	if c.HasSubCommands() {
		return
	}
	fmt.Fprintf(b, "\n`%s`\n", c.UseLine())
	if c.Long != "" {
		fmt.Fprintf(b, "\n```text\n%s\n```\n", c.Long)
	}
	if c.Example != "" {
		fmt.Fprintf(b, "\n```text examples\n%s\n```\n", unindented(c.Example))
	}
	if flags := c.LocalNonPersistentFlags(); flags.HasAvailableFlags() {
		b.WriteString("\n```text\n" + unindented(flags.FlagUsages()) + "```\n")
	}
}

func unindented(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimPrefix(line, "  ")
	}
	return strings.Join(lines, "\n")
}

func TestEveryExampleOfTheHelpIsTaken(t *testing.T) {
	n := 0
	for _, c := range below(tree()) {
		for _, line := range commandLines(unindented(c.Example)) {
			n++
			if err := taken(line); err != nil {
				t.Errorf("%s: %s: %v", c.CommandPath(), line, err)
			}
		}
	}
	if n < 50 {
		t.Errorf("only %d examples", n)
	}
}

// commandLines are the lines of a text, those that go on below as one.
func commandLines(text string) (all []string) {
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "\\\n", " "), "\n") {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			all = append(all, line)
		}
	}
	return all
}

// taken reports why our commands of a line would be refused before they do anything.
func taken(line string) error {
	for _, words := range commandsOf(line) {
		if words[0] != "learnloop" {
			continue
		}
		c, rest, err := tree().Find(words[1:])
		if err != nil {
			return err
		}
		if err := c.ParseFlags(rest); err != nil {
			return err
		}
		if args := c.Flags().Args(); !c.HasSubCommands() || len(args) > 0 {
			if err := c.ValidateArgs(args); err != nil {
				return err
			}
		}
	}
	return nil
}

// commandsOf splits a line as a shell does, as far as the manual needs it: quotes,
// comments, pipes, and where output goes.
func commandsOf(line string) (commands [][]string) {
	var words []string
	word, quote, begun := "", rune(0), false
	end := func() {
		if begun {
			words = append(words, word)
		}
		word, begun = "", false
	}
	cut := func() {
		if end(); len(words) > 0 {
			commands = append(commands, words)
		}
		words = nil
	}
	for _, c := range line {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word += string(c)
		case c == '\'' || c == '"':
			quote, begun = c, true
		case c == '#' && !begun:
			cut()
			return commands
		case strings.ContainsRune("|;&<>", c):
			cut()
		case c == ' ':
			end()
		default:
			word, begun = word+string(c), true
		}
	}
	cut()
	return commands
}
