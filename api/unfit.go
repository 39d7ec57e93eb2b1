package api

import (
	"cmp"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/validation"
)

// unfit is the problem with arguments that break their schema; names are those
// that there are.
func unfit(code Code, detail string, found []*huma.ErrorDetail, names []string) *Problem {
	slices.Sort(names)
	var faults []Fault
	for _, d := range found {
		faults = append(faults, faultOf(d, names))
	}
	return problem(code, detail).faulty(faults)
}

// How the library says what it found.
const (
	requiredBefore = "required property "
	requiredBehind = " to be present"
	enumBefore     = `value to be one of "`
	notJSON        = "jsontext: "
)

// faultOf says what the library found the way the rest of the loop does: at the
// place that is wrong, and what was expected there.
func faultOf(d *huma.ErrorDetail, names []string) Fault {
	said := strings.TrimPrefix(d.Message, "expected ")
	f := Fault{pointer(d.Location), said, brief(d.Value)}
	name, isProperty := strings.CutPrefix(said, requiredBefore)
	values, isEnum := strings.CutPrefix(said, enumBefore)
	syntax, isSyntax := strings.CutPrefix(said, notJSON)
	switch {
	case isProperty:
		f = Fault{Pointer: strings.TrimSuffix(f.Pointer, "/") + "/" + escaped.Replace(strings.TrimSuffix(name, requiredBehind)), Expected: needed}
	case said == validation.MsgUnexpectedProperty && strings.Count(f.Pointer, "/") > 1:
		f = Fault{Pointer: f.Pointer, Expected: "nothing of this name"}
	case said == validation.MsgUnexpectedProperty:
		f = Fault{Pointer: f.Pointer, Expected: "one of the arguments " + strings.Join(names, ", ")}
	case isEnum:
		f.Expected = "one of " + strings.TrimSuffix(values, `"`)
	case isSyntax:
		f.Expected = "JSON: " + syntax
	case d.Message == validation.MsgExpectedMatchExactlyOneSchema: // of tags alone
		f.Expected = labelTypes
	default:
		f.Expected = cmp.Or(unreadable[said], said)
	}
	return f
}

// unreadable says what was expected where the library only says that it was not there.
var unreadable = map[string]string{
	strings.TrimPrefix(validation.MsgExpectedRFC3339DateTime, "expected "): "date-time as in RFC 3339: 2006-01-02T15:04:05Z",
}

// needed is what is expected where nothing is given.
const needed = "a value: it is required"

// escaped writes a name as a part of a JSON pointer.
var escaped = strings.NewReplacer("~", "~0", "/", "~1")

// pointer translates a place such as "query.rules[0]" into a JSON pointer.
func pointer(location string) string {
	if location == "body" {
		return "/" // all of it
	}
	for _, where := range []string{"path.", "query.", "body."} {
		location = strings.TrimPrefix(location, where)
	}
	return "/" + strings.NewReplacer("~", "~0", "/", "~1", ".", "/", "[", "/", "]", "").Replace(location)
}
