package outcomes

import (
	"math/bits"

	"learnloop.dev/learn"
)

// octave counts numbers of about one size: those of as many bits, in sixteen equal
// steps. Quantiles read from it are off by at most a thirty-second, and sketches of
// different runs add up exactly (DDSketch by Masson, Rim and Lee, with steps that
// need no logarithm).
type octave [steps]int64

const (
	stepBits = 4
	steps    = 1 << stepBits

	firstSize = 'A' // how rows name the numbers below sixteen; each size is the next letter
)

// sketch is where the octaves of one quantity stand among the rows of a key.
type sketch struct {
	rows   learn.Rows
	key    learn.Key
	prefix string
}

// add counts a number, or takes it out.
func (s sketch) add(v, by int64) {
	size, step := 0, v
	if v >= steps {
		size = bits.Len64(uint64(v)) - stepBits
		step = v>>(size-1) - steps
	}
	learn.At[octave](s.rows, s.key, s.prefix+"/"+string(rune(firstSize+size)))[step] += by
}

// counted is one step of a sketch.
type counted struct {
	value, n int64 // value is the middle of the step
}

func (s sketch) all() (list []counted, total int64) {
	for row, o := range learn.Scan[octave](s.rows, s.key, s.prefix+"/") {
		size := int(row[len(row)-1] - firstSize)
		for step, n := range o {
			if n > 0 {
				list = append(list, counted{middle(size, int64(step)), n})
				total += n
			}
		}
	}
	return list, total
}

// middle is the number in the middle of a step.
func middle(size int, step int64) int64 {
	if size == 0 {
		return step
	}
	return (2*(step+steps) + 1) << (size - 1) >> 1
}

// quantiles are the numbers below which hundredths of all lie; none of nothing.
func (s sketch) quantiles(hundredths ...int64) []int64 {
	list, total := s.all()
	if total == 0 {
		return nil
	}
	out := make([]int64, len(hundredths))
	for i, h := range hundredths {
		rank := (total*h + 99) / 100
		for _, c := range list {
			out[i] = c.value
			if rank -= c.n; rank <= 0 {
				break
			}
		}
	}
	return out
}
