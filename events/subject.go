package events

import "strings"

// The subjects of the inbox. The subject only routes: the type decides.
const (
	InboxPrefix   = "learn.in."
	controlPrefix = InboxPrefix + "control."
)

// Subject returns the inbox subject of the kind.
func (k Kind) Subject() string { return InboxPrefix + string(k) }

// AllowedOn reports whether a subject may carry a kind. Permissions are granted
// by subject: control kinds need one of theirs, verdicts about learnings exactly
// their own, and all others any of the inbox.
func AllowedOn(subject string, kind Kind) bool {
	switch {
	case kind.Control():
		return strings.HasPrefix(subject, controlPrefix)
	case kind.Reviewed():
		return subject == kind.Subject()
	}
	return strings.HasPrefix(subject, InboxPrefix)
}
