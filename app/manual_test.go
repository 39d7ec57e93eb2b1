package app_test

import (
	"cmp"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go/micro"
)

var update = flag.Bool("update", false, "write the reference of operations anew")

// openAPI is as much of the document as the reference tells.
type openAPI struct {
	Paths      map[string]map[string]*openOperation `json:"paths"`
	Components struct {
		Schemas map[string]*openSchema `json:"schemas"`
	} `json:"components"`
}

type openOperation struct {
	ID          string   `json:"operationId"` //nolint:tagliatelle // OpenAPI writes it so
	Summary     string   `json:"summary"`
	Description string   `json:"description"`
	Tags        []string `json:"tags"`
	Parameters  []struct {
		Name        string      `json:"name"`
		In          string      `json:"in"`
		Description string      `json:"description"`
		Required    bool        `json:"required"`
		Schema      *openSchema `json:"schema"`
	} `json:"parameters"`
	Body struct {
		Content map[string]struct {
			Schema *openSchema `json:"schema"`
		} `json:"content"`
	} `json:"requestBody"` //nolint:tagliatelle // OpenAPI writes it so
	Security []map[string][]string `json:"security"`

	method, path string
}

type openSchema struct {
	Ref         string                 `json:"$ref"`
	Type        any                    `json:"type"`
	Description string                 `json:"description"`
	Enum        []any                  `json:"enum"`
	Items       *openSchema            `json:"items"`
	Properties  map[string]*openSchema `json:"properties"`
	Required    []string               `json:"required"`
}

func TestTheReferenceOfOperationsSaysWhatALoopServes(t *testing.T) {
	l, _ := start(t, t.TempDir())
	doc, subjects := l.described(t)
	var b strings.Builder
	b.WriteString("# Operations\n\n<!-- made of what a loop serves: go test ./app -run Reference -update -->\n\n" +
		"Each operation answers over HTTP and, with the same arguments in one JSON object, over NATS under its subject. " +
		"This page is made of the OpenAPI document that a running loop serves at `/openapi.json`; that has the answers too. " +
		"**Bold** arguments are required. *Admin* operations need the admin token over HTTP, and a credential over NATS.\n")
	tag := ""
	for _, o := range doc.all() {
		if o.Tags[0] != tag {
			tag = o.Tags[0]
			fmt.Fprintf(&b, "\n## %s%s\n", strings.ToUpper(tag[:1]), tag[1:])
		}
		doc.chapter(&b, o, subjects[o.ID])
		if subjects[o.ID] == "" {
			t.Errorf("%s does not answer over NATS", o.ID)
		}
	}
	file := filepath.Join("..", "docs", "reference", "operations.md")
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil || string(got) != b.String() {
		t.Errorf("%s is not what a loop serves (%v); make it again with -update", file, err)
	}
}

// described asks a loop what it serves: over HTTP, and under which subjects over NATS.
func (l *living) described(t *testing.T) (doc openAPI, subjects map[string]string) {
	t.Helper()
	answer, err := http.Get(l.Addresses().HTTP + "/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	err = json.UnmarshalRead(answer.Body, &doc)
	_ = answer.Body.Close()
	if err != nil {
		t.Fatal(err)
	}
	m, err := l.nc.Request("$SRV.INFO.learnloop", nil, patience)
	if err != nil {
		t.Fatal(err)
	}
	var info micro.Info
	decode(t, m.Data, &info)
	subjects = map[string]string{}
	for _, e := range info.Endpoints {
		subjects[strings.ReplaceAll(strings.TrimPrefix(e.Subject, "learn.svc."), ".", "-")] = e.Subject
	}
	return doc, subjects
}

// all are the operations by what they are about.
func (d openAPI) all() (list []*openOperation) {
	for path, methods := range d.Paths {
		for method, o := range methods {
			o.method, o.path = strings.ToUpper(method), path
			list = append(list, o)
		}
	}
	slices.SortFunc(list, func(a, b *openOperation) int {
		return cmp.Or(cmp.Compare(a.Tags[0], b.Tags[0]), cmp.Compare(a.path, b.path), cmp.Compare(a.method, b.method))
	})
	return list
}

func (d openAPI) chapter(b *strings.Builder, o *openOperation, subject string) {
	fmt.Fprintf(b, "\n### %s\n\n`%s %s` · `%s`", o.Summary, o.method, o.path, subject)
	if len(o.Security) > 0 {
		b.WriteString(" · *admin*")
	}
	b.WriteString("\n")
	if o.Description != "" {
		fmt.Fprintf(b, "\n%s\n", o.Description)
	}
	var rows strings.Builder
	for _, p := range o.Parameters {
		d.row(&rows, argument{p.Name, p.In, p.Description, p.Required, p.Schema})
	}
	if body, ok := o.Body.Content["application/json"]; ok {
		s := d.resolved(body.Schema)
		for _, name := range sorted(s.Properties) {
			d.row(&rows, argument{name: name, in: "body", required: slices.Contains(s.Required, name), schema: s.Properties[name]})
		}
	}
	if rows.Len() > 0 {
		b.WriteString("\n| argument | in | type | |\n|---|---|---|---|\n" + rows.String())
	}
}

func sorted(m map[string]*openSchema) (names []string) {
	for name := range m {
		if name != "$schema" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// argument is a row of the reference.
type argument struct {
	name, in, about string
	required        bool
	schema          *openSchema
}

func (d openAPI) row(b *strings.Builder, a argument) {
	shown := "`" + a.name + "`"
	if a.required {
		shown = "**" + shown + "**"
	}
	about := strings.NewReplacer("|", `\|`, "<", `\<`).Replace(cmp.Or(a.about, a.schema.Description, d.resolved(a.schema).Description))
	fmt.Fprintf(b, "| %s | %s | %s | %s |\n", shown, a.in, d.kind(a.schema), about)
}

// kind is a type in a few words.
func (d openAPI) kind(s *openSchema) string {
	s = d.resolved(s)
	if len(s.Enum) > 0 {
		var values []string
		for _, v := range s.Enum {
			values = append(values, fmt.Sprintf("`%v`", v))
		}
		return strings.Join(values, ", ")
	}
	var types []string
	switch v := s.Type.(type) {
	case string:
		types = []string{v}
	case []any:
		for _, one := range v {
			if one != "null" {
				types = append(types, fmt.Sprint(one))
			}
		}
	}
	text := cmp.Or(strings.Join(types, ", "), "any")
	if s.Items != nil && text == "array" {
		return "array of " + d.kind(s.Items)
	}
	return text
}

func (d openAPI) resolved(s *openSchema) *openSchema {
	if there := d.Components.Schemas[strings.TrimPrefix(s.Ref, "#/components/schemas/")]; there != nil {
		return there
	}
	return s
}
