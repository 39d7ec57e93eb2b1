package main

import (
	"context"
	"strings"
	"time"

	"learnloop.dev/api"
	"learnloop.dev/app"
	"learnloop.dev/events"

	"github.com/spf13/cobra"
)

// suggestions are what may stand where somebody began to write a word.
type suggestions func(ctx context.Context, begun string) []string

// Whoever presses a key waits: so long, and for so many.
const (
	completionTime = 2 * time.Second
	mostSuggested  = 200
)

// completed teaches a tree of commands which values may stand where. What only a
// running loop knows is asked there; without one there are no suggestions.
func (sh *shell) completed(root *cobra.Command) *cobra.Command {
	contexts, ids, helps := sh.contextNames, sh.learningIDs, some("solution", "gotcha", "best-practice", "constraint")
	places := map[string]suggestions{
		"explain": either(contexts, ids), "context get": contexts, "context list": contexts, "context watch": contexts,
		"learnings show": ids, "learnings edit": ids, "learnings archive": ids, "learnings review": ids, "learnings lift": ids,
		"templates show": sh.templateIDs, "templates delete": sh.templateIDs, "privacy set": settingsOf("privacy."),
	}
	flags := map[string]suggestions{ // of all commands, or of the one that is named before
		"rule": sh.idsOf("rule"), "category": sh.idsOf("category"), "kind": eventKinds, "set": settingsOf(""),
		"log": some("debug", "info", "warn", "error"), "strategy": some("bm25", "semantic", "hybrid"),
		"status":            some("active", "archived", "superseded"),
		"token create role": some("capture", "read", "review", "admin"),
		"publish type":      eventKinds, "learned list type": some(patternTypes[1:]...),
		"learnings create type": helps, "learnings edit type": helps,
	}
	name := root.Name() + " "
	for _, c := range below(root) {
		path := strings.TrimPrefix(c.CommandPath(), name)
		if suggest, ok := places[path]; ok {
			c.ValidArgsFunction = completion(suggest)
		}
		for flag, suggest := range flags {
			if flag = strings.TrimPrefix(flag, path+" "); c.Flags().Lookup(flag) != nil {
				_ = c.RegisterFlagCompletionFunc(flag, completion(suggest)) // the flag is there, and nobody else's
			}
		}
	}
	return root
}

// below lists the commands of a tree.
func below(c *cobra.Command) (all []*cobra.Command) {
	for _, next := range c.Commands() {
		all = append(append(all, next), below(next)...)
	}
	return all
}

// completion is suggestions as cobra asks for them: those that begin as what was
// begun, and nothing behind a key that wants a value.
func completion(suggest suggestions) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
		ctx, cancel := context.WithTimeout(cmd.Context(), completionTime)
		defer cancel()
		var fit []string
		how := cobra.ShellCompDirectiveNoFileComp
		for _, s := range suggest(ctx, begun) {
			if !strings.HasPrefix(s, begun) || len(fit) == mostSuggested {
				continue
			}
			if fit = append(fit, s); strings.HasSuffix(s, "=") {
				how |= cobra.ShellCompDirectiveNoSpace
			}
		}
		return fit, how
	}
}

func some(values ...string) suggestions {
	return func(context.Context, string) []string { return values }
}

func either(a, b suggestions) suggestions {
	return func(ctx context.Context, begun string) []string { return append(a(ctx, begun), b(ctx, begun)...) }
}

func eventKinds(context.Context, string) (names []string) {
	for spec := range events.All() {
		names = append(names, string(spec.Name()))
	}
	return names
}

// settingsOf suggests the settings of a group without its name, and their values once
// a key stands there.
func settingsOf(group string) suggestions {
	return func(_ context.Context, begun string) (pairs []string) {
		for _, c := range app.Choices() {
			key, ours := strings.CutPrefix(c.Key, group)
			if !ours {
				continue
			}
			if !strings.HasPrefix(begun, key+"=") {
				pairs = append(pairs, key+"=")
				continue
			}
			for _, value := range c.Values {
				pairs = append(pairs, key+"="+value)
			}
		}
		return pairs
	}
}

// contextNames asks the loop for contexts, named as people type them.
func (sh *shell) contextNames(ctx context.Context, begun string) (names []string) {
	page, err := ask[api.ContextList](ctx, sh, "contexts.list", api.ListArgs{Prefix: prefixOf([]string{begun}), Limit: mostSuggested})
	if err != nil {
		return nil
	}
	for _, c := range page.Contexts {
		names = append(names, outlineOf{Kind: c.Kind, ID: c.ID}.name())
	}
	return names
}

// idsOf suggests the ids of contexts of a kind.
func (sh *shell) idsOf(kind string) suggestions {
	return func(ctx context.Context, begun string) (ids []string) {
		for _, name := range sh.contextNames(ctx, kind+"."+begun) {
			if id, ok := strings.CutPrefix(name, kind+"."); ok {
				ids = append(ids, id)
			}
		}
		return ids
	}
}

// learningIDs asks the loop for learnings, the newest.
func (sh *shell) learningIDs(ctx context.Context, _ string) (ids []string) {
	page, err := ask[api.LearningList](ctx, sh, "learnings.list", api.LearningsArgs{Limit: mostSuggested})
	if err != nil {
		return nil
	}
	for _, l := range page.Learnings {
		ids = append(ids, l.ID)
	}
	return ids
}

// templateIDs asks the loop for templates.
func (sh *shell) templateIDs(ctx context.Context, _ string) (ids []string) {
	page, err := ask[api.TemplateList](ctx, sh, "templates.list", nil)
	if err != nil {
		return nil
	}
	for _, t := range page.Templates {
		ids = append(ids, t.ID)
	}
	return ids
}

// ask calls one operation.
func ask[T any](ctx context.Context, sh *shell, operation string, in any) (out T, err error) {
	l, err := sh.connect()
	if err != nil {
		return out, err
	}
	defer l.close()
	err = l.client.Call(ctx, operation, in, &out)
	return out, err
}
