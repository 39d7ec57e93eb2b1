package events

import "learnloop.dev/schemas"

// Reason says why an event was refused; it is part of a dead letter's subject.
type Reason string

// The reasons of a dead letter (SPEC section 2). This package finds the first
// seven; the stages find the others.
const (
	ReasonMalformed   Reason = "malformed"    // not JSON, not a CloudEvent
	ReasonUnknownType Reason = "unknown_type" // a kind or version that is not ours
	ReasonSchema      Reason = "schema"       // breaks the kind's schema
	ReasonTooLarge    Reason = "too_large"
	ReasonTooDeep     Reason = "too_deep"
	ReasonFuture      Reason = "future"
	ReasonNotAllowed  Reason = "not_allowed" // the subject does not carry the kind
	ReasonLicense     Reason = "license_required"
	ReasonPrivacy     Reason = "privacy_failed"
	ReasonCrashed     Reason = "crashed"
	ReasonGaveUp      Reason = "gave_up"
)

// Violation is one place where an event breaks its rules: a JSON pointer and
// what was expected there, never what stands there.
type Violation = schemas.Violation

// Refusal says why an event is not accepted; a zero Reason means that it is.
type Refusal struct {
	Reason     Reason
	Violations []Violation
}

// Refused reports whether there is a reason.
func (r Refusal) Refused() bool { return r.Reason != "" }

// refuse makes a refusal of one violation.
func refuse(why Reason, pointer, expected string) Refusal {
	return Refusal{why, []Violation{{Pointer: pointer, Expected: expected}}}
}
