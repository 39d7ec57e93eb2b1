package main

import (
	"bytes"
	"errors"
	"io"

	"learnloop.dev/events"

	"github.com/go-json-experiment/json/jsontext"
)

// batchSubject is where batches are published: what is in one says itself what
// it is. Kinds that permissions reserve travel on a subject of their own.
const batchSubject = events.InboxPrefix + "batch"

// parcel is one event as it will travel.
type parcel struct {
	body    []byte
	subject string
	alone   bool // not in a batch with others
	broken  bool // not a JSON object: nobody will know which replay it is from
}

// packer marks events as belonging to one replay.
type packer struct {
	mark []byte // `{"replayid":"…"`
	dec  *jsontext.Decoder
}

func newPacker(replay string) *packer {
	return &packer{
		mark: []byte(`{"` + events.ExtReplay + `":"` + replay + `"`),
		dec:  jsontext.NewDecoder(bytes.NewReader(nil)),
	}
}

// pack appends the event of a line to buf, marked; nothing else of it changes.
// A line that is not a JSON object is sent as it is, to get its dead letter.
func (p *packer) pack(line, buf []byte) parcel {
	outline, err := p.read(line)
	if err != nil {
		return parcel{body: append(buf, line...), subject: batchSubject, alone: true, broken: true}
	}
	buf = append(buf, p.mark...)
	if outline.cutFrom != outline.start || outline.cutTo == outline.start {
		buf = append(buf, ',') // otherwise the older mark stood first and left its comma
	}
	buf = append(buf, line[outline.start:outline.cutFrom]...)
	buf = append(buf, line[outline.cutTo:]...)
	out := parcel{body: buf, subject: batchSubject, alone: len(line) > events.MaxData}
	if kind, ok := events.KindOf(outline.ceType); ok && (kind.Control() || kind.Reviewed()) {
		out.subject, out.alone = kind.Subject(), true
	}
	return out
}

// outline is where the parts of a structured event are in its line.
type outline struct {
	ceType         string
	start          int // of the first member
	cutFrom, cutTo int // an older mark, without which the rest is the event
}

var errNotAnEvent = errors.New("not one JSON object with members")

// read finds the outline of one event and fails unless all of the line is one
// JSON object.
func (p *packer) read(line []byte) (o outline, err error) {
	p.dec.Reset(bytes.NewBuffer(line), jsontext.AllowDuplicateNames(true)) // the loop explains those
	if tok, err := p.dec.ReadToken(); err != nil || tok.Kind() != '{' || p.dec.PeekKind() == '}' {
		return o, errNotAnEvent
	}
	o.start = int(p.dec.InputOffset())
	o.cutFrom, o.cutTo = o.start, o.start
	for p.dec.PeekKind() != '}' {
		if err := p.member(&o); err != nil {
			return o, err
		}
	}
	if _, err := p.dec.ReadToken(); err != nil {
		return o, err
	}
	if _, err := p.dec.ReadToken(); !errors.Is(err, io.EOF) {
		return o, errNotAnEvent
	}
	return o, nil
}

// member reads one member of the event.
func (p *packer) member(o *outline) error {
	before := int(p.dec.InputOffset())
	name, err := p.dec.ReadToken()
	if err != nil {
		return err
	}
	switch name.String() {
	case "type":
		value, err := p.dec.ReadValue()
		if err == nil {
			text, _ := jsontext.AppendUnquote(nil, value) // what is no string is no kind
			o.ceType = string(text)
		}
		return err
	case events.ExtReplay:
		err := p.dec.SkipValue()
		o.cutFrom, o.cutTo = before, int(p.dec.InputOffset())
		return err
	}
	return p.dec.SkipValue()
}
