package api

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"time"

	"github.com/go-json-experiment/json"
)

// Access says who may call an operation.
type Access int

const (
	// Capture takes events from anybody who reaches the loop.
	Capture Access = iota
	// Read answers everybody who reaches the loop.
	Read
	// Admin changes, clears, forgets, shows people or looks into the machinery: the
	// admin token over HTTP, a credential over NATS.
	Admin
)

// String names the access.
func (a Access) String() string { return [...]string{"capture", "read", "admin"}[a] }

// anonymous reports whether clients without credentials may call, through any door.
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
	// Same names what is asked for, so that callers who ask the same at one time share an
	// answer; nil: each has their own.
	Same func(in *In) (string, error)
	Do   func(ctx context.Context, in *In) (*Out, error)
}

// What an In or an Out may do besides.
type (
	// checker finds what types and tags cannot say.
	checker interface{ check() error }
	// graded says with which status its answer leaves over HTTP.
	graded interface{ status() int }
	// labelled carries headers, the same over HTTP and NATS.
	labelled interface{ headers() map[string]string }
	// streaming is more than its first page over HTTP.
	streaming interface {
		media() string // the content type
		stream(ctx context.Context, w io.Writer) error
	}
)

// Registry holds every operation once; the doors are made from it.
type Registry struct {
	entries []entry
	failed  func(operation string, err error)
	rounds  *rounds
	away    func() bool // whether the NATS server is; nil: it never is
}

// entry is an operation whose types the doors need not know.
type entry struct {
	name    string
	access  Access
	method  string
	path    string
	summary string
	mount   func(*httpDoor)
	serve   func(life context.Context, d *natsDoor) endpoint
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
	call := func(ctx context.Context, in *In) (answer, *Problem) {
		ctx, end := r.attached(ctx)
		defer end()
		ans, err := op.run(ctx, in, r.rounds)
		if err != nil && errors.Is(context.Cause(ctx), errAway) {
			return ans, forsaken()
		}
		if err != nil {
			return ans, r.told(op.Name, err)
		}
		ans.broken = func(err error) { _ = r.told(op.Name, err) } // the caller is told by the break
		return ans, nil
	}
	r.entries = append(r.entries, entry{
		name: op.Name, access: op.Access, method: op.Method, path: op.Path, summary: op.Summary,
		mount: func(d *httpDoor) { mount(d, op, call) },
		serve: func(life context.Context, d *natsDoor) endpoint { return serve(life, d, op, call) },
	})
}

// operate does an operation and returns what leaves, or what went wrong.
type operate[In any] func(ctx context.Context, in *In) (answer, *Problem)

// answer is what leaves, the same through each door.
type answer struct {
	data    []byte // JSON
	headers map[string]string
	status  int         // over HTTP
	whole   streaming   // over HTTP in place of data, when it is not nil
	broken  func(error) // tells the operator why it broke off
}

// patience is how long a caller waits for an operation.
const patience = 30 * time.Second

// run checks the arguments, does it and encodes what comes of it; a panic is a
// failure like any other, and its value, which may hold payload text, goes no further.
func (op Operation[In, Out]) run(ctx context.Context, in *In, shared *rounds) (ans answer, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic (%T)\n%s", v, debug.Stack())
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if c, ok := any(in).(checker); ok {
		if err := c.check(); err != nil {
			return ans, err
		}
	}
	if op.Same == nil {
		return op.do(ctx, in)
	}
	question, err := op.Same(in)
	if err != nil {
		return ans, err
	}
	return shared.share(ctx, op.Name+" "+question, func(ctx context.Context) (answer, error) { return op.do(ctx, in) })
}

func (op Operation[In, Out]) do(ctx context.Context, in *In) (ans answer, err error) {
	out, err := op.Do(ctx, in)
	if err != nil {
		return ans, err
	}
	return encoded(out, op.Statuses[0])
}

// encoded makes an answer of a result.
func encoded(out any, status int) (ans answer, err error) {
	ans.status = status
	if s, ok := out.(graded); ok {
		ans.status = s.status()
	}
	if l, ok := out.(labelled); ok {
		ans.headers = l.headers()
	}
	ans.whole, _ = out.(streaming)
	if ans.data, err = json.Marshal(out, json.Deterministic(true)); err != nil {
		return ans, fmt.Errorf("encode answer: %w", err)
	}
	return ans, nil
}

// told returns what the caller is told, and tells the operator what is ours.
func (r *Registry) told(name string, err error) *Problem {
	p := asProblem(err)
	switch {
	case p.Code != Internal:
	case errors.Is(err, context.Canceled):
		p = problem(TimedOut, "the caller has gone")
	case errors.Is(err, context.DeadlineExceeded):
		p = problem(TimedOut, "").because(err)
	}
	if p.cause != nil && r.failed != nil {
		r.failed(name, p.cause)
	}
	return p
}

// subjectOf is where an operation answers over NATS.
func subjectOf(name string) string { return subjects + name }

// subjects is where all operations answer over NATS.
const subjects = "learn.svc."
