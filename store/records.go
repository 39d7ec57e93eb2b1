package store

import (
	"encoding/binary"
	"errors"
	"fmt"

	"learnloop.dev/events"
)

// entry is a record as the tables hold it.
type entry struct {
	id      string
	kind    kindCode
	seq     uint64
	key     digest // of the group key
	at      instant
	person  digest
	someone bool // the record is about a person
	rec     events.Recorded
	raw     []byte
}

func entryOf(rec events.Recorded, raw []byte) *entry {
	h := rec.Header()
	return &entry{
		id: h.Record, kind: codeOf(h.Kind()), seq: h.Seq, key: digestOf(h.Key), at: instantOf(h.Time),
		person: digestOf(h.Person), someone: h.Person != "", rec: rec, raw: raw,
	}
}

// spot is where a record lies among the records of a partition.
type spot struct {
	key digest
	at  instant
	id  string
}

func (e *entry) spot() spot { return spot{e.key, e.at, e.id} }

// pair is one entry of a table.
type pair struct{ key, value []byte }

// pairs lists what the tables hold about a record, one pair for each table; the
// key of a table that does not know the record is nil.
func (e *entry) pairs(part uint16) [5]pair {
	sequence := binary.BigEndian.AppendUint64(nil, e.seq)
	tail := join(e.at[:], []byte(e.id))
	pairs := [5]pair{
		{recordKey(part, e.spot()), join(e.kind[:], sequence, e.raw)},
		{identityKey(part, e.id), join(e.key[:], e.at[:])},
		{sequenceKey(part, tableSequence, e.seq), join(e.kind[:], e.key[:], tail)},
		{append(append(keyOf(part, tableTime), e.kind[:]...), tail...), e.key[:]},
	}
	if e.someone {
		pairs[4] = pair{append(append(keyOf(part, tablePerson), e.person[:]...), tail...), join(e.kind[:], e.key[:])}
	}
	return pairs
}

func recordKey(part uint16, s spot) []byte {
	return append(append(append(keyOf(part, tableRecord), s.key[:]...), s.at[:]...), s.id...)
}

func identityKey(part uint16, id string) []byte { return append(keyOf(part, tableIdentity), id...) }

func join(parts ...[]byte) []byte {
	size := 0
	for _, p := range parts {
		size += len(p)
	}
	out := make([]byte, 0, size)
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

var errRecord = errors.New("a record's entry cannot be read")

// stored returns the record of an identity, nil when there is none.
func (l look) stored(id string) *entry {
	value := l.get(identityKey(l.part, id))
	if value == nil {
		return nil
	}
	if len(value) != len(digest{})+len(instant{}) {
		l.trouble.keep("read record "+id, errRecord)
		return nil
	}
	return l.load(spot{digest(value), instant(value[8:]), id})
}

// load returns the record at a spot. One that an index knows must be there.
func (l look) load(s spot) *entry {
	value := l.get(recordKey(l.part, s))
	if value == nil {
		l.trouble.keep("read record "+s.id, errRecord)
		return nil
	}
	e, err := l.store.decode(value)
	l.trouble.keep("read record "+s.id, err)
	return e
}

// decode reads a record; it keeps nothing of the value.
func (s *Store) decode(value []byte) (*entry, error) {
	if len(value) < 12 {
		return nil, errRecord
	}
	spec, ok := s.kinds[kindCode(value)]
	if !ok {
		return nil, fmt.Errorf("kind code %x: %w", value[:4], ErrFormat)
	}
	rec, err := spec.ReadFact(value[12:])
	if err != nil {
		return nil, errRecord // the decoder's own words could quote the record
	}
	rec.Header().Seq = binary.BigEndian.Uint64(value[4:])
	return entryOf(rec, nil), nil
}
