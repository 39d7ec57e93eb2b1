package learn

import (
	"fmt"
	"iter"
	"strings"

	"learnloop.dev/events"

	"github.com/go-json-experiment/json"
)

// Key names what is known together and published as one insight and one
// context: a rule, a category, a task type. An empty ID is the kind's only one.
type Key struct{ Kind, ID string }

// KindPerson is the kind of the keys that are people, by the names under which they are
// stored; their contexts have the names under which they are shown.
const KindPerson = "user"

// String returns the key as people type it: "rule.passive", "summary".
func (k Key) String() string {
	if k.ID == "" {
		return k.Kind
	}
	return k.Kind + "." + k.ID
}

// People is what the names of rows begin with that are named after people: the name
// as a token follows, and ends it. Who forgets a person finds them by it.
const People = "who/"

// RowPart is an id as a part of a row's name that others follow: a token without a
// slash, so that scanning the rows of one id does not meet those of a longer one.
func RowPart(id string) string { return strings.ReplaceAll(events.Token(id), "/", "=2F") }

// Place is the address of one row.
type Place struct {
	Model string
	Key   Key
	Row   string
}

// Table keeps the rows of one partition during one batch. A row changed through
// a cell marks its model and key as dirty: what is known about them is published again.
type Table interface {
	// Cell returns the row's cell; the same place gives the same cell until the
	// batch ends.
	Cell(Place) *Cell
	// Scan yields the cells of the rows of the place's key whose names begin with
	// the place's row, in byte order, changes of this batch included. A cell may be
	// of a row that does not exist.
	Scan(Place) iter.Seq2[string, *Cell]
	// Emit keeps a derived fact until it is appended to the log.
	Emit(Derived)
}

// Derived is a fact that follows from another and travels to another group. Its
// record is decided by its kind, group, key and identity, so that emitting it
// again is harmless; a later content replaces the earlier.
type Derived struct {
	Cause events.Head
	Part  events.Part
	// Withdrawn takes the derived record back, because its cause was.
	Withdrawn bool
}

// Emit sends a derived fact to its group through the analyzer's outbox.
func Emit(r Rows, d Derived) { r.table.Emit(d) }

// Cell holds one row in memory: its stored bytes, and its value once asked for.
type Cell struct {
	Stored  []byte // nil when the row does not exist
	Changed bool   // since it was stored
	Touched bool   // the row's key has to be known anew, whether or not a row changes
	// Guarded has the next change keep what was there before, for Settle or Revert.
	Guarded bool

	value  any
	codec  codec
	before any  // the value before the first change that was guarded
	was    bool // Changed, then
}

// Encode returns the row's bytes, nil when the value is zero and the row must go.
func (c *Cell) Encode() []byte {
	if c.value == nil {
		return c.Stored
	}
	return c.codec.encode(c.value)
}

// Empty reports whether the row neither exists nor is to.
func (c *Cell) Empty() bool {
	return c.Stored == nil && (c.value == nil || c.codec.zero(c.value))
}

// Settle accepts what happened since the cell was guarded, and reports whether
// the row differs now or was touched.
func (c *Cell) Settle() (differs bool) {
	differs = c.Touched
	if c.before != nil {
		if c.codec.equal(c.before, c.value) {
			c.Changed = c.was
		} else {
			differs = true
		}
	}
	c.before, c.Touched, c.Guarded = nil, false, false
	return differs
}

// Revert undoes what happened since the cell was guarded.
func (c *Cell) Revert() {
	if c.before != nil {
		c.value, c.Changed = c.before, c.was
	}
	c.before, c.Touched, c.Guarded = nil, false, false
}

// Rows are a model's small values. A model sees one partition and only its own.
type Rows struct {
	table Table
	model string
}

// At returns the row for reading and writing. A row left at its zero value does
// not exist, so that taking back everything leaves nothing.
func At[T comparable](r Rows, key Key, row string) *T {
	c := r.table.Cell(Place{r.model, key, row})
	v := valueOf[T](c)
	if c.Guarded {
		before := *v
		c.before, c.was, c.Guarded = &before, c.Changed, false
	}
	c.Changed = true
	return v
}

// Touch has what is known about a key published anew although none of its rows
// changes: something else did that Know depends on.
func Touch(r Rows, key Key) {
	r.table.Cell(Place{Model: r.model, Key: key}).Touched = true
}

// Peek returns a copy of the row, zero when it does not exist.
func Peek[T comparable](r Rows, key Key, row string) T {
	return *valueOf[T](r.table.Cell(Place{r.model, key, row}))
}

// Scan yields the rows of key whose names begin with prefix, in byte order.
// Rows must not be changed meanwhile.
func Scan[T comparable](r Rows, key Key, prefix string) iter.Seq2[string, T] {
	return func(yield func(string, T) bool) {
		var zero T
		for row, cell := range r.table.Scan(Place{r.model, key, prefix}) {
			if v := *valueOf[T](cell); v != zero && !yield(row, v) {
				return
			}
		}
	}
}

func valueOf[T comparable](c *Cell) *T {
	if c.value == nil {
		v := new(T)
		if c.Stored != nil {
			*v = decode[T](c.Stored)
		}
		c.value, c.codec = v, typed[T]{}
	}
	return c.value.(*T)
}

// codec knows a cell's type, which else only the model knows.
type codec interface {
	encode(value any) []byte
	equal(a, b any) bool
	zero(value any) bool
}

type typed[T comparable] struct{}

func (t typed[T]) encode(v any) []byte {
	if t.zero(v) {
		return nil
	}
	data, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		panic(fmt.Sprintf("learn: row type %T cannot be encoded: %v", v, err))
	}
	return data
}

func (typed[T]) zero(v any) bool {
	var zero T
	return *v.(*T) == zero
}

func (typed[T]) equal(a, b any) bool { return *a.(*T) == *b.(*T) }

func decode[T comparable](data []byte) T {
	var v T
	if err := json.Unmarshal(data, &v); err != nil {
		panic(fmt.Sprintf("learn: stored row is not a %T: %v", v, err))
	}
	return v
}
