package api

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// loosened is a value as its schema wants it: whole numbers become text where ids are
// text, and days become the moment at which they begin.
func loosened(known huma.Registry, s *huma.Schema, name string, v jsontext.Value) jsontext.Value {
	if s != nil && s.Ref != "" {
		s = known.SchemaFromRef(s.Ref)
	}
	if s == nil {
		return v
	}
	switch v.Kind() { //nolint:exhaustive // nothing is done to the others
	case '0':
		if s.Type == huma.TypeString && namesOne(name) && decimal.Match(v) {
			return mustWrite(string(v))
		}
	case '"':
		if text, err := strconv.Unquote(string(v)); err == nil && isMoment(s) && isDay(text) {
			return mustWrite(text + beginning)
		}
	case '{':
		return loosenedMembers(known, s, v)
	case '[':
		var items []jsontext.Value
		if s.Items == nil || json.Unmarshal(v, &items) != nil {
			return v
		}
		for i := range items {
			items[i] = loosened(known, s.Items, name, items[i])
		}
		return mustWrite(items)
	}
	return v
}

// loosenedMembers leaves what is no proper object to whoever checks it.
func loosenedMembers(known huma.Registry, s *huma.Schema, v jsontext.Value) jsontext.Value {
	var members map[string]jsontext.Value
	if len(s.Properties) == 0 || json.Unmarshal(v, &members) != nil {
		return v
	}
	for name, member := range members {
		members[name] = loosened(known, s.Properties[name], name, member)
	}
	return mustWrite(members)
}

var decimal = regexp.MustCompile(`^-?(0|[1-9][0-9]*)$`)

// namesOne reports whether the arguments of a name are ids.
func namesOne(name string) bool {
	return name == "id" || strings.HasSuffix(name, "_id") || slices.Contains(idsByOtherNames, name)
}

var idsByOtherNames = []string{"user", "rules", "depends_on", "exclude_outcome"}

// beginning is when a day begins.
const beginning = "T00:00:00Z"

func isMoment(s *huma.Schema) bool { return s.Type == huma.TypeString && s.Format == "date-time" }

func isDay(text string) bool {
	_, err := time.Parse(time.DateOnly, text)
	return err == nil
}

// loosenedArguments does the same with arguments by their names.
func loosenedArguments(known huma.Registry, s *huma.Schema, args map[string]jsontext.Value) map[string]jsontext.Value {
	out := maps.Clone(args)
	for name, v := range args {
		out[name] = loosened(known, s.Properties[name], name, v)
	}
	return out
}
