package samples

import (
	"bytes"
	"iter"
	"time"

	"learnloop.dev/events"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Format is the form of one training example.
type Format string

// The formats.
const (
	Plain  Format = "sample" // prompt, completion and metadata (source document 002, section 9.1)
	Chat   Format = "chat"   // messages of user and assistant, as most fine-tuning services take them
	Gemini Format = "gemini" // contents of user and model, as Google's service takes them
)

// Example is what a model is trained on: what it is given, and what it should say.
type Example struct {
	Prompt     string   `json:"prompt"`
	Completion string   `json:"completion"`
	Metadata   Metadata `json:"metadata"`
}

// Metadata says where an example comes from.
type Metadata struct {
	SampleID  events.ID             `json:"sample_id"`
	Quality   *events.QualityLabel  `json:"quality"` // nil without a label
	Family    string                `json:"sample_family"`
	Source    events.FeedbackSource `json:"source"`
	Type      events.SampleVerdict  `json:"type"`
	CreatedAt time.Time             `json:"created_at"`
}

// ExampleOf makes an example of a sample. The prompt is the request's own text, and
// below it as JSON what else went in and the state; the completion is the output: its
// text if it is one, else JSON.
func ExampleOf(s *events.Sample) Example {
	e := Example{Prompt: prompt(s), Completion: completion(s.Output), Metadata: Metadata{
		SampleID: s.SampleID, Family: s.SampleFamily, Source: s.Feedback.Source, Type: s.Feedback.Type, CreatedAt: s.CreatedAt,
	}}
	if label := s.Feedback.QualityLabel; label != "" {
		e.Metadata.Quality = &label
	}
	return e
}

// isRequest reports whether a member of an input holds the request's own text: that of
// source document 002, or of a family of MPLP v1.
func isRequest(name string) bool {
	return name == "intent_text" || name == "raw_request_summary" || name == "change_summary"
}

func prompt(s *events.Sample) string {
	var text string
	rest := []byte{'{'}
	named := func(name string, value jsontext.Value) {
		if len(rest) > 1 {
			rest = append(rest, ',')
		}
		rest, _ = jsontext.AppendQuote(rest, name) // was read from JSON
		rest = append(append(rest, ':'), value...)
	}
	state := s.State.Kind() != jsontext.KindInvalid && s.State.Kind() != jsontext.KindNull
	for name, value := range members(s.Input) {
		if said, ok := textOf(value); ok && text == "" && isRequest(name) {
			text = said
			continue
		}
		named(name, value)
		state = state && name != "state"
	}
	if state {
		named("state", s.State)
	}
	switch {
	case len(rest) == 1:
		return text
	case text == "":
		return string(append(rest, '}'))
	}
	return text + "\n\n" + string(append(rest, '}'))
}

func completion(output jsontext.Value) string {
	var only string
	n := 0
	for _, value := range members(output) {
		if n++; n > 1 {
			break
		}
		only, _ = textOf(value)
	}
	if n == 1 && only != "" {
		return only
	}
	return string(output)
}

// textOf reads a text, false when the value is none or empty.
func textOf(value jsontext.Value) (string, bool) {
	if value.Kind() != jsontext.KindString {
		return "", false
	}
	text, err := jsontext.AppendUnquote(nil, value)
	return string(text), err == nil && len(text) > 0
}

// members yields those of a JSON object in its order, none of anything else. A value is
// valid until the next.
func members(v jsontext.Value) iter.Seq2[string, jsontext.Value] {
	return func(yield func(string, jsontext.Value) bool) {
		// A buffer is read in place, and what comes from the log has been checked.
		d := jsontext.NewDecoder(bytes.NewBuffer(v), jsontext.AllowDuplicateNames(true))
		if t, err := d.ReadToken(); err != nil || t.Kind() != jsontext.KindBeginObject {
			return
		}
		for d.PeekKind() == jsontext.KindString {
			t, err := d.ReadToken()
			if err != nil {
				return
			}
			name := t.String()
			value, err := d.ReadValue()
			if err != nil || !yield(name, value) {
				return
			}
		}
	}
}

// message is one turn of a conversation.
type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

type chat struct {
	Messages [2]message `json:"messages"`
}

// content is a turn as Google calls it.
type content struct {
	Role  string  `json:"role"`
	Parts [1]part `json:"parts"`
}

type part struct {
	Text string `json:"text"`
}

type contents struct {
	Contents [2]content `json:"contents"`
}

// In writes an example in a format, as one line of JSON.
func (e Example) In(f Format) (jsontext.Value, error) {
	switch f {
	case Chat:
		return json.Marshal(chat{[2]message{{"user", e.Prompt}, {"assistant", e.Completion}}})
	case Gemini:
		return json.Marshal(contents{[2]content{{"user", [1]part{{e.Prompt}}}, {"model", [1]part{{e.Completion}}}}})
	case Plain:
	}
	return json.Marshal(e)
}
