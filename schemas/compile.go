package schemas

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// compiled holds the schemas that were needed so far. Most processes need none:
// they accept what the typed checks accept.
var compiled library

type library struct {
	mu    sync.Mutex // guards ready
	ready map[string]*schema
}

// schema is a compiled schema and the names it knows.
type schema struct {
	rules  *jsonschema.Schema
	names  map[string]bool     // of all fields
	arrays map[string]bool     // names of fields that may be arrays
	fields map[string][]string // names by the location of the object they belong to
}

// of returns a kind's schema, compiled on first use; nil for an unknown kind.
func (l *library) of(kind string) *schema {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s, ok := l.ready[kind]; ok {
		return s
	}
	s := compile(kind)
	if l.ready == nil {
		l.ready = map[string]*schema{}
	}
	if s != nil {
		l.ready[kind] = s
	}
	return s
}

// compile panics on a schema that is none: the programmer is wrong, and a test says so.
func compile(kind string) *schema {
	data, ok := Kind(kind)
	if !ok {
		return nil
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		panic(fmt.Sprintf("schemas: read %s: %v", kind, err))
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.RegisterFormat(&jsonschema.Format{Name: "date-time", Validate: dateTime})
	c.AssertFormat()
	if err := c.AddResource(Base+file(kind), doc); err != nil {
		panic(fmt.Sprintf("schemas: add %s: %v", kind, err))
	}
	s := &schema{names: map[string]bool{}, arrays: map[string]bool{}, fields: map[string][]string{}}
	if s.rules, err = c.Compile(Base + file(kind)); err != nil {
		panic(fmt.Sprintf("schemas: compile %s: %v", kind, err))
	}
	s.learn(doc, "")
	return s
}

// learn collects the fields of every object a schema document describes. The
// path is a JSON pointer into the document.
func (s *schema) learn(doc any, path jsontext.Pointer) {
	switch doc := doc.(type) {
	case map[string]any:
		if props, ok := doc["properties"].(map[string]any); ok {
			s.fields[s.rules.Location+string(path)] = slices.Sorted(maps.Keys(props))
			for name, prop := range props {
				s.names[name] = true
				_, items := prop.(map[string]any)["items"]
				s.arrays[name] = s.arrays[name] || items
			}
		}
		for k, v := range doc {
			if k != "examples" {
				s.learn(v, path.AppendToken(k))
			}
		}
	case []any:
		for i, v := range doc {
			s.learn(v, path.AppendToken(strconv.Itoa(i)))
		}
	}
}

// dateTime accepts what the payload types accept: RFC 3339 with upper-case T and
// Z and without leap seconds.
func dateTime(v any) error {
	s, ok := v.(string)
	if !ok {
		return nil
	}
	quoted, err := json.Marshal(s)
	if err != nil {
		return errNoTime
	}
	var t time.Time
	if json.Unmarshal(quoted, &t) != nil {
		return errNoTime
	}
	return nil
}

var errNoTime = errors.New("not an RFC 3339 time")
