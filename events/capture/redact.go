package capture

import (
	"fmt"

	"github.com/go-json-experiment/json"

	"learnloop.dev/events"
	"learnloop.dev/privacy"
)

// redactor takes people and secrets out of one event after another. Each sender
// has its own.
type redactor struct{ guard protector }

// protector is what a privacy.Guard does for a redactor.
type protector interface {
	Protect(event any) (privacy.Report, error)
}

// newRedactor returns nil when the options ask for none.
func newRedactor(opts Options) *redactor {
	if !opts.Redact {
		return nil
	}
	return &redactor{privacy.NewTextGuard()}
}

// redact returns what may leave the process of an event, or an error when nothing
// may: its kind's payload says which of its fields are texts.
func (r *redactor) redact(e events.Envelope) (safe events.Envelope, err error) {
	defer func() {
		if recover() != nil { // what it says may quote the event
			err = fmt.Errorf("redact %s: crashed", e.Kind)
		}
	}()
	spec, _ := events.Lookup(e.Kind)
	payload, err := events.Read(spec, e.Data)
	if err != nil {
		return safe, fmt.Errorf("redact %s: %w", e.Kind, err)
	}
	if _, err := r.guard.Protect(payload); err != nil {
		return safe, fmt.Errorf("redact %s: %w", e.Kind, err)
	}
	if e.Data, err = json.Marshal(payload); err != nil {
		return safe, fmt.Errorf("redact %s: its payload cannot be written", e.Kind)
	}
	e.Subject, e.Extensions = "", known(e.Extensions)
	return e, nil
}

// known keeps the extension attributes that mean something to the loop.
func known(all map[string]string) map[string]string {
	kept := make(map[string]string)
	for _, name := range [...]string{events.ExtReplay, events.ExtTrace} {
		if value, ok := all[name]; ok {
			kept[name] = value
		}
	}
	return kept
}
