package api

import (
	"errors"
	"maps"
	"reflect"
	"slices"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// reading is how the arguments of one operation are read, whatever the door.
type reading struct {
	known    huma.Registry // of the schemas that the schema refers to
	schema   *huma.Schema
	aliases  map[string]string
	defaults map[string]jsontext.Value
}

func readingOf(known huma.Registry, schema *huma.Schema, aliases map[string]string) reading {
	g := reading{known, schema, aliases, map[string]jsontext.Value{}}
	for name, s := range schema.Properties {
		if s.Default != nil {
			g.defaults[name] = mustWrite(s.Default)
		}
	}
	return g
}

// defs is where schemas of arguments refer to each other.
const defs = "#/$defs/"

func argumentSchemas() huma.Registry { return huma.NewMapRegistry(defs, huma.DefaultSchemaNamer) }

// arguments is the schema of what an operation takes.
func arguments(known huma.Registry, in reflect.Type) *huma.Schema { return known.Schema(in, false, "") }

// read decodes arguments by their names, checked against their schema.
func (g reading) read(given map[string]jsontext.Value, in any) *Problem {
	all := maps.Clone(g.defaults)
	maps.Copy(all, loosenedArguments(g.known, g.schema, named(given, g.aliases)))
	data := mustWrite(all)
	var loose any
	if err := json.Unmarshal(data, &loose); err != nil {
		return problem(BadRequest, "the arguments are not JSON in UTF-8")
	}
	var found huma.ValidateResult
	huma.Validate(g.known, g.schema, huma.NewPathBuffer(nil, 0), huma.ModeWriteToServer, loose, &found)
	if len(found.Errors) > 0 {
		return unfit(Invalid, "", details(found.Errors), g.names())
	}
	if err := json.Unmarshal(data, in, json.RejectUnknownMembers(true)); err != nil {
		return problem(Invalid, "the arguments do not fit their schema").because(err)
	}
	return nil
}

// names are those of the arguments that there are.
func (g reading) names() []string { return slices.Collect(maps.Keys(g.schema.Properties)) }

func details(errs []error) (out []*huma.ErrorDetail) {
	for _, err := range errs {
		if d, ok := errors.AsType[*huma.ErrorDetail](err); ok {
			out = append(out, d)
		}
	}
	return out
}
