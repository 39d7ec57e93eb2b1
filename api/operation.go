package api

import (
	"context"
	"io"

	"learnloop.dev/access"
)

// Access says who may call an operation.
type Access int

// The zero value is the narrowest.
const (
	// Admin changes, clears, forgets, shows people or looks into the machinery.
	Admin Access = iota
	// Review decides about learnings.
	Review
	// Read answers what was learned; on a loop that only this machine reaches, to everybody.
	Read
	// Capture takes events; on such a loop from everybody.
	Capture
	// Public answers everybody who reaches the loop, whatever loop it is: whether it lives.
	Public
)

// String names the access.
func (a Access) String() string {
	return [...]string{"admin", "review", "read", "capture", "public"}[a]
}

// role is the one that a caller needs for it.
func (a Access) role() access.Role {
	switch a {
	case Review:
		return access.Review
	case Read:
		return access.Read
	case Capture:
		return access.Capture
	case Admin, Public: // of which nobody asks for a role
	}
	return access.Admin
}

// anonymous reports whether a loop that only this machine reaches answers clients
// without credentials, through any door.
func (a Access) anonymous() bool { return Visitor{Roles: anybody()}.May(a) }

// Operation is one thing the loop does for a caller, whatever the door. In is a
// struct whose fields carry json names (NATS) and path or query names (HTTP);
// Out is a struct with json names.
type Operation[In, Out any] = operation[*In, *Out]

// operation is written with pointers, of which Go makes one piece of code: that for
// structs is made anew for each of them, and weighs as often (ADR 0031).
type operation[In, Out any] struct {
	Name        string // with dots: its NATS subject is learn.svc.<Name>
	Method      string // of HTTP
	Path        string
	Tag         string // groups operations in the document
	Summary     string
	Description string
	Access      Access
	// Unlisted keeps what people do with it out of the audit log: a question of which the
	// answer is recorded, or events, which say themselves what stands there.
	Unlisted bool
	// Aliases are argument names of the source documents that differ in more than
	// their case: {"rule_ids": "rules"}.
	Aliases map[string]string
	// Statuses are those of success over HTTP, 200 when empty.
	Statuses []int
	// Same names what is asked for, so that callers who ask the same at one time share an
	// answer; nil: each has their own.
	Same func(in In) (string, error)
	Do   func(ctx context.Context, in In) (Out, error)
}

// What an In or an Out may do besides.
type (
	// checker finds what types and tags cannot say.
	checker interface{ check() error }
	// graded says with which status its answer leaves over HTTP.
	graded interface{ status() int }
	// labelled carries headers, the same over HTTP and NATS.
	labelled interface{ headers() map[string]string }
	// written writes its own JSON, where most of it is written already.
	written interface{ text() ([]byte, error) }
	// streaming is more than its first page over HTTP.
	streaming interface {
		media() string // the content type
		stream(ctx context.Context, w io.Writer) error
	}
)

// subjectOf is where an operation answers over NATS.
func subjectOf(name string) string { return subjects + name }

// subjects is where all operations answer over NATS.
const subjects = "learn.svc."
