package store

import (
	"fmt"
	"maps"
	"slices"

	"learnloop.dev/events"
	"learnloop.dev/learn"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Emitted is a derived fact on its way to the log.
type Emitted struct {
	ID        uint64 // in the outbox
	Partition int    // that emitted it
	learn.Derived
}

// letter is a derived fact as the outbox holds it.
type letter struct {
	Partition int            `json:"partition"`
	Cause     events.Head    `json:"cause"`
	Seq       uint64         `json:"seq"`
	Group     events.Group   `json:"group"`
	Key       string         `json:"key,omitzero"`
	Exchange  string         `json:"exchange,omitzero"`
	Kind      events.Kind    `json:"kind"`
	Data      jsontext.Value `json:"data,omitzero"`
	Withdrawn bool           `json:"withdrawn,omitzero"`
}

// Outbox lists up to limit derived facts in the order in which they were emitted.
func (s *Store) Outbox(limit int) ([]Emitted, error) {
	var list []Emitted
	add := func(id uint64, value []byte) error {
		e, err := decodeLetter(value)
		e.ID = id
		list = append(list, e)
		return err
	}
	err := s.alone(func() error {
		if err := s.queue(tableOutbox, &s.outbox, limit, add); err != nil {
			return err
		}
		fresh := s.window.letters
		for _, l := range fresh[:min(len(fresh), limit-len(list))] {
			if err := add(l.id, l.data); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read outbox: %w", err)
	}
	return list, nil
}

// Sent removes derived facts from the outbox: they are in the log.
func (s *Store) Sent(ids []uint64) error {
	err := s.alone(func() error { return s.dropNumbers(tableOutbox, s.window.forget(ids)) })
	if err != nil {
		return fmt.Errorf("empty outbox: %w", err)
	}
	return nil
}

// forget drops derived facts that never came to disk, and returns the ids of the
// others.
func (w *window) forget(ids []uint64) (others []uint64) {
	gone := map[uint64]bool{}
	for _, id := range ids {
		gone[id] = true
	}
	w.letters = slices.DeleteFunc(w.letters, func(l pending) bool {
		fresh := gone[l.id]
		delete(gone, l.id)
		return fresh
	})
	return slices.Sorted(maps.Keys(gone))
}

func (s *Store) dropNumbers(table byte, numbers []uint64) error {
	for chunk := range slices.Chunk(numbers, chunkSize) {
		err := s.commit(func(w *writer) {
			for _, n := range chunk {
				w.drop(sequenceKey(whole, table, n))
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// loadOutbox finds the next free id.
func (s *Store) loadOutbox() error {
	return s.scan(keyOf(whole, tableOutbox), 0, func(key, _ []byte) error {
		s.letter = number(key) + 1
		return nil
	})
}

func encodeLetter(part int, d learn.Derived) ([]byte, error) {
	l := letter{
		Partition: part, Cause: d.Cause, Seq: d.Cause.Seq, Withdrawn: d.Withdrawn,
		Group: d.Part.Group, Key: d.Part.Key, Exchange: d.Part.Exchange, Kind: d.Part.Kind,
	}
	if d.Part.Data != nil {
		data, err := json.Marshal(d.Part.Data, json.Deterministic(true))
		if err != nil {
			return nil, err
		}
		l.Data = data
	}
	return json.Marshal(l)
}

func decodeLetter(data []byte) (Emitted, error) {
	var l letter
	if err := json.Unmarshal(data, &l); err != nil {
		return Emitted{}, errRecord // the decoder's own words could quote the fact
	}
	e := Emitted{Partition: l.Partition, Derived: learn.Derived{Cause: l.Cause, Withdrawn: l.Withdrawn}}
	e.Cause.Seq = l.Seq
	e.Part = events.Part{Group: l.Group, Key: l.Key, Exchange: l.Exchange, Kind: l.Kind}
	if l.Data == nil {
		return e, nil
	}
	spec, ok := events.Lookup(l.Kind)
	if !ok {
		return Emitted{}, fmt.Errorf("kind %s: %w", l.Kind, ErrFormat)
	}
	e.Part.Data = spec.NewPayload()
	if err := json.Unmarshal(l.Data, e.Part.Data); err != nil {
		return Emitted{}, errRecord
	}
	return e, nil
}
