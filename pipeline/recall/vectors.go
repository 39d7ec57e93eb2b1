package recall

import "learnloop.dev/search"

// How much memory vectors of a model may take: those of 100 000 texts at 512 numbers.
const (
	mostBytes = 64 << 20
	asEntry   = 128 // bytes of an entry beside its numbers
)

// vectors are what texts mean, as many as there is memory for.
type vectors struct {
	by    map[digest]search.Vector
	bytes int
}

// keep remembers a vector, in the place of any others when there is no room.
func (v *vectors) keep(d digest, is search.Vector) {
	v.drop(d)
	for other := range v.by {
		if v.bytes+size(is) <= mostBytes {
			break
		}
		v.drop(other)
	}
	v.by[d] = is
	v.bytes += size(is)
}

func (v *vectors) drop(d digest) {
	if was, known := v.by[d]; known {
		v.bytes -= size(was)
		delete(v.by, d)
	}
}

func size(v search.Vector) int { return asEntry + len(v.Values) }
