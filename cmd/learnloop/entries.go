package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"learnloop.dev/api"
	"learnloop.dev/learn/learnings"

	"github.com/go-json-experiment/json"
	"github.com/spf13/cobra"
)

func (sh *shell) createLearningCommand() *cobra.Command {
	var e api.Entry
	var file string
	var tags []string
	var confidence float64
	c := &cobra.Command{
		Use: "create", Short: "Write a learning down",
		Example: "  learnloop learnings create --title 'Webhook tests need a signed body' --context 'Testing webhooks' \\\n" +
			"    --observation 'Unsigned calls are dropped' --implication 'A silent test proves nothing' \\\n" +
			"    --action 'Sign the body in the helper' --tag webhooks\n  learnloop learnings create --file learning.json",
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			e.Tags = tags
			if cmd.Flags().Changed("confidence") {
				e.Confidence = &confidence
			}
			if file != "" {
				rest, err := sh.readEntry(file)
				if err != nil {
					return err
				}
				complete(&e, rest)
			}
			if lacking := lacks(&e); len(lacking) > 0 {
				return misused(cmd, fmt.Errorf("missing %s", strings.Join(lacking, ", ")))
			}
			return sh.call(cmd.Context(), "learnings.create", e, reading(sh.showLearning))
		},
	}
	f := c.Flags()
	f.StringVar(&file, "file", "", "read what other flags do not say from this JSON `file`, - for the standard input")
	f.StringVar(&e.ID, "id", "", "its `id`; one is given when there is none")
	f.StringVar(&e.Title, "title", "", "a `text` that somebody with this problem would search for, at most 100 characters")
	f.StringVar(&e.Context, "context", "", "a `text`: what was being worked on")
	f.StringVar(&e.Observation, "observation", "", "a `text`: what was noticed")
	f.StringVar(&e.Implication, "implication", "", "a `text`: how it should change future work")
	f.StringVar(&e.Action, "action", "", "a `text`: the concrete thing to do")
	f.StringArrayVar(&tags, "tag", nil, "a `label` to find it by; may be repeated")
	f.StringVar(&e.Domain, "domain", "", "the `field` it belongs to")
	f.StringVar(&e.PatternType, "type", "", "the `kind` of help that it is: solution, gotcha, best-practice or constraint")
	f.StringVar(&e.SourceTaskID, "task", "", "the task `id` it was learned in")
	f.StringVar(&e.SourceOutcomeID, "outcome", "", "the outcome `id` it was learned in")
	f.Float64Var(&confidence, "confidence", 0, "a `share`: how far it is trusted at first, 0 to 1; 0.5 when not given")
	return c
}

// lacks names the flags without which nothing is learned.
func lacks(e *api.Entry) (flags []string) {
	for _, need := range [][2]string{
		{"--title", e.Title},
		{"--context", e.Context},
		{"--observation", e.Observation},
		{"--implication", e.Implication},
		{"--action", e.Action},
	} {
		if need[1] == "" {
			flags = append(flags, need[0])
		}
	}
	return flags
}

// complete adds to what flags said of a learning what its file says.
func complete(e *api.Entry, file api.Entry) {
	said, rest := texts(e), texts(&file)
	for i, text := range said {
		*text = cmp.Or(*text, *rest[i])
	}
	if e.Tags == nil {
		e.Tags = file.Tags
	}
	e.Confidence = cmp.Or(e.Confidence, file.Confidence)
}

// texts are the members of a learning that are one text.
func texts(e *api.Entry) []*string {
	return []*string{
		&e.ID, &e.Title, &e.Context, &e.Observation, &e.Implication, &e.Action, &e.Domain, &e.PatternType,
		&e.SourceOutcomeID, &e.SourceTaskID, &e.UserID,
	}
}

// readEntry reads a learning from a file.
func (sh *shell) readEntry(file string) (e api.Entry, err error) {
	var data []byte
	if file == "-" {
		data, err = io.ReadAll(sh.in)
	} else {
		data, err = os.ReadFile(file)
	}
	if err != nil {
		return e, fmt.Errorf("read learning: %w", err)
	}
	if json.Unmarshal(data, &e, json.RejectUnknownMembers(true)) != nil {
		return e, fmt.Errorf("read learning from %s: not the JSON of one", file)
	}
	return e, nil
}

func (sh *shell) editLearningCommand() *cobra.Command {
	var tags []string
	var noTags bool
	var confidence float64
	texts := map[string]*string{}
	c := &cobra.Command{
		Use: "edit ID", Short: "Change a learning; what is not named stays",
		Example: "  learnloop learnings edit learn_7f31a2c4d5e6 --action 'Sign it' --reason clearer\n" +
			"  learnloop learnings edit learn_7f31a2c4d5e6 --status active",
		Args: exactly("ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			edit := map[string]any{"id": args[0]}
			for name, value := range texts {
				if cmd.Flags().Changed(name) {
					edit[memberOf(name)] = *value
				}
			}
			switch {
			case noTags && len(tags) > 0:
				return misused(cmd, errors.New("--tag and --no-tags exclude each other"))
			case noTags:
				edit["tags"] = []string{}
			case len(tags) > 0:
				edit["tags"] = tags
			}
			if cmd.Flags().Changed("confidence") {
				edit["confidence"] = confidence
			}
			return sh.call(cmd.Context(), "learnings.revise", edit, reading(sh.showLearning))
		},
	}
	f := c.Flags()
	for _, flag := range [][2]string{
		{"title", "its new title, a `text`"},
		{"context", "a `text`: what was being worked on"},
		{"observation", "a `text`: what was noticed"},
		{"implication", "a `text`: how it should change future work"},
		{"action", "a `text`: the concrete thing to do"},
		{"domain", "the `field` it belongs to"},
		{"type", "the `kind` of help that it is: solution, gotcha, best-practice or constraint"},
		{"status", "a `status`: archived takes it out of use, active back"},
		{"reason", "a `text`: why"},
	} {
		texts[flag[0]] = f.String(flag[0], "", flag[1])
	}
	f.StringArrayVar(&tags, "tag", nil, "a `label`, in the place of all it has; may be repeated")
	f.BoolVar(&noTags, "no-tags", false, "remove its labels")
	f.Float64Var(&confidence, "confidence", 0, "a `share`: how far it is trusted from now on, 0 to 1")
	return c
}

// memberOf is how the operation calls a flag.
func memberOf(flag string) string {
	if flag == "type" {
		return "pattern_type"
	}
	return flag
}

func (sh *shell) archiveLearningCommand() *cobra.Command {
	var in api.ArchiveArgs
	c := &cobra.Command{
		Use: "archive ID", Short: "Take a learning out of use",
		Long:    "Nothing is deleted: learnloop learnings edit ID --status active takes it up again.",
		Example: "  learnloop learnings archive learn_7f31a2c4d5e6 --reason 'the API is gone'",
		Args:    exactly("ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			in.ID = args[0]
			return sh.call(cmd.Context(), "learnings.archive", in, reading(sh.showStanding))
		},
	}
	c.Flags().StringVar(&in.Reason, "reason", "", "a `text`: why")
	return c
}

func (sh *shell) reviewLearningCommand() *cobra.Command {
	var approve, reject bool
	var comment string
	c := &cobra.Command{
		Use: "review [ID]", Short: "List proposals that wait for a person's word, or give it",
		Example: "  learnloop learnings review\n  learnloop learnings review learn_a1 --approve\n" +
			"  learnloop learnings review learn_a2 --reject --comment 'too narrow'",
		Args: atMostOne(),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) == 0 && !approve && !reject:
				return sh.call(cmd.Context(), "learnings.queue", nil, reading(sh.showQueue))
			case len(args) == 0 || approve == reject:
				return misused(cmd, errors.New("want an ID and one of --approve and --reject"))
			}
			verdict := map[bool]string{true: "approved", false: "rejected"}[approve]
			in := map[string]any{"id": args[0], "verdict": verdict}
			if comment != "" {
				in["comment"] = comment
			}
			return sh.call(cmd.Context(), "learnings.review", in, reading(sh.showStanding))
		},
	}
	f := c.Flags()
	f.BoolVar(&approve, "approve", false, "it becomes a learning, or one again")
	f.BoolVar(&reject, "reject", false, "it does not, or no longer")
	f.StringVar(&comment, "comment", "", "a `text`: why")
	return c
}

func (sh *shell) showStanding(e learnings.Learning) error {
	sh.sayf("%s  %s: %s", e.ID, string(e.Status), e.Title)
	return nil
}

func (sh *shell) showQueue(q api.Queue) error {
	if q.Total == 0 {
		sh.sayf("Nothing waits for review.")
		return nil
	}
	for _, p := range q.Proposals {
		sh.sayf("%s\n%s  %s", sh.mark(bold, p.Title), p.ID, day(p.CreatedAt))
		for _, text := range []string{p.StatusReason, p.Observation, p.Action} {
			if text != "" {
				sh.sayf("  %s", text)
			}
		}
		if p.Supersedes != "" {
			sh.sayf("  in the place of %s", p.Supersedes)
		}
		sh.sayf("")
	}
	if more := q.Total - len(q.Proposals); more > 0 {
		sh.sayf("and %d more\n", more)
	}
	sh.sayf("learnloop learnings review ID --approve (or --reject)")
	return nil
}
