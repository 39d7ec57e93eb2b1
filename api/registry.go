package api

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"learnloop.dev/access"

	"github.com/go-json-experiment/json"
)

// Registry holds every operation once; the doors are made from it.
type Registry struct {
	entries []entry
	failed  func(operation string, err error)
	rounds  *rounds
	// receipts answer again what brought a key; nil: nothing is remembered.
	receipts *receipts
	journal  Journal          // of what people change; nil: none is kept
	now      func() time.Time // of its lines
	attempts access.Limit     // how many are noted of those who may not
	away     func() bool      // whether the NATS server is; nil: it never is
}

// entry is an operation whose types are known by reflection alone. Whatever works with
// them as types is compiled once for each operation, and weighs as often (ADR 0031).
type entry struct {
	name, method, path, tag string
	summary, description    string
	access                  Access
	unlisted                bool
	aliases                 map[string]string
	statuses                []int
	in, out                 reflect.Type
	same                    func(in any) (string, error)
	do                      func(ctx context.Context, in any) (any, error)
}

// Add registers an operation. It panics when the name is taken: the programmer
// is wrong.
func Add[In, Out any](r *Registry, op operation[In, Out]) {
	e := entry{
		name: op.Name, method: op.Method, path: op.Path, tag: op.Tag,
		summary: op.Summary, description: op.Description, access: op.Access,
		unlisted: op.Unlisted, aliases: op.Aliases, statuses: op.Statuses,
		in: reflect.TypeFor[In]().Elem(), out: reflect.TypeFor[Out]().Elem(),
		do: func(ctx context.Context, in any) (any, error) { return op.Do(ctx, in.(In)) },
	}
	if op.Same != nil {
		e.same = func(in any) (string, error) { return op.Same(in.(In)) }
	}
	r.add(e)
}

// empty returns arguments to fill in.
func (e entry) empty() any { return reflect.New(e.in).Interface() }

func (r *Registry) add(e entry) {
	if slices.ContainsFunc(r.entries, func(o entry) bool { return o.name == e.name }) {
		panic(fmt.Sprintf("api: operation %s is there already", e.name))
	}
	if len(e.statuses) == 0 {
		e.statuses = []int{200}
	}
	r.entries = append(r.entries, e)
}

// operate does an operation and returns what leaves, or what went wrong.
type operate func(ctx context.Context, in any) (answer, *Problem)

// operate is how the doors do an operation.
func (r *Registry) operate(e entry) operate {
	return func(ctx context.Context, in any) (answer, *Problem) {
		who := VisitorOf(ctx)
		if p := r.admit(ctx, e); p != nil {
			return answer{}, p
		}
		if a, ok := in.(introduced); ok {
			a.meet(who)
		}
		ans, p := r.do(ctx, e, in)
		if e.audited(who) {
			r.write(ctx, e.deed(in, ans, p))
		}
		return ans, p
	}
}

// admit is what is wrong when somebody asks for an operation, nil when nothing is. An
// attempt of who said who they are, and may not, is noted.
func (r *Registry) admit(ctx context.Context, e entry) *Problem {
	who := VisitorOf(ctx)
	p := who.refused(e.access)
	if p == nil || p.Code != NotAllowed {
		return p
	}
	if _, ok := r.attempts.Take(who.identity(), r.now()); ok {
		r.write(ctx, Deed{Operation: e.name, Outcome: string(p.Code)})
	}
	return p
}

// do does an operation for somebody who may.
func (r *Registry) do(ctx context.Context, e entry, in any) (answer, *Problem) {
	ctx, end := r.attached(ctx)
	defer end()
	ans, err := r.once(ctx, e, in)
	if err != nil && errors.Is(context.Cause(ctx), errAway) {
		return ans, forsaken()
	}
	if err != nil {
		return ans, r.told(e.name, err)
	}
	ans.broken = func(err error) { _ = r.told(e.name, err) } // the caller is told by the break
	return ans, nil
}

// once does it, but not again for who brings the key of a request that was answered.
func (r *Registry) once(ctx context.Context, e entry, in any) (answer, error) {
	k, is := in.(repeatable)
	if !is || k.once() == "" || r.receipts == nil {
		return e.run(ctx, in, r.rounds)
	}
	return r.receipts.once(ctx, secretOf(e.name, VisitorOf(ctx).identity(), k.once()), in, func() (answer, error) { return e.run(ctx, in, r.rounds) })
}

// answer is what leaves, the same through each door.
type answer struct {
	data    []byte // JSON
	headers map[string]string
	status  int         // over HTTP
	whole   streaming   // over HTTP in place of data, when it is not nil
	broken  func(error) // tells the operator why it broke off
	pending bool        // nothing was done yet
	made    string      // the name of what was made
}

// patience is how long a caller waits for an operation.
const patience = 30 * time.Second

// run checks the arguments, does it and encodes what comes of it; a panic is a
// failure like any other, and its value, which may hold payload text, goes no further.
func (e entry) run(ctx context.Context, in any, shared *rounds) (ans answer, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = panicked(v)
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if c, ok := in.(checker); ok {
		if err := c.check(); err != nil {
			return ans, err
		}
	}
	answered := func(ctx context.Context) (answer, error) {
		out, err := e.do(ctx, in)
		if err != nil {
			return answer{}, err
		}
		return encoded(out, e.statuses[0])
	}
	if e.same == nil {
		return answered(ctx)
	}
	question, err := e.same(in)
	if err != nil {
		return ans, err
	}
	return shared.share(ctx, e.name+" "+question, answered)
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
	if t, ok := out.(tentative); ok {
		ans.pending = t.pending()
	}
	if m, ok := out.(made); ok {
		ans.made = m.name()
	}
	ans.whole, _ = out.(streaming)
	if w, ok := out.(written); ok {
		ans.data, err = w.text()
	} else {
		ans.data, err = json.Marshal(out, json.Deterministic(true))
	}
	if err != nil {
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
