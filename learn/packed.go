package learn

import (
	"fmt"

	"learnloop.dev/events"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Packed is an answer that writes itself, for one that is large and mostly written
// already: JSON within JSON would be checked and copied at every step of its way. Who
// asks reads it with Unpack.
type Packed interface {
	Pack() ([]byte, error)
}

// Unpacker reads what Pack wrote. It may keep the bytes.
type Unpacker interface {
	Unpack(data []byte) error
}

// WriteAnswer writes an answer for its way to who asked: JSON, or as it packs itself.
func WriteAnswer(value any) ([]byte, error) {
	if p, ok := value.(Packed); ok {
		return p.Pack()
	}
	data, err := json.Marshal(value, json.Deterministic(true), jsontext.AllowDuplicateNames(true)) // what is quoted was checked
	if err != nil {
		return nil, fmt.Errorf("encode answer: %w", err)
	}
	return data, nil
}

// ReadAnswer reads what WriteAnswer wrote. The error quotes nothing of it.
func ReadAnswer(data []byte, into any) error {
	if u, ok := into.(Unpacker); ok {
		return u.Unpack(data)
	}
	if err := json.Unmarshal(data, into, jsontext.AllowDuplicateNames(true)); err != nil {
		return events.Unquoted(err)
	}
	return nil
}
