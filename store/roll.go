package store

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// Identities lie in rolls: those that came after one another together, by digest, so
// that the engine has one key for a thousand. Its own price for a key is several times
// that of what the key says. Which rolls may hold an identity is known in memory (see
// index); a roll only says where to look, the record itself whether it is the one.
//
//	roll   number   of each: digest (8 bytes), log sequence (8), block (8)

// rollSize is how many identities a roll takes before the next one is begun. The last
// one is written again whenever some are added.
const rollSize = 1024

// sight says where the record of an identity lies.
type sight struct {
	identity digest
	spot
}

const sightSize = 8 + 8 + 8

func sightOf(e *entry) sight { return sight{digestOf(e.id), spot{e.seq, e.block}} }

func (s sight) compare(o sight) int {
	if a, b := binary.BigEndian.Uint64(s.identity[:]), binary.BigEndian.Uint64(o.identity[:]); a != b {
		return cmp.Compare(a, b)
	}
	return cmp.Compare(s.seq, o.seq)
}

// roll is a number of identities, in order.
type roll []sight

func rollKey(part uint16, number uint64) []byte { return sequenceKey(part, tableRoll, number) }

func (r roll) bytes() []byte {
	data := make([]byte, 0, len(r)*sightSize)
	for _, s := range r {
		data = append(data, s.identity[:]...)
		data = binary.BigEndian.AppendUint64(data, s.seq)
		data = binary.BigEndian.AppendUint64(data, s.block)
	}
	return data
}

func readRoll(data []byte) (roll, error) {
	if len(data)%sightSize != 0 {
		return nil, errRecord
	}
	r := make(roll, 0, len(data)/sightSize)
	for ; len(data) > 0; data = data[sightSize:] {
		r = append(r, sight{digest(data), spot{binary.BigEndian.Uint64(data[8:]), binary.BigEndian.Uint64(data[16:])}})
	}
	return r, nil
}

// of returns where the records of an identity lie, which mostly is one.
func (r roll) of(identity digest) roll {
	from, _ := slices.BinarySearchFunc(r, sight{identity: identity}, sight.compare)
	to := from
	for to < len(r) && r[to].identity == identity {
		to++
	}
	return r[from:to]
}

// with is the roll and some more, which it puts in order.
func (r roll) with(some []sight) roll {
	slices.SortFunc(some, sight.compare)
	all := make(roll, 0, len(r)+len(some))
	for len(r) > 0 && len(some) > 0 {
		if r[0].compare(some[0]) < 0 {
			all, r = append(all, r[0]), r[1:]
		} else {
			all, some = append(all, some[0]), some[1:]
		}
	}
	return slices.Compact(append(append(all, r...), some...)) // what is written again after a failure comes twice
}

// numbered is a roll and its number.
type numbered struct {
	roll
	number uint64
}

// roll returns a roll, empty when there is none. It must not be changed.
func (l look) roll(number uint64) roll {
	if last, ok := l.blocks.rolls[l.part]; ok && last.number == number {
		return last.roll
	}
	r, err := readRoll(l.get(rollKey(l.part, number)))
	l.trouble.keep("read identities", err)
	if l.blocks.rolls == nil {
		l.blocks.rolls = map[uint16]numbered{}
	}
	l.blocks.rolls[l.part] = numbered{r, number}
	return r
}

// fill writes a roll, or removes it when nothing is left in it.
func (r roll) fill(w *writer, part uint16, number uint64) {
	if len(r) == 0 {
		w.drop(rollKey(part, number))
		return
	}
	w.set(rollKey(part, number), r.bytes())
}

// enroll writes where new records lie, and takes out where others lay.
func (s *shelving) enroll(w *writer, come, gone []sight) {
	changed := map[uint64]roll{}
	read := func(number uint64) roll {
		if _, known := changed[number]; !known {
			changed[number] = slices.Clone(s.roll(number))
		}
		return changed[number]
	}
	for _, g := range gone {
		for _, number := range s.index.holding(g.identity) {
			if i, found := slices.BinarySearchFunc(read(number), g, sight.compare); found {
				changed[number] = slices.Delete(changed[number], i, i+1)
			}
		}
	}
	for len(come) > 0 {
		number, room := s.index.open()
		some := come[:min(room, len(come))]
		changed[number] = read(number).with(some)
		s.index.add(number, some)
		come = come[len(some):]
	}
	for number, r := range changed {
		r.fill(w, s.part, number)
	}
}

// strike takes out where records behind a sequence lie.
func (l look) strike(w *writer, after uint64) {
	for key, value := range l.walk(keyOf(l.part, tableRoll), nil) {
		number := number(key)
		r, err := readRoll(value)
		l.trouble.keep("read identities", err)
		left := slices.DeleteFunc(slices.Clone(r), func(s sight) bool { return s.seq > after })
		if len(left) < len(r) {
			left.fill(w, l.part, number)
			w.cut()
		}
	}
}
