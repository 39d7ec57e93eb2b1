package api

import (
	"context"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Call is an operation that is asked for in the same process.
type Call struct {
	Name string // of the operation
	Args any    // what JSON makes an object of; nil: none
}

// Do does an operation as any door would, for the context's visitor: the arguments are
// checked, and what goes wrong is a *Problem. The answer is what leaves through the other
// doors.
func (a *API) Do(ctx context.Context, c Call) (jsontext.Value, error) {
	e, found := a.registry.find(c.Name)
	if !found {
		return nil, problem(NotFound, "this process has no operation "+c.Name)
	}
	if p := a.registry.admit(ctx, e); p != nil { // before anything of the arguments is read
		return nil, p
	}
	in := e.empty()
	if p := a.indoors.read(e, c, in); p != nil {
		return nil, p
	}
	ans, p := a.registry.operate(e)(ctx, in)
	if p != nil {
		return nil, p
	}
	return ans.data, nil
}

// find returns the operation of a name.
func (r *Registry) find(name string) (entry, bool) {
	for _, e := range r.entries {
		if e.name == name {
			return e, true
		}
	}
	return entry{}, false
}

// indoors is the door for who is in the house already. The zero value is ready, and
// safe for concurrent use.
type indoors struct {
	mu       sync.Mutex
	readings map[string]reading // guarded by mu; by operation
}

// reading is how an operation reads its arguments, as the NATS door has it.
func (d *indoors) reading(e entry) reading {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.readings == nil {
		d.readings = map[string]reading{}
	}
	g, known := d.readings[e.name]
	if !known {
		schemas := huma.NewMapRegistry(defs, huma.DefaultSchemaNamer) // its own: others may be read meanwhile
		g = readingOf(schemas, arguments(schemas, e.in), e.aliases)
		d.readings[e.name] = g
	}
	return g
}

// read makes arguments of what is given.
func (d *indoors) read(e entry, c Call, in any) *Problem {
	data := []byte("{}")
	if c.Args != nil {
		var err error
		if data, err = json.Marshal(c.Args); err != nil {
			return problem(Internal, "").because(err)
		}
	}
	if raw, ok := in.(receiver); ok {
		raw.receive(nil, data)
		return nil
	}
	return d.reading(e).readAll(data, in)
}
