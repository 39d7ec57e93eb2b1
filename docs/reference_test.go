package docs_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"learnloop.dev/events"
	"learnloop.dev/schemas"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

var update = flag.Bool("update", false, "write the reference anew")

// schema is as much of a JSON Schema as the reference tells.
type schema struct {
	Title       string             `json:"title"`
	Description string             `json:"description"`
	Type        jsontext.Value     `json:"type"`
	Enum        []string           `json:"enum"`
	Properties  map[string]*schema `json:"properties"`
	Items       *schema            `json:"items"`
	Required    []string           `json:"required"`
	Defs        map[string]*schema `json:"$defs"`
	Ref         string             `json:"$ref"`
	AnyOf       []*schema          `json:"anyOf"` //nolint:tagliatelle // JSON Schema writes it so
	OneOf       []*schema          `json:"oneOf"` //nolint:tagliatelle // JSON Schema writes it so
	Const       jsontext.Value     `json:"const"`
	Minimum     *float64           `json:"minimum"`
	Maximum     *float64           `json:"maximum"`
	Examples    []jsontext.Value   `json:"examples"`
}

// sources name the documents that kinds come from.
var sources = []struct{ origin, heading string }{
	{"000", "Rule feedback"}, {"001", "Learnings"}, {"002", "Samples"},
	{"003", "Conversations and experiments"}, {"004", "Tasks"}, {"all", "Control"},
}

func TestTheReferenceOfEventsSaysWhatTheSchemasSay(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Events\n\n<!-- made of schemas/: go test ./docs -run Reference -update -->\n\n" +
		"A CloudEvent of the type `dev.learnloop.` + kind + `.v1`, published to `learn.in.` + kind or sent to `POST /v1/events`. " +
		"This page is made of the JSON Schemas, which a running loop serves at `/schemas`. **Bold** members are required; " +
		"`?` says that null may stand for what is not known. An unknown member is refused by its name.\n")
	for _, source := range sources {
		fmt.Fprintf(&b, "\n## %s\n", source.heading)
		if source.origin == "all" {
			b.WriteString("\nThese are facts of the product and its operators: they are accepted on `learn.in.control.>` alone, with a credential.\n")
		}
		for spec := range events.All() {
			if spec.Origin() == source.origin {
				kind(t, &b, spec.Name())
			}
		}
	}
	golden(t, filepath.Join("reference", "events.md"), b.String())
}

// kind writes what is to know about one kind.
func kind(t *testing.T, b *strings.Builder, k events.Kind) {
	t.Helper()
	text, _ := schemas.Kind(string(k))
	var s schema
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatalf("%s: %v", k, err)
	}
	fmt.Fprintf(b, "\n### %s\n\n%s. %s\n\n| member | type | |\n|---|---|---|\n", k, s.Title, s.Description)
	rows(b, "", &s, &s)
	if len(s.Examples) > 0 {
		example := s.Examples[0].Clone()
		if err := example.Indent(jsontext.WithIndent("  ")); err != nil {
			t.Fatalf("%s: %v", k, err)
		}
		fmt.Fprintf(b, "\n```json data of %s\n%s\n```\n", k, example)
	}
}

// rows writes a row for each member, and those within.
func rows(b *strings.Builder, prefix string, root, s *schema) {
	names := make([]string, 0, len(s.Properties))
	for name := range s.Properties {
		names = append(names, name)
	}
	slices.SortFunc(names, func(x, y string) int {
		return slices.Compare([]string{order(s, x), x}, []string{order(s, y), y})
	})
	for _, name := range names {
		p := s.Properties[name].resolved(root)
		shown := "`" + prefix + name + "`"
		if slices.Contains(s.Required, name) {
			shown = "**" + shown + "**"
		}
		fmt.Fprintf(b, "| %s | %s | %s |\n", shown, p.kind(root), strings.NewReplacer("|", `\|`, "<", `\<`).Replace(p.Description))
		switch {
		case len(p.Properties) > 0:
			rows(b, prefix+name+".", root, p)
		case p.Items != nil && len(p.Items.resolved(root).Properties) > 0:
			rows(b, prefix+name+"[].", root, p.Items.resolved(root))
		}
	}
}

// order puts what is required first.
func order(s *schema, name string) string {
	if i := slices.Index(s.Required, name); i >= 0 {
		return fmt.Sprintf("%02d", i)
	}
	return "~"
}

// resolved is what a reference within the document refers to, with its own description.
func (s *schema) resolved(root *schema) *schema {
	name, ok := strings.CutPrefix(s.Ref, "#/$defs/")
	if !ok || root.Defs[name] == nil {
		return s
	}
	there := *root.Defs[name]
	if s.Description != "" {
		there.Description = s.Description
	}
	return &there
}

// kind is the type of a member in a few words.
func (s *schema) kind(root *schema) string {
	var types []string
	if json.Unmarshal(s.Type, &types) != nil && len(s.Type) > 0 {
		types = []string{strings.Trim(string(s.Type), `"`)}
	}
	null := slices.Contains(types, "null")
	types = slices.DeleteFunc(types, func(t string) bool { return t == "null" })
	text := strings.Join(types, ", ")
	switch {
	case len(s.Enum) > 0:
		text = "`" + strings.Join(s.Enum, "`, `") + "`"
	case s.Items != nil && text == "array":
		text = "array of " + s.Items.resolved(root).kind(root)
	case text == "":
		text = "any"
	}
	if s.Minimum != nil && s.Maximum != nil && *s.Maximum < 1<<31 {
		text += fmt.Sprintf(", %v to %v", *s.Minimum, *s.Maximum)
	}
	if null {
		text += " ?"
	}
	return text
}

// golden compares a page with what it should be, or writes it.
func golden(t *testing.T, file, want string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil || string(got) != want {
		t.Errorf("%s is not what it is made of (%v); make it again with -update", file, err)
	}
}
