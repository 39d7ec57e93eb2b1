package search

import "math"

const (
	k1 = 1.2 // how soon a word said again stops counting
	b  = .75 // how much a long document has to say for it

	exactLengths = 128
	lengthStep   = 1.05 // from one coded length to the next beyond the exact ones
)

// lengths are the lengths that a byte can tell: exact up to 127 words, then within 5 %.
var lengths = codedLengths()

func codedLengths() [256]uint32 {
	var all [256]uint32
	size := float64(exactLengths)
	for code := range all {
		if code < exactLengths {
			all[code] = uint32(code)
			continue
		}
		all[code] = uint32(size)
		size *= lengthStep
	}
	return all
}

// codeLength returns the byte for a length: the largest that is not longer.
func codeLength(n int) uint8 {
	if n < exactLengths {
		return uint8(n)
	}
	code := exactLengths + int(math.Log(float64(n)/exactLengths)/math.Log(lengthStep))
	code = min(code+1, 255)
	for lengths[code] > uint32(n) {
		code--
	}
	return uint8(code)
}

// norms holds, per coded length, what a word's count is weighed against.
type norms struct {
	average float64 // words per document
	by      [256]float32
}

func newNorms(average float64) *norms {
	n := &norms{average: max(average, 1)}
	for code, length := range lengths {
		n.by[code] = float32(k1 * (1 - b + b*float64(length)/n.average))
	}
	return n
}

// share is the part of a word's weight that a document earns: 0 to 1.
func (n *norms) share(count, length uint8) float32 {
	return float32(count) / (float32(count) + n.by[length])
}

const (
	countBits = 5
	countMax  = 1<<countBits - 1 // beyond it, saying a word again earns nothing
)

// shares is share for every count and length, for the innermost loop.
type shares [256 << countBits]float32

func (n *norms) shares() *shares {
	var all shares
	for length := range n.by {
		for count := 1; count <= countMax; count++ {
			all[length<<countBits|count] = n.share(uint8(count), uint8(length))
		}
	}
	return &all
}
