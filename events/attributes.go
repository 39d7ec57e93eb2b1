package events

import "fmt"

// FromAttributes reads an event given as its attributes' canonical texts, among them
// specversion and type, and its data, which is not copied. An error names the first
// attribute that is wrong, never its value.
func FromAttributes(attributes map[string]string, data []byte) (Envelope, error) {
	i := Item{Envelope: Envelope{Data: data}}
	for name, text := range attributes {
		i.set(name, text)
	}
	if i.finish(); i.Refused() {
		v := i.Violations[0]
		return Envelope{}, fmt.Errorf("read event at %s: expected %s", v.Pointer, v.Expected)
	}
	return i.Envelope, nil
}
