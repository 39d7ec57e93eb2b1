package events

import (
	"bytes"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// mutations are what goes wrong with a document, one byte pattern at a time.
var mutations = [][2]string{
	{`"`, `""`}, {`true`, `null`}, {`false`, `null`}, {`":"`, `":"","x":"`}, {`null`, `""`}, {`{`, `{"derived":null,`},
	{`":`, `":null,"y":`}, {`0`, `-1`}, {`1`, `1.0`}, {`1`, `1e3`}, {`1`, `411111111111111`}, {`[`, `[null,`}, {`[`, `["",`},
	{`[`, `[{},`}, {`"id"`, `"Id"`}, {`T`, `t`}, {`Z"`, `"`}, {`:0`, `:-0`}, {`:`, `:[`}, {`}`, `,"timestamp":""}`},
}

func TestMutatedExamplesAreJudgedAlikeWithAndWithoutTheirSchema(t *testing.T) {
	for s := range All() {
		for _, example := range schemaOf(t, s.Name()).Examples {
			if err := example.Compact(); err != nil {
				t.Fatal(err)
			}
			for _, m := range mutations {
				agreeOn(t, s, bytes.Replace(example, []byte(m[0]), []byte(m[1]), 1))
				agreeOn(t, s, bytes.ReplaceAll(example, []byte(m[0]), []byte(m[1])))
			}
			members(example, func(data []byte) { agreeOn(t, s, data) })
		}
	}
}

// members calls visit with the document once without each of its members, and
// once with each of them null or empty.
func members(doc []byte, visit func([]byte)) {
	var all map[string]jsontext.Value
	if json.Unmarshal(doc, &all) != nil {
		return
	}
	for name, value := range all {
		for _, other := range []string{"", "null", `""`, "{}", "[]", "0"} {
			if delete(all, name); other != "" {
				all[name] = jsontext.Value(other)
			}
			if data, err := json.Marshal(all, json.Deterministic(true)); err == nil {
				visit(data)
			}
		}
		all[name] = value
	}
}

// agreeOn holds reading, checking and the schema to each other: what is accepted
// without a schema, the schema accepts; what the schema accepts can be read, and
// stored.
func agreeOn(t *testing.T, s Spec, data []byte) {
	t.Helper()
	wrong := Validate(s, data)
	if quick(s, data) && wrong != nil && !limits(data).Refused() {
		t.Fatalf("%s accepted without its schema, which says %v: %s", s.Name(), wrong, data)
	}
	p, r := Decode(s, data)
	if (wrong == nil) == r.Refused() {
		t.Fatalf("%s: the schema says %v, Decode %v: %s", s.Name(), wrong, r, data)
	}
	if p == nil {
		return
	}
	for _, part := range p.Parts() {
		spec, ok := Lookup(part.Kind)
		if !ok {
			t.Fatalf("%s sends an unknown kind %q to %s", s.Name(), part.Kind, part.Group)
		}
		stored, err := Encode(spec.Fact(Head{Type: part.Kind.Type()}, part.Data))
		if err != nil {
			t.Fatalf("%s cannot be stored: %v: %s", s.Name(), err, data)
		}
		if _, err := spec.ReadFact(stored); err != nil {
			t.Fatalf("%s cannot be read back: %v: %s", s.Name(), err, stored)
		}
	}
}

func FuzzFastCheckAgreesWithSchema(f *testing.F) {
	for n, s := range vocabulary {
		for _, example := range schemaOf(f, s.Name()).Examples {
			f.Add(byte(n), []byte(example))
		}
	}
	f.Fuzz(func(t *testing.T, kind byte, data []byte) {
		agreeOn(t, vocabulary[int(kind)%len(vocabulary)], data)
	})
}
