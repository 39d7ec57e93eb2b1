package privacy

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// class says how a string is treated; payload structs declare it with the tag privacy:"…", for all
// strings below a field.
type class string

const (
	textClass    class = "text"    // redacted; also without a tag
	tagClass     class = "tag"     // like text: labels that users choose
	openClass    class = "open"    // like text: JSON of any shape
	idClass      class = "id"      // shielded as a whole when anything is found
	personClass  class = "person"  // a user's pseudonym
	sessionClass class = "session" // a session's pseudonym
	unitClass    class = "unit"    // an experiment unit's pseudonym
	enumClass    class = "enum"    // one of the words that the schema allows: left alone
	plainClass   class = "plain"   // checked otherwise: left alone
	blindClass   class = "blind"   // a hash of ours, left alone; an id if it is none
	figuresClass class = "figures" // JSON of which the numbers are left alone
)

// step protects one value; a nil step has nothing to do.
type step func(g *Guard, v reflect.Value)

// planKey is what a plan depends on.
type planKey struct {
	of    reflect.Type
	class class
}

var jsonValue = reflect.TypeFor[jsontext.Value]()

// plan returns what to do with values of a type, made once per guard.
func (g *Guard) plan(t reflect.Type, c class) (step, error) {
	key := planKey{t, c}
	if s, ok := g.plans[key]; ok {
		return s, nil
	}
	g.plans[key] = func(g *Guard, v reflect.Value) { g.plans[key](g, v) } // a type that contains itself
	s, err := g.compile(t, c)
	if err != nil {
		delete(g.plans, key)
		return nil, err
	}
	g.plans[key] = s
	return s, nil
}

func (g *Guard) compile(t reflect.Type, c class) (step, error) {
	if t == jsonValue {
		return openStep(c)
	}
	switch t.Kind() {
	case reflect.String:
		return stringStep(c)
	case reflect.Struct:
		return g.structStep(t, c)
	case reflect.Pointer:
		return g.pointerStep(t, c)
	case reflect.Slice, reflect.Array:
		return g.listStep(t, c)
	case reflect.Map:
		return g.mapStep(t, c)
	case reflect.Interface, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		return nil, fmt.Errorf("%v cannot be examined", t)
	default:
		return nil, nil // numbers and truth values: the schema bounds them
	}
}

// stringStep rewrites a string by its class.
func stringStep(c class) (step, error) {
	var rewrite func(g *Guard, s string) string
	switch c {
	case textClass, tagClass, openClass:
		rewrite = (*Guard).text
	case idClass:
		rewrite = (*Guard).Identifier
	case personClass:
		rewrite = func(g *Guard, s string) string { return g.Pseudonym(Users, s) }
	case sessionClass:
		rewrite = func(g *Guard, s string) string { return g.Pseudonym(Sessions, s) }
	case unitClass:
		rewrite = func(g *Guard, s string) string { return g.Pseudonym(Units, s) }
	case blindClass:
		rewrite = (*Guard).blind
	case enumClass, plainClass:
		return nil, nil
	default:
		return nil, fmt.Errorf("unknown privacy class %q", string(c))
	}
	return func(g *Guard, v reflect.Value) {
		s := v.String()
		if safe := rewrite(g, s); safe != s {
			v.SetString(safe)
		}
	}, nil
}

func openStep(c class) (step, error) {
	switch c {
	case textClass, tagClass, openClass:
		return func(g *Guard, v reflect.Value) { v.SetBytes(g.open(v.Bytes())) }, nil
	case figuresClass:
		return func(g *Guard, v reflect.Value) {
			g.figures = true
			v.SetBytes(g.open(v.Bytes()))
			g.figures = false
		}, nil
	case plainClass:
		return nil, nil
	default:
		return nil, fmt.Errorf("privacy class %q does not fit a JSON value", string(c))
	}
}

func (g *Guard) structStep(t reflect.Type, c class) (step, error) {
	type field struct {
		index int
		apply step
	}
	var fields []field
	visible, hidden := false, false
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.IsExported() && (!f.Anonymous || f.Type.Kind() != reflect.Struct) {
			hidden = true
			continue
		}
		visible = true
		own := c
		if tag, ok := f.Tag.Lookup("privacy"); ok {
			own = class(tag)
		}
		apply, err := g.plan(f.Type, own)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		if apply != nil {
			fields = append(fields, field{i, apply})
		}
	}
	if opaque := hidden && !visible && c != plainClass && t.PkgPath() != "time"; opaque {
		return nil, fmt.Errorf("the hidden fields of %v cannot be examined", t)
	}
	if fields == nil {
		return nil, nil
	}
	return func(g *Guard, v reflect.Value) {
		for _, f := range fields {
			f.apply(g, v.Field(f.index))
		}
	}, nil
}

func (g *Guard) pointerStep(t reflect.Type, c class) (step, error) {
	apply, err := g.plan(t.Elem(), c)
	if apply == nil {
		return nil, err
	}
	return func(g *Guard, v reflect.Value) {
		if !v.IsNil() {
			apply(g, v.Elem())
		}
	}, nil
}

func (g *Guard) listStep(t reflect.Type, c class) (step, error) {
	if t.Elem().Kind() == reflect.Uint8 && c != plainClass {
		return nil, fmt.Errorf("bytes of %v cannot be examined", t)
	}
	apply, err := g.plan(t.Elem(), c)
	if apply == nil {
		return nil, err
	}
	return func(g *Guard, v reflect.Value) {
		for i := range v.Len() {
			apply(g, v.Index(i))
		}
	}, nil
}

// mapStep rewrites names as well as values, in the order of the names, so that tags are the same each time.
func (g *Guard) mapStep(t reflect.Type, c class) (step, error) {
	name, err := g.plan(t.Key(), c)
	if err != nil {
		return nil, err
	}
	if t.Key().Kind() != reflect.String {
		return nil, fmt.Errorf("names of %v cannot be examined", t)
	}
	value, err := g.plan(t.Elem(), c)
	if err != nil || name == nil && value == nil {
		return nil, err
	}
	return func(g *Guard, v reflect.Value) { rewriteMap(g, v, name, value) }, nil
}

func rewriteMap(g *Guard, v reflect.Value, name, value step) {
	t := v.Type()
	members := make(map[string]reflect.Value, v.Len())
	taken := make(map[string]bool, v.Len())
	for _, k := range v.MapKeys() {
		members[k.String()] = v.MapIndex(k)
		taken[k.String()] = true
	}
	for _, old := range slices.Sorted(maps.Keys(members)) {
		k, e := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
		k.SetString(old)
		e.Set(members[old])
		if name != nil {
			name(g, k)
		}
		if value != nil {
			value(g, e)
		}
		if k.String() != old {
			v.SetMapIndex(reflect.ValueOf(old).Convert(t.Key()), reflect.Value{})
			k.SetString(unused(taken, k.String()))
		}
		v.SetMapIndex(k, e)
	}
}
