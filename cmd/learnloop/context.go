package main

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"learnloop.dev/api"
	"learnloop.dev/app"
	"learnloop.dev/events"
	"learnloop.dev/kv"
	"learnloop.dev/learn/learnings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"
)

func (sh *shell) contextCommand() *cobra.Command {
	get := &cobra.Command{
		Use: "get KEY", Short: "Show what generators are told about one key",
		Example: "  learnloop context get rule.passive-voice\n  learnloop context get rule.revive/unused-parameter --json\n" +
			"  learnloop context get summary",
		Args: exactly("KEY"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return sh.call(cmd.Context(), "contexts.get", map[string]string{"key": args[0]}, sh.showContext)
		},
	}
	list := &cobra.Command{
		Use: "list [PREFIX]", Short: "List what is known",
		Example: "  learnloop context list\n  learnloop context list rule.",
		Args:    atMostOne(),
		RunE: func(cmd *cobra.Command, args []string) error {
			return sh.listContexts(cmd.Context(), prefixOf(args))
		},
	}
	watch := &cobra.Command{
		Use: "watch [PREFIX]", Short: "Show contexts as they change, until interrupted",
		Example: "  learnloop context watch rule.passive-voice\n  learnloop context watch --json | jq .prompt",
		Args:    atMostOne(),
		RunE: func(cmd *cobra.Command, args []string) error {
			return sh.watchContexts(cmd.Context(), prefixOf(args))
		},
	}
	return group("context", "Show the contexts that generators read", get, list, watch)
}

// prefixOf is the beginning of keys as the bucket writes them: people type raw ids.
func prefixOf(args []string) string {
	if len(args) == 0 {
		return ""
	}
	kind, id, dotted := strings.Cut(args[0], ".")
	if !dotted || id == "" {
		return args[0]
	}
	return kind + "." + events.Token(id)
}

// showContext prints a context's prompt, and on what it rests.
func (sh *shell) showContext(v jsontext.Value) error {
	return reading(func(c outlineOf) error {
		if c.Kind == learnings.KindLearning {
			return reading(sh.showLearning)(v)
		}
		sh.sayf("%s  %s", sh.mark(bold, c.name()), c.summary())
		if c.Prompt == "" {
			sh.sayf("\nNothing to tell a generator yet.")
			return nil
		}
		sh.sayf("\n%s", c.Prompt)
		return nil
	})(v)
}

// outlineOf is what a person wants to see of a context of any kind; the kinds
// name their counts differently.
type outlineOf struct {
	Kind   string `json:"kind"`
	ID     string `json:"id"`
	Prompt string `json:"prompt"`

	SampleCount           int64    `json:"sample_count"`
	FeedbackCount         int64    `json:"feedback_count"`
	TotalFeedback         int64    `json:"total_feedback"`
	AcceptanceRate        *float64 `json:"acceptance_rate"`
	OverallAcceptanceRate *float64 `json:"overall_acceptance_rate"`
}

func (c outlineOf) name() string {
	if c.ID == "" {
		return c.Kind
	}
	return c.Kind + "." + c.ID
}

func (c outlineOf) samples() int { return int(cmp.Or(c.SampleCount, c.FeedbackCount, c.TotalFeedback)) }

func (c outlineOf) summary() string {
	rate := cmp.Or(c.AcceptanceRate, c.OverallAcceptanceRate)
	if rate == nil {
		return fmt.Sprintf("%d samples", c.samples())
	}
	return fmt.Sprintf("%d samples, %s kept", c.samples(), percent(rate))
}

// listContexts prints all pages, or one JSON object for all of them.
func (sh *shell) listContexts(ctx context.Context, prefix string) error {
	l, err := sh.connect()
	if err != nil {
		return err
	}
	defer l.close()
	all := api.ContextList{Contexts: []api.ListedContext{}}
	for cursor := ""; ; cursor = all.Next {
		var page api.ContextList
		if err := l.client.Call(ctx, "contexts.list", api.ListArgs{Prefix: prefix, Limit: pageSize, Cursor: cursor}, &page); err != nil {
			return err
		}
		all.Contexts = append(all.Contexts, page.Contexts...)
		if all.Next = page.Next; page.Next == "" {
			break
		}
	}
	if sh.json {
		return sh.answerWith(all)
	}
	if len(all.Contexts) == 0 {
		sh.sayf("There are none.")
		return nil
	}
	rows := [][]string{{"CONTEXT", "REVISION", "CHANGED"}}
	for _, c := range all.Contexts {
		rows = append(rows, []string{outlineOf{Kind: c.Kind, ID: c.ID}.name(), strconv.FormatUint(c.Revision, 10), when(c.Changed)})
	}
	return sh.table(rows)
}

const pageSize = 1000

// watchContexts prints every change until somebody interrupts.
func (sh *shell) watchContexts(ctx context.Context, prefix string) error {
	ctx, l, end, err := sh.reach(ctx)
	if err != nil {
		return err
	}
	defer end()
	reader, err := l.watch(ctx)
	if err != nil {
		return app.WithHint(err, "is the server one of ours? learnloop status tells")
	}
	defer reader.Close()
	for change := range reader.Changes(ctx, prefix) {
		if err := sh.sayChange(change); err != nil {
			return err
		}
	}
	return nil
}

func (sh *shell) sayChange(c kv.Context) error {
	switch {
	case sh.json && c.Gone():
		return sh.answerWith(map[string]any{"key": c.Key, "gone": true})
	case sh.json:
		return sh.answer(jsontext.Value(c.Value).Clone())
	case c.Gone():
		sh.sayf("%s  gone\n", sh.mark(bold, c.Key))
		return nil
	}
	sh.sayf("%s", sh.mark(faint, when(c.Changed)))
	err := sh.showContext(c.Value)
	sh.sayf("")
	return err
}
