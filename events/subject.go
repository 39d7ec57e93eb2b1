package events

import "strings"

// The subjects of the inbox. The subject only routes: the type decides.
const (
	InboxPrefix   = "learn.in."
	controlPrefix = InboxPrefix + "control."
	// DerivedSubject carries what the product itself concludes from facts: any kind
	// but control, and it alone may say what its events follow from (ExtCause).
	DerivedSubject = controlPrefix + "derived"
	// AskedSubject carries what an operation of the product was asked for and wrote down with who asked: any kind.
	AskedSubject = controlPrefix + "asked"
)

// OfStages reports whether only stages of the product publish on a subject, where they run apart.
func OfStages(subject string) bool { return subject == DerivedSubject || subject == AskedSubject }

// Subject returns the inbox subject of the kind.
func (k Kind) Subject() string { return InboxPrefix + string(k) }

// AllowedOn reports whether a subject may carry a kind. Permissions are granted
// by subject: control kinds need one of theirs, verdicts about learnings exactly
// their own or one of the product's, and all others any of the inbox.
func AllowedOn(subject string, kind Kind) bool {
	switch {
	case subject == AskedSubject:
		return true
	case subject == DerivedSubject:
		return !kind.Control()
	case kind.Control():
		return strings.HasPrefix(subject, controlPrefix)
	case kind.Reviewed():
		return subject == kind.Subject()
	}
	return strings.HasPrefix(subject, InboxPrefix)
}
