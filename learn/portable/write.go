package portable

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Writer writes an export piece by piece: Begin, Patterns and Rules in order, End. It
// keeps nothing but the piece it is writing. What it writes is canonical JSON (RFC 8785)
// but for the checksum, which stands at the end: it is that of the rest.
type Writer struct {
	w       io.Writer
	sum     hash.Hash
	header  Header
	entries int // of the section that is being written
	rules   bool
	buf     []byte
}

// NewWriter returns a writer to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w, sum: sha256.New()} }

// Begin writes what comes before the entries.
func (w *Writer) Begin(h Header) error {
	w.header = h
	w.put(`{"exported_at":`)
	if err := w.value(h.ExportedAt.UTC()); err != nil {
		return err
	}
	w.put(`,"options":`)
	if err := w.value(h.Options); err != nil {
		return err
	}
	w.put(`,"patterns":[`)
	return w.flush()
}

// Patterns writes patterns; they are in order over all calls.
func (w *Writer) Patterns(list ...Pattern) error {
	for i := range list {
		if err := w.entry(&list[i]); err != nil {
			return err
		}
	}
	return w.flush()
}

// Rules writes rules; they are in order over all calls, and no patterns follow.
func (w *Writer) Rules(list ...Rule) error {
	w.turn()
	for i := range list {
		if err := w.entry(&list[i]); err != nil {
			return err
		}
	}
	return w.flush()
}

// turn begins the section of the rules.
func (w *Writer) turn() {
	if !w.rules {
		w.put(`],"rules":[`)
		w.rules, w.entries = true, 0
	}
}

// End writes what comes behind the entries, the statistics unless they are nil.
func (w *Writer) End(until time.Time, statistics jsontext.Value) error {
	w.turn()
	w.put(`],"source":`)
	if err := w.value(w.header.Source); err != nil {
		return err
	}
	if statistics != nil {
		w.put(`,"statistics":`)
		if err := w.value(statistics); err != nil {
			return err
		}
	}
	w.put(`,"until":`)
	if err := w.value(until.UTC()); err != nil {
		return err
	}
	w.put(`,"version":"` + Version + `"`)
	if err := w.flush(); err != nil {
		return err
	}
	w.sum.Write([]byte("}"))
	w.buf = append(w.buf, `,"checksum":"`+hex.EncodeToString(w.sum.Sum(nil))+`"}`+"\n"...)
	return w.send()
}

func (w *Writer) entry(v any) error {
	if w.entries > 0 {
		w.put(",")
	}
	w.entries++
	return w.value(v)
}

func (w *Writer) put(text string) { w.buf = append(w.buf, text...) }

// value writes a value in its canonical form.
func (w *Writer) value(v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write export: encode %T: %w", v, err)
	}
	c := jsontext.Value(data)
	if err := c.Canonicalize(); err != nil {
		return fmt.Errorf("write export: canonicalise %T: %w", v, err)
	}
	w.buf = append(w.buf, c...)
	return nil
}

// flush writes what the checksum is about.
func (w *Writer) flush() error {
	w.sum.Write(w.buf) // never fails
	return w.send()
}

func (w *Writer) send() error {
	_, err := w.w.Write(w.buf)
	w.buf = w.buf[:0]
	if err != nil {
		return fmt.Errorf("write export: %w", err)
	}
	return nil
}
