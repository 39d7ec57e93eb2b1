package store

import (
	"encoding/binary"
	"fmt"
)

// What does not fit into one transaction is written down first, in parts: once the
// last of them is there, all of it counts, and whoever opens the store after a
// crash carries it out again. Carrying it out twice is harmless.
//
//	large              number of the part                      changes
//	large              0xFFFFFFFFFFFFFFFF                      how many parts
const wholeLarge = ^uint64(0)

// partSize is about how much of a large commit goes into one transaction, in bytes.
// A single value is smaller than the rest of what the engine takes.
const partSize = 128 << 10

func largeKey(n uint64) []byte { return sequenceKey(whole, tableLarge, n) }

// writeLarge writes changes of any size, all or nothing.
func (s *Store) writeLarge(ops []op) error {
	parts := split(ops)
	if err := s.prepareLarge(parts); err != nil {
		return err
	}
	return s.carryOut(parts)
}

// prepareLarge writes a large commit down; with the last transaction it counts.
func (s *Store) prepareLarge(parts [][]op) error {
	for i, part := range parts {
		if err := s.write([]op{{key: largeKey(uint64(i)), value: encodeOps(part)}}); err != nil {
			return err
		}
	}
	return s.write([]op{{key: largeKey(wholeLarge), value: numberBytes(uint64(len(parts)))}})
}

// carryOut does what was written down, and then removes the writing.
func (s *Store) carryOut(parts [][]op) error {
	gone := []op{{key: largeKey(wholeLarge), drop: true}}
	for i, part := range parts {
		if err := s.write(part); err != nil {
			return err
		}
		gone = append(gone, op{key: largeKey(uint64(i)), drop: true})
	}
	return s.write(gone)
}

// finishLarge finishes a large commit that a crash interrupted, or removes what was
// written down of it when it does not count yet.
func (s *Store) finishLarge() error {
	var parts [][]op
	var gone []op
	complete := false
	err := s.scan(keyOf(whole, tableLarge), 0, func(key, value []byte) error {
		gone = append(gone, op{key: largeKey(number(key)), drop: true})
		if number(key) == wholeLarge {
			complete = number(value) == uint64(len(parts))
			return nil
		}
		part, err := decodeOps(value)
		parts = append(parts, part)
		return err
	})
	switch {
	case err != nil || len(gone) == 0:
		return err
	case complete:
		return plain(s.carryOut(parts))
	default:
		return plain(s.write(gone))
	}
}

// split cuts changes into parts that fit into one transaction each.
func split(ops []op) (parts [][]op) {
	start, size := 0, 0
	for i := range ops {
		more := sizeOf(ops[i])
		if size += more; size > partSize && i > start {
			parts = append(parts, ops[start:i])
			start, size = i, more
		}
	}
	return append(parts, ops[start:])
}

func encodeOps(ops []op) (data []byte) {
	for _, o := range ops {
		data = binary.AppendUvarint(data, uint64(len(o.key)))
		data = append(data, o.key...)
		if o.drop {
			data = binary.AppendUvarint(data, 0)
			continue
		}
		data = binary.AppendUvarint(data, uint64(len(o.value))+1)
		data = append(data, o.value...)
	}
	return data
}

func decodeOps(data []byte) (ops []op, err error) {
	next := func() []byte {
		size, n := binary.Uvarint(data)
		if n <= 0 || uint64(len(data)-n) < size {
			err = fmt.Errorf("large commit: %w", errRecord)
			return nil
		}
		part := data[n : n+int(size)]
		data = data[n+int(size):]
		return part
	}
	for len(data) > 0 && err == nil {
		o := op{key: append([]byte(nil), next()...)}
		size, n := binary.Uvarint(data)
		if err != nil || n <= 0 || size > uint64(len(data)-n)+1 {
			return nil, fmt.Errorf("large commit: %w", errRecord)
		}
		o.drop, data = size == 0, data[n:]
		if !o.drop {
			o.value, data = append([]byte{}, data[:size-1]...), data[size-1:]
		}
		ops = append(ops, o)
	}
	return ops, err
}
