package extract

import (
	_ "embed" // the prompt
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"learnloop.dev/events"

	"github.com/go-json-experiment/json"
)

//go:embed prompt.txt
var system string

// System returns what a model is told to do.
func System() string { return system }

// FormName names the form of answers.
const FormName = "learning"

// LongestAnswer is that of a model, in tokens, with room for what it thinks first.
const LongestAnswer = 4096

// members are those of an answer, in order.
var members = []string{"title", "context", "observation", "implication", "action", "tags", "domain"}

// Form is the JSON Schema of answers, as strict modes of the providers take it.
func Form() map[string]any {
	properties := map[string]any{}
	for _, name := range members {
		properties[name] = map[string]any{"type": "string"}
	}
	properties["tags"] = map[string]any{"type": "array", "items": map[string]any{"type": "string"}}
	return map[string]any{"type": "object", "properties": properties, "required": slices.Clone(members), "additionalProperties": false}
}

// longestContent is how much of a discovery a model is shown, in runes.
const longestContent = 8000

// Ask is a discovery as a model is shown it: JSON, out of which no text can break.
func Ask(d *events.Discovery) string {
	shown := struct {
		Type    events.DiscoveryType `json:"type"`
		Content string               `json:"content"`
		Task    string               `json:"task,omitzero"`
		Outcome string               `json:"outcome,omitzero"`
	}{d.Type, cut(d.Content, longestContent), cut(d.TaskTitle, longestText), cut(d.OutcomeName, longestText)}
	data, err := json.Marshal(shown)
	if err != nil {
		panic("extract: a discovery cannot be encoded") // texts of facts are valid UTF-8
	}
	return "The discovery:\n" + string(data)
}

// Repair asks again for an answer that broke the form.
func Repair(wrong []events.Violation) string {
	var b strings.Builder
	b.WriteString("Your last answer cannot be used:\n")
	for _, v := range wrong {
		fmt.Fprintf(&b, "- %s: expected %s\n", or(v.Pointer, "the whole"), v.Expected)
	}
	b.WriteString("Answer again, with the one JSON object and nothing else.")
	return b.String()
}

func or(text, empty string) string {
	if text == "" {
		return empty
	}
	return text
}

// Read reads a model's answer, or says how it breaks the form, in words of ours.
func Read(answer string) (Draft, []events.Violation) {
	var d Draft
	if err := json.Unmarshal([]byte(unfenced(answer)), &d, json.RejectUnknownMembers(true)); err != nil {
		return Draft{}, []events.Violation{misread(err)}
	}
	wrong := d.violations()
	if len(wrong) > 0 {
		return Draft{}, wrong
	}
	d = d.cleaned()
	if !d.whole() {
		return Draft{}, []events.Violation{{Expected: "texts with words in them"}}
	}
	return d, nil
}

// unfenced takes the fence off that many models put around JSON.
func unfenced(answer string) string {
	answer = strings.TrimSpace(answer)
	if body, ok := strings.CutPrefix(answer, "```json\n"); ok {
		return strings.TrimSuffix(body, "```")
	}
	return answer
}

// misread says what is wrong with an answer that is not of the form at all. Names
// that the model made up are not repeated.
func misread(err error) events.Violation {
	var sem *json.SemanticError
	if !errors.As(err, &sem) {
		return events.Violation{Expected: "one JSON object and nothing else"}
	}
	if errors.Is(err, json.ErrUnknownName) {
		return events.Violation{Pointer: "/*", Expected: "no members but " + strings.Join(members, ", ")}
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(string(sem.JSONPointer), "/"), "/")
	switch {
	case name == "tags":
		return events.Violation{Pointer: "/tags", Expected: "an array of strings"}
	case slices.Contains(members, name):
		return events.Violation{Pointer: "/" + name, Expected: "a string"}
	}
	return events.Violation{Expected: "one JSON object and nothing else"}
}

// violations are where a draft breaks its bounds.
func (d Draft) violations() (list []events.Violation) {
	for _, t := range []struct {
		name, text string
		most       int
	}{
		{"title", d.Title, longestTitle}, {"context", d.Context, longestText}, {"observation", d.Observation, longestText},
		{"implication", d.Implication, longestText}, {"action", d.Action, longestText},
	} {
		if n := utf8.RuneCountInString(t.text); strings.TrimSpace(t.text) == "" || n > t.most {
			list = append(list, events.Violation{Pointer: "/" + t.name, Expected: fmt.Sprintf("a text of at most %d characters", t.most)})
		}
	}
	if len(d.Tags) > 2*mostTags {
		list = append(list, events.Violation{Pointer: "/tags", Expected: "two to five labels"})
	}
	return list
}
