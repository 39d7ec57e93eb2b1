package events

import (
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// formatted are the ids that MPLP v1 wants to be UUIDs, where they are.
type formatted struct {
	Meta struct {
		ProjectID jsontext.Value   `json:"project_id"`
		EventIDs  []jsontext.Value `json:"source_event_ids"`
	} `json:"meta"`
	Output struct {
		PlanID jsontext.Value `json:"plan_id"`
	} `json:"output"`
}

// mostBroken is how many violations are worth telling about one sample.
const mostBroken = 32

// Strict lists where a sample breaks the formats of MPLP v1, which the schema does not
// assert: the samples that were published with it do. Times are always checked.
func (s *Sample) Strict() (found []Violation) {
	wrong := func(pointer string) {
		found = append(found, Violation{Pointer: pointer, Expected: "a UUID as in RFC 9562: 123e4567-e89b-42d3-a456-426614174000"})
	}
	if !isUUID(string(s.SampleID)) {
		wrong("/sample_id")
	}
	var f formatted
	_ = json.Unmarshal(s.Meta, &f.Meta)     // what is of another type has no format
	_ = json.Unmarshal(s.Output, &f.Output) // the same
	if !uuidOrNone(f.Meta.ProjectID) {
		wrong("/meta/project_id")
	}
	for i, id := range f.Meta.EventIDs {
		if !uuidOrNone(id) {
			wrong("/meta/source_event_ids/" + strconv.Itoa(i))
		}
	}
	if !uuidOrNone(f.Output.PlanID) && s.SampleFamily == IntentResolution {
		wrong("/output/plan_id")
	}
	return found[:min(len(found), mostBroken)]
}

// uuidOrNone reports whether a value is a UUID, or no text at all.
func uuidOrNone(v jsontext.Value) bool {
	if v.Kind() != jsontext.KindString {
		return true
	}
	text, ok := unquote(v)
	return ok && isUUID(text)
}

// isUUID reports whether a text is hexadecimal digits in groups of 8, 4, 4, 4 and 12.
func isUUID(text string) bool {
	if len(text) != 36 {
		return false
	}
	for i := range len(text) {
		switch i {
		case 8, 13, 18, 23:
			if text[i] != '-' {
				return false
			}
		default:
			if c := text[i] | 0x20; (text[i] < '0' || text[i] > '9') && (c < 'a' || c > 'f') {
				return false
			}
		}
	}
	return true
}
