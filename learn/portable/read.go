package portable

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// What is wrong with a document that cannot be read.
var (
	ErrBroken   = errors.New("not a whole export")
	ErrChecksum = errors.New("the checksum does not fit: something was changed")
	ErrVersion  = errors.New("the export is of another version")
	ErrTooLarge = errors.New("the export is larger than can be imported")
)

// How much of a document there may be, in bytes.
const (
	Largest    = 512 << 20
	longEntry  = 256 << 10
	longFigure = 64 << 20 // the statistics
	ahead      = 128 << 10
)

// Visitor takes entries as they are read; a nil function passes them over.
type Visitor struct {
	Pattern func(*Pattern) error
	Rule    func(*Rule) error
}

// Summary is what a whole document says of itself.
type Summary struct {
	Header
	Checksum string
	Patterns int
	Rules    int
}

// Read reads a document to its end and checks all of it: form, order, values, version
// and checksum. Its members stand in the order of their names, except for the checksum.
// Entries are visited before it is known whether the checksum fits: whoever acts on them
// reads twice. Memory does not depend on the length. Errors say where and what, and
// quote nothing.
func Read(from io.Reader, v Visitor) (Summary, error) {
	m := &meter{r: from, allowed: ahead}
	r := &reader{meter: m, dec: jsontext.NewDecoder(m), sum: sha256.New(), visit: v}
	err := r.document()
	switch {
	case err == nil:
		return r.found, nil
	case m.over:
		return Summary{}, ErrTooLarge
	case errors.Is(err, ErrBroken), errors.Is(err, ErrChecksum), errors.Is(err, ErrVersion), errors.Is(err, errVisitor):
		return Summary{}, err
	case errors.Is(err, m.err) && m.err != nil && !errors.Is(m.err, io.EOF):
		return Summary{}, fmt.Errorf("read export: %w", m.err)
	}
	return Summary{}, r.broken("JSON as it was written")
}

// errVisitor marks what a visitor did not like.
var errVisitor = errors.New("entry refused")

// meter hands on no more than is allowed, so that nothing long is ever held.
type meter struct {
	r             io.Reader
	read, allowed int64
	over          bool
	err           error
}

// Read reads up to what is allowed.
func (m *meter) Read(p []byte) (int, error) {
	left := min(m.allowed, Largest+1) - m.read
	if left <= 0 {
		m.over = true
		return 0, ErrTooLarge
	}
	n, err := m.r.Read(p[:min(int64(len(p)), left)])
	m.read += int64(n)
	m.err = err
	return n, err
}

type reader struct {
	meter *meter
	dec   *jsontext.Decoder
	sum   hash.Hash
	visit Visitor
	found Summary
	last  Key
	seen  int // members that the checksum is about
	entry int
}

// allow lets so many bytes more be read for what comes next.
func (r *reader) allow(n int64) { r.meter.allowed = r.dec.InputOffset() + n + ahead }

func (r *reader) broken(want string) error {
	return fmt.Errorf("%w: at byte %d, want %s", ErrBroken, r.dec.InputOffset(), want)
}

// document reads all of it.
func (r *reader) document() error {
	if err := r.open('{', "an object"); err != nil {
		return err
	}
	r.sum.Write([]byte("{"))
	before := ""
	for r.dec.PeekKind() != '}' {
		r.allow(longEntry)
		t, err := r.dec.ReadToken()
		if err != nil {
			return err
		}
		name := t.String()
		if name != "checksum" {
			if name <= before {
				return r.broken("members in the order of their names")
			}
			before = name
		}
		if err := r.member(name); err != nil {
			return err
		}
	}
	if _, err := r.dec.ReadToken(); err != nil {
		return err
	}
	r.sum.Write([]byte("}"))
	return r.end()
}

// end checks what can be checked when everything was read.
func (r *reader) end() error {
	r.allow(ahead)
	if _, err := r.dec.ReadToken(); !errors.Is(err, io.EOF) {
		return r.broken("nothing behind the export")
	}
	h := &r.found.Header
	switch {
	case h.Version == "" || r.found.Checksum == "" || h.ExportedAt.IsZero() || h.Until.IsZero() || !named(h.Source):
		return r.broken("version, checksum, exported_at, until and source")
	case r.found.Checksum != hex.EncodeToString(r.sum.Sum(nil)):
		return ErrChecksum
	}
	return nil
}

// member reads the value of a member.
func (r *reader) member(name string) error {
	if name != "checksum" {
		if r.seen > 0 {
			r.sum.Write([]byte(","))
		}
		r.seen++
		data, _ := jsontext.AppendQuote(nil, name) // one of the decoder's
		r.sum.Write(append(data, ':'))
	}
	h := &r.found.Header
	switch name {
	case "checksum":
		v, err := r.value(longEntry)
		if err != nil {
			return err
		}
		return r.decode(v, &r.found.Checksum)
	case "exported_at":
		return r.hashed(longEntry, &h.ExportedAt)
	case "options":
		return r.hashed(longEntry, &h.Options)
	case "patterns":
		return r.list(r.pattern)
	case "rules":
		return r.list(r.rule)
	case "source":
		return r.hashed(longEntry, &h.Source)
	case "statistics":
		var v jsontext.Value
		return r.hashed(longFigure, &v)
	case "until":
		return r.hashed(longEntry, &h.Until)
	case "version":
		if err := r.hashed(longEntry, &h.Version); err != nil {
			return err
		}
		return versioned(h.Version)
	}
	return r.broken("members of an export")
}

// versioned refuses what this program cannot read.
func versioned(version string) error {
	major, _, _ := strings.Cut(Version, ".")
	if is, _, ok := strings.Cut(version, "."); !ok || is != major {
		return fmt.Errorf("%w: this program reads %s", ErrVersion, Version)
	}
	return nil
}

// list reads the entries of a section.
func (r *reader) list(entry func(jsontext.Value) error) error {
	if err := r.open('[', "an array"); err != nil {
		return err
	}
	r.sum.Write([]byte("["))
	r.last, r.entry = Key{}, 0
	for r.dec.PeekKind() != ']' {
		if r.entry > 0 {
			r.sum.Write([]byte(","))
		}
		r.entry++
		v, err := r.value(longEntry)
		if err != nil {
			return err
		}
		r.sum.Write(v)
		if err := entry(v); err != nil {
			return err
		}
		r.allow(longEntry)
	}
	r.sum.Write([]byte("]"))
	_, err := r.dec.ReadToken()
	return err
}

func (r *reader) pattern(v jsontext.Value) error {
	var p Pattern
	if err := r.decode(v, &p); err != nil {
		return err
	}
	if !p.sound() || !r.follows(p.Key()) {
		return r.broken("a pattern, in order")
	}
	r.found.Patterns++
	if r.visit.Pattern == nil {
		return nil
	}
	return visited(r.visit.Pattern(&p))
}

func (r *reader) rule(v jsontext.Value) error {
	var rule Rule
	if err := r.decode(v, &rule); err != nil {
		return err
	}
	if !rule.sound() || !r.follows(rule.Key()) {
		return r.broken("a rule, in order")
	}
	r.found.Rules++
	if r.visit.Rule == nil {
		return nil
	}
	return visited(r.visit.Rule(&rule))
}

func visited(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", errVisitor, err)
}

// follows reports whether an entry comes behind the one before.
func (r *reader) follows(k Key) bool {
	ok := r.entry == 1 || r.last.Compare(k) < 0
	r.last = k
	return ok
}

// open reads the beginning of an object or an array.
func (r *reader) open(kind jsontext.Kind, want string) error {
	r.allow(longEntry)
	if r.dec.PeekKind() != kind {
		return r.broken(want)
	}
	_, err := r.dec.ReadToken()
	return err
}

// value reads a value of so many bytes at most, and returns its canonical form.
func (r *reader) value(most int64) (jsontext.Value, error) {
	r.allow(most)
	v, err := r.dec.ReadValue()
	if err != nil {
		return nil, err
	}
	v = v.Clone()
	if err := v.Canonicalize(); err != nil {
		return nil, err
	}
	return v, nil
}

// hashed reads a value that the checksum is about.
func (r *reader) hashed(most int64, to any) error {
	v, err := r.value(most)
	if err != nil {
		return err
	}
	r.sum.Write(v)
	return r.decode(v, to)
}

// decode reads a value; what its type does not know is refused.
func (r *reader) decode(v jsontext.Value, to any) error {
	if json.Unmarshal(v, to, json.RejectUnknownMembers(true)) != nil {
		return r.broken("what the form describes") // the decoder's own words quote
	}
	return nil
}
