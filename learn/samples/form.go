package samples

import (
	"bytes"
	"iter"
	"time"

	"learnloop.dev/events"

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

// AppendIn writes an example in a format behind b, as one line of JSON.
func (e Example) AppendIn(b []byte, f Format) []byte {
	switch f {
	case Chat:
		b = quote(append(b, `{"messages":[{"role":"user","content":`...), e.Prompt)
		b = quote(append(b, `},{"role":"assistant","content":`...), e.Completion)
		return append(b, `}]}`...)
	case Gemini:
		b = quote(append(b, `{"contents":[{"role":"user","parts":[{"text":`...), e.Prompt)
		b = quote(append(b, `}]},{"role":"model","parts":[{"text":`...), e.Completion)
		return append(b, `}]}]}`...)
	case Plain:
	}
	b = quote(append(b, `{"prompt":`...), e.Prompt)
	b = quote(append(b, `,"completion":`...), e.Completion)
	return append(e.Metadata.appendTo(append(b, `,"metadata":`...)), '}')
}

// appendTo writes the metadata as their fields are marked.
func (m Metadata) appendTo(b []byte) []byte {
	b = quote(append(b, `{"sample_id":`...), string(m.SampleID))
	if b = append(b, `,"quality":`...); m.Quality == nil {
		b = append(b, "null"...)
	} else {
		b = quote(b, string(*m.Quality))
	}
	b = quote(append(b, `,"sample_family":`...), m.Family)
	b = quote(append(b, `,"source":`...), string(m.Source))
	b = quote(append(b, `,"type":`...), string(m.Type))
	b = m.CreatedAt.AppendFormat(append(b, `,"created_at":"`...), time.RFC3339Nano)
	return append(b, `"}`...)
}

// quote writes a text as JSON; what is not UTF-8 becomes the replacement character.
func quote(b []byte, text string) []byte {
	b, _ = jsontext.AppendQuote(b, text)
	return b
}
