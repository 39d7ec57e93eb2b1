package schemas

import (
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

type doc = map[string]any

// all returns every kind's schema.
func all(t *testing.T) map[string]doc {
	t.Helper()
	files, err := fs.Glob(FS, "*.v1.json")
	if err != nil || len(files) < 33 {
		t.Fatalf("%d schemas, %v", len(files), err)
	}
	list := make(map[string]doc, len(files))
	for _, name := range files {
		kind := strings.TrimSuffix(name, ".v1.json")
		data, ok := Kind(kind)
		var schema doc
		if err := json.Unmarshal(data, &schema); err != nil || !ok {
			t.Fatalf("%s: %v", kind, err)
		}
		list[kind] = schema
	}
	return list
}

// properties calls visit with every property a schema describes, at any depth.
func properties(path string, node any, visit func(path string, property doc)) {
	switch node := node.(type) {
	case doc:
		for key, value := range node {
			if key == "examples" || key == "anyOf" || key == "if" || key == "then" {
				continue // no descriptions of their own
			}
			if members, ok := value.(doc); ok && key == "properties" {
				for name, property := range members {
					visit(path+"/"+name, property.(doc))
				}
			}
			properties(path+"/"+key, value, visit)
		}
	case []any:
		for _, value := range node {
			properties(path, value, visit)
		}
	}
}

func TestEverySchemaSaysWhatItIsAndShowsIt(t *testing.T) {
	for kind, schema := range all(t) {
		if schema["$schema"] != "https://json-schema.org/draft/2020-12/schema" || schema["$id"] != Base+kind+".v1.json" {
			t.Errorf("%s: is a %v by the name %v", kind, schema["$schema"], schema["$id"])
		}
		for _, key := range []string{"title", "description"} {
			if text, _ := schema[key].(string); text == "" {
				t.Errorf("%s: has no %s", kind, key)
			}
		}
		examples, _ := schema["examples"].([]any)
		if len(examples) < 2 {
			t.Errorf("%s: has %d examples, two are the least", kind, len(examples))
		}
		for n, example := range examples {
			data, err := json.Marshal(example)
			if err != nil {
				t.Fatal(err)
			}
			if found, ok := Check(kind, data); !ok || found != nil {
				t.Errorf("%s: example %d: %v", kind, n, found)
			}
		}
	}
}

func TestEveryFieldIsDescribedAndBounded(t *testing.T) {
	for kind, schema := range all(t) {
		properties(kind, schema, func(path string, p doc) {
			if text, _ := p["description"].(string); !strings.HasSuffix(text, ".") {
				t.Errorf("%s: described as %q", path, text)
			}
			if text, ok := p["maxLength"].(float64); accepts(p, "string") && p["enum"] == nil && p["format"] == nil && p["pattern"] == nil &&
				!accepts(p, "object") && (!ok || text > 65536) {
				t.Errorf("%s: text without a bound", path)
			}
			low, okLow := p["minimum"].(float64)
			high, okHigh := p["maximum"].(float64)
			if (accepts(p, "number") || accepts(p, "integer")) && !accepts(p, "string") &&
				(!okLow || !okHigh || low < -99_999_999_999 || high > 99_999_999_999) {
				t.Errorf("%s: numbers with room for a card number", path)
			}
		})
	}
}

func accepts(property doc, typ string) bool {
	switch t := property["type"].(type) {
	case string:
		return t == typ
	case []any:
		return slices.Contains(t, any(typ))
	}
	return false
}

// TestOnlyWhatIsMeantToBeOpenIsOpen lists the fields in which unknown names are kept.
func TestOnlyWhatIsMeantToBeOpenIsOpen(t *testing.T) {
	open := map[string][]string{}
	for kind, schema := range all(t) {
		if schema["additionalProperties"] != false {
			t.Errorf("%s: lets unknown fields in", kind)
		}
		properties("", schema, func(path string, p doc) {
			closed := p["additionalProperties"] == false
			anything := p["type"] == nil || accepts(p, "object") && !closed
			if items, ok := p["items"].(doc); ok && items["additionalProperties"] != false {
				anything = anything || accepts(items, "object")
			}
			if anything {
				open[kind] = append(open[kind], path[strings.LastIndex(path, "/")+1:])
			}
		})
	}
	want := map[string][]string{
		"sample.captured":              {"details", "input", "meta", "output", "state"},
		"exchange.recorded":            {"corrections"},
		"template.added":               {"plan"},
		"control.settings.changed":     {"value"},
		"control.prior":                {"value"},
		"control.day.summed":           {"value"},
		"control.person.summed":        {"value"},
		"control.experiment.changed":   {"config", "control_config", "treatment_config"},
		"control.preference.corrected": {"preference_value"},
	}
	for kind, names := range open {
		slices.Sort(names)
		if !slices.Equal(names, want[kind]) {
			t.Errorf("%s: open are %v, meant %v", kind, names, want[kind])
		}
	}
	if len(open) != len(want) {
		t.Errorf("%d kinds have open fields, %d are meant to", len(open), len(want))
	}
}

func TestAnUnknownKindHasNoSchema(t *testing.T) {
	for _, name := range []string{"", "feedback.fax", "../schemas", "asyncapi"} {
		if data, ok := Kind(name); ok || data != nil {
			t.Errorf("%q has one", name)
		}
	}
}

func TestTheSchemasArePlainJSON(t *testing.T) {
	for kind := range all(t) {
		if data, _ := Kind(kind); !jsontext.Value(data).IsValid() {
			t.Errorf("%s: is not strict JSON", kind)
		}
	}
}
