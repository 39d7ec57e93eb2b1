package events

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"learnloop.dev/schemas"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// node is the part of a JSON Schema that the payload types must agree with.
type node struct {
	Type       any              `json:"type"`
	Format     string           `json:"format"`
	Enum       []any            `json:"enum"`
	Items      *node            `json:"items"`
	Properties map[string]*node `json:"properties"`
	Required   []string         `json:"required"`
	Closed     any              `json:"additionalProperties"` //nolint:tagliatelle // JSON Schema's own name
	Examples   []jsontext.Value `json:"examples"`
}

func (n *node) types() []string {
	switch t := n.Type.(type) {
	case string:
		return []string{t}
	case []any:
		var list []string
		for _, s := range t {
			list = append(list, s.(string))
		}
		return list
	}
	return nil
}

func schemaOf(tb testing.TB, k Kind) *node {
	tb.Helper()
	data, ok := schemas.Kind(string(k))
	if !ok {
		tb.Fatalf("%s has no schema", k)
	}
	n := new(node)
	if err := json.Unmarshal(data, n); err != nil {
		tb.Fatalf("schema of %s: %v", k, err)
	}
	return n
}

func payloadType(s Spec) reflect.Type { return reflect.TypeOf(s.NewPayload()).Elem() }

// field is one JSON field of a payload type.
type field struct {
	name     string
	optional bool
	privacy  string
	typ      reflect.Type
}

// fieldsOf lists the JSON fields of a struct, those of embedded structs too,
// without what only the product may set.
func fieldsOf(t reflect.Type) []field {
	var list []field
	for f := range t.Fields() {
		tag, named := f.Tag.Lookup("json")
		if f.Anonymous && !named {
			list = append(list, fieldsOf(f.Type)...)
			continue
		}
		name, opts, _ := strings.Cut(tag, ",")
		if name != "derived" && f.Type != reflect.TypeFor[*ExchangeFeatures]() {
			list = append(list, field{name, strings.Contains(opts, "omitzero"), f.Tag.Get("privacy"), f.Type})
		}
	}
	return list
}

func TestEveryKindHasASchemaAndEverySchemaAKind(t *testing.T) {
	var kinds []string
	for s := range All() {
		kinds = append(kinds, string(s.Name())+".v1.json")
	}
	files, err := schemas.FS.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		if f.Name() != "asyncapi.json" {
			names = append(names, f.Name())
		}
	}
	if diff := cmp.Diff(kinds, names); diff != "" {
		t.Errorf("kinds and schema files differ (-kinds +files):\n%s", diff)
	}
}

func TestPayloadTypesAndSchemasNameTheSameFields(t *testing.T) {
	for s := range All() {
		t.Run(string(s.Name()), func(t *testing.T) { agree(t, "", payloadType(s), schemaOf(t, s.Name())) })
	}
}

// agree compares one struct with the object its schema describes.
func agree(t *testing.T, path string, typ reflect.Type, n *node) {
	t.Helper()
	fields := fieldsOf(typ)
	var names, required []string
	for _, f := range fields {
		names = append(names, f.name)
		if !f.optional {
			required = append(required, f.name)
		}
	}
	if diff := cmp.Diff(slices.Sorted(slices.Values(names)), slices.Sorted(maps.Keys(n.Properties))); diff != "" {
		t.Errorf("%s: fields (-Go +schema):\n%s", path, diff)
		return
	}
	if diff := cmp.Diff(slices.Sorted(slices.Values(required)), slices.Sorted(slices.Values(n.Required))); diff != "" {
		t.Errorf("%s: required (-Go +schema):\n%s", path, diff)
	}
	if n.Closed != false {
		t.Errorf("%s: unknown fields are let in", path)
	}
	for _, f := range fields {
		agreeField(t, path+"/"+f.name, f, n.Properties[f.name])
	}
}

// agreeField compares one field with its schema.
func agreeField(t *testing.T, path string, f field, n *node) {
	t.Helper()
	want, open := jsonTypes(f.typ)
	got := slices.DeleteFunc(n.types(), func(s string) bool { return s == "null" })
	if open {
		return
	}
	if !slices.Equal(slices.Sorted(slices.Values(got)), want) {
		t.Errorf("%s: Go reads %v, the schema %v", path, want, got)
	}
	nullable := slices.Contains(n.types(), "null")
	if nullable != (f.optional || f.name == "success") {
		t.Errorf("%s: optional %v, null %v", path, f.optional, nullable)
	}
	if (f.typ == reflect.TypeFor[time.Time]()) != (n.Format == "date-time") {
		t.Errorf("%s: format %q", path, n.Format)
	}
	switch elem := deref(f.typ); {
	case elem.Kind() == reflect.Slice && elem.Elem().Kind() == reflect.Struct:
		agree(t, path+"/0", elem.Elem(), n.Items)
	case elem.Kind() == reflect.Struct && elem != reflect.TypeFor[time.Time]():
		agree(t, path, elem, n)
	}
}

func deref(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

// jsonTypes says which JSON types a Go type reads; open when any, or those that
// the schema likes.
func jsonTypes(t reflect.Type) (list []string, open bool) {
	switch t = deref(t); {
	case t == reflect.TypeFor[jsontext.Value]():
		return nil, true
	case t == reflect.TypeFor[ID]():
		return []string{"integer", "string"}, false
	case t == reflect.TypeFor[Tags]():
		return []string{"array", "string"}, false
	case t == reflect.TypeFor[time.Time](), t.Kind() == reflect.String:
		return []string{"string"}, false
	case t.Kind() == reflect.Slice:
		return []string{"array"}, false
	case t.Kind() == reflect.Struct:
		return []string{"object"}, false
	case t.Kind() == reflect.Bool:
		return []string{"boolean"}, false
	case t.Kind() == reflect.Int64:
		return []string{"integer"}, false
	}
	return []string{"number"}, false
}

func TestClosedVocabulariesAreTheSameInGoAndInTheSchemas(t *testing.T) {
	constants := constantsByType(t)
	seen := map[string]bool{}
	for s := range All() {
		eachEnum("", payloadType(s), schemaOf(t, s.Name()), func(path string, typ reflect.Type, n *node) {
			var want []string
			for _, v := range n.Enum {
				if v != nil {
					want = append(want, v.(string))
				}
			}
			seen[typ.Name()] = true
			if diff := cmp.Diff(constants[typ.Name()], want); diff != "" {
				t.Errorf("%s%s (-Go +schema):\n%s", s.Name(), path, diff)
			}
		})
	}
	if len(seen) < 15 {
		t.Errorf("only %d closed vocabularies compared", len(seen))
	}
}

// eachEnum calls visit with every field tagged as a closed vocabulary.
func eachEnum(path string, typ reflect.Type, n *node, visit func(string, reflect.Type, *node)) {
	for _, f := range fieldsOf(typ) {
		p := n.Properties[f.name]
		if f.privacy == "enum" {
			visit(path+"/"+f.name, f.typ, p)
		}
		elem := deref(f.typ)
		switch {
		case elem == reflect.TypeFor[time.Time]():
		case elem.Kind() == reflect.Struct:
			eachEnum(path+"/"+f.name, elem, p, visit)
		case elem.Kind() == reflect.Slice && elem.Elem().Kind() == reflect.Struct:
			eachEnum(path+"/"+f.name, elem.Elem(), p.Items, visit)
		}
	}
}

// constantsByType reads the typed string constants of this package, in order.
func constantsByType(t *testing.T) map[string][]string {
	t.Helper()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]string{}
	for _, name := range names {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || spec.Type == nil || len(spec.Values) != 1 {
				return true
			}
			typ, isName := spec.Type.(*ast.Ident)
			lit, isText := spec.Values[0].(*ast.BasicLit)
			if isName && isText && lit.Kind == token.STRING {
				if text, err := strconv.Unquote(lit.Value); err == nil {
					found[typ.Name] = append(found[typ.Name], text)
				}
			}
			return true
		})
	}
	return found
}

func TestEveryStringOfAPayloadSaysHowItIsProtected(t *testing.T) {
	known := []string{"text", "id", "person", "session", "unit", "enum", "plain", "open", "blind", "figures"}
	var check func(path string, typ reflect.Type)
	check = func(path string, typ reflect.Type) {
		for f := range typ.Fields() {
			tag, elem := f.Tag.Get("privacy"), deref(f.Type)
			for elem.Kind() == reflect.Slice && elem.Elem().Kind() != reflect.Uint8 {
				elem = deref(elem.Elem())
			}
			text := elem.Kind() == reflect.String || elem.Kind() == reflect.Slice || elem.Kind() == reflect.Interface
			switch {
			case elem.Kind() == reflect.Map:
				t.Errorf("%s.%s: a map has names that nothing protects", path, f.Name)
			case text && !slices.Contains(known, tag):
				t.Errorf("%s.%s: privacy tag %q", path, f.Name, tag)
			case !text && tag != "":
				t.Errorf("%s.%s: a privacy tag on what holds no text", path, f.Name)
			case elem.Kind() == reflect.Struct && elem != reflect.TypeFor[time.Time]():
				check(path+"."+f.Name, elem)
			}
		}
	}
	for s := range All() {
		check(string(s.Name()), payloadType(s))
	}
}
