package privacy

import (
	"errors"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Patched returns settings in which a JSON object changed what it names. Whatever cannot be used is a [*Misfit].
func (s Settings) Patched(patch []byte) (Settings, error) {
	next := s
	if err := json.Unmarshal(patch, &next); err != nil {
		return s, misfit(err)
	}
	if name := nothing(patch, ""); name != "" {
		return s, &Misfit{name, "a value"}
	}
	return next, next.Validate()
}

// nothing is the first member that is null: it would be read as false or 0, and nobody means that.
func nothing(object jsontext.Value, path string) string {
	var members map[string]jsontext.Value
	if object.Kind() != '{' || json.Unmarshal(object, &members) != nil {
		return ""
	}
	for name, value := range members {
		if value.Kind() == 'n' {
			return path + name
		}
		if inside := nothing(value, path+name+"."); inside != "" {
			return inside
		}
	}
	return ""
}

// misfit says in the words of the settings why an object cannot be read.
func misfit(err error) *Misfit {
	var sem *json.SemanticError
	if !errors.As(err, &sem) {
		return &Misfit{"", "one JSON object"}
	}
	name := strings.ReplaceAll(strings.TrimPrefix(string(sem.JSONPointer), "/"), "/", ".")
	if errors.Is(err, json.ErrUnknownName) {
		return &Misfit{name, "one of the settings " + strings.Join(membersOf(reflect.TypeFor[Settings]()), ", ")}
	}
	return &Misfit{name, wanted(sem.GoType)}
}

// membersOf names the members of a struct.
func membersOf(t reflect.Type) (all []string) {
	for field := range t.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		all = append(all, name)
	}
	return all
}

// wanted describes the values of a type.
func wanted(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[Age]():
		return ages
	case t == reflect.TypeFor[Mode]():
		return "strict, pattern or full"
	case t == nil:
		return "another value"
	}
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Int:
		return "a whole number"
	case reflect.Slice:
		return "a list of texts"
	case reflect.String:
		return "a text"
	default:
		return "an object with " + strings.Join(membersOf(reflect.TypeFor[Retention]()), ", ")
	}
}

// Choice is what one person decided about themselves. The zero Choice has opted out of everything.
type Choice struct {
	Capture                   bool `json:"capture"`                      // false: nothing of theirs is taken in
	ParticipateInTeamLearning bool `json:"participate_in_team_learning"` // false: what is shared is made without them
}

// Undecided is the choice of who did not make one.
func Undecided() Choice { return Choice{Capture: true, ParticipateInTeamLearning: true} }

// ParseChoice reads a choice; what it leaves out is undecided, and null is all of it.
func ParseChoice(value []byte) (Choice, error) {
	c := Undecided()
	if string(value) == "null" {
		return c, nil
	}
	if err := json.Unmarshal(value, &c, json.RejectUnknownMembers(true)); err != nil {
		return Undecided(), &Misfit{"", "an object with capture and participate_in_team_learning, each true or false"}
	}
	return c, nil
}
