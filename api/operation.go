package api

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"
)

// Access says who may call an operation.
type Access int

const (
	// Capture takes events from anybody who reaches the loop.
	Capture Access = iota
	// Read answers everybody who reaches the loop.
	Read
	// Inspect answers everybody over HTTP, which is loopback, and over NATS those
	// with a credential.
	Inspect
	// Admin changes, clears, forgets or shows people: the admin token over HTTP, a
	// credential over NATS.
	Admin
)

// String names the access.
func (a Access) String() string { return [...]string{"capture", "read", "inspect", "admin"}[a] }

// anonymous reports whether clients without credentials may call over NATS.
func (a Access) anonymous() bool { return a == Capture || a == Read }

// Operation is one thing the loop does for a caller, whatever the door. In is a
// struct whose fields carry json names (NATS) and path or query names (HTTP);
// Out is a struct with json names.
type Operation[In, Out any] struct {
	Name        string // with dots: its NATS subject is learn.svc.<Name>
	Method      string // of HTTP
	Path        string
	Tag         string // groups operations in the document
	Summary     string
	Description string
	Access      Access
	// Aliases are argument names of the source documents that differ in more than
	// their case: {"rule_ids": "rules"}.
	Aliases map[string]string
	// Statuses are those of success over HTTP, 200 when empty.
	Statuses []int
	Do       func(ctx context.Context, in *In) (*Out, error)
}

// What an In or an Out may do besides.
type (
	// checker finds what types and tags cannot say.
	checker interface{ check() error }
	// statuser says with which status its answer leaves over HTTP.
	statuser interface{ status() int }
	// labelled carries headers, the same over HTTP and NATS.
	labelled interface{ headers() map[string]string }
)

// Registry holds every operation once; the doors are made from it.
type Registry struct {
	entries []entry
	failed  func(operation string, err error)
}

// entry is an operation whose types the doors need not know.
type entry struct {
	name    string
	access  Access
	method  string
	path    string
	summary string
	mount   func(*httpDoor)
	serve   func(*natsDoor) endpoint
}

// Add registers an operation. It panics when the name is taken: the programmer
// is wrong.
func Add[In, Out any](r *Registry, op Operation[In, Out]) {
	if slices.ContainsFunc(r.entries, func(e entry) bool { return e.name == op.Name }) {
		panic(fmt.Sprintf("api: operation %s is there already", op.Name))
	}
	if len(op.Statuses) == 0 {
		op.Statuses = []int{200}
	}
	do := op.Do
	op.Do = func(ctx context.Context, in *In) (*Out, error) {
		out, err := run(ctx, in, do)
		if err != nil {
			return nil, r.told(op.Name, err)
		}
		return out, nil
	}
	r.entries = append(r.entries, entry{
		name: op.Name, access: op.Access, method: op.Method, path: op.Path, summary: op.Summary,
		mount: func(d *httpDoor) { mount(d, op) },
		serve: func(d *natsDoor) endpoint { return serve(d, op) },
	})
}

// patience is how long a caller waits for an operation.
const patience = 30 * time.Second

// run checks the arguments and does it; a panic is a failure like any other, and
// its value, which may hold payload text, goes no further.
func run[In, Out any](ctx context.Context, in *In, do func(context.Context, *In) (*Out, error)) (out *Out, err error) {
	defer func() {
		if r := recover(); r != nil {
			out, err = nil, fmt.Errorf("panic (%T)\n%s", r, debug.Stack())
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if c, ok := any(in).(checker); ok {
		if err := c.check(); err != nil {
			return nil, err
		}
	}
	return do(ctx, in)
}

// told returns what the caller is told, and tells the operator what is ours.
func (r *Registry) told(name string, err error) *Problem {
	if errors.Is(err, context.DeadlineExceeded) && !errors.As(err, new(*Problem)) {
		err = problem(TimedOut, "").because(err)
	}
	p := asProblem(err)
	if p.cause != nil && r.failed != nil {
		r.failed(name, p.cause)
	}
	return p
}

// subjectOf is where an operation answers over NATS.
func subjectOf(name string) string { return subjects + name }

// subjects is where all operations answer over NATS.
const subjects = "learn.svc."
