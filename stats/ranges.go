package stats

import (
	"cmp"
	"slices"

	"learnloop.dev/inorder"
)

// Whole is all of [0, 1), in the unit of a Range.
const Whole = 1_000_000

// Range is the part [From, To) of [0, 1), in millionths.
type Range struct {
	From int64 `json:"from"`
	To   int64 `json:"to"`
}

// Ranges are the parts of [0, 1) that belong to one arm.
type Ranges []Range

// Hold reports whether a unit's bucket, in [0, 1), lies in one of the ranges.
func (r Ranges) Hold(bucket float64) bool {
	at := bucket * Whole
	return slices.ContainsFunc(r, func(part Range) bool {
		return float64(part.From) <= at && at < float64(part.To)
	})
}

// Width is how much of [0, 1) the ranges cover, in millionths.
func (r Ranges) Width() int64 {
	var width int64
	for _, part := range r {
		width += part.To - part.From
	}
	return width
}

// Widen gives every arm the share it should have, in millionths, out of what
// belongs to nobody: a unit that has an arm keeps it. It is false where that
// cannot be: an arm would have to shrink, or the shares are more than all.
func Widen(arms []Ranges, shares []int64) ([]Ranges, bool) {
	if len(shares) < len(arms) {
		return nil, false
	}
	wide := make([]Ranges, len(shares))
	free := unclaimed(arms)
	for i, share := range shares {
		if i < len(arms) {
			wide[i] = slices.Clone(arms[i])
		}
		missing := share - wide[i].Width()
		if missing < 0 || missing > free.Width() {
			return nil, false
		}
		for missing > 0 {
			part := Range{free[0].From, min(free[0].From+missing, free[0].To)}
			missing -= part.To - part.From
			wide[i] = wide[i].with(part)
			free = free.without(part)
		}
	}
	return wide, true
}

// unclaimed is what lies between the ranges of all arms.
func unclaimed(arms []Ranges) Ranges {
	taken := slices.Concat(arms...)
	inorder.Sort(taken, func(a, b Range) int { return cmp.Compare(a.From, b.From) })
	var free Ranges
	var from int64
	for _, part := range taken {
		if part.From > from {
			free = append(free, Range{from, part.From})
		}
		from = max(from, part.To)
	}
	if from < Whole {
		free = append(free, Range{from, Whole})
	}
	return free
}

// with adds a part that lies beyond the others' beginnings or touches the last.
func (r Ranges) with(part Range) Ranges {
	if n := len(r); n > 0 && r[n-1].To == part.From {
		r[n-1].To = part.To
		return r
	}
	return append(r, part)
}

// without takes away a part at the beginning of the first range.
func (r Ranges) without(part Range) Ranges {
	if r[0].To == part.To {
		return r[1:]
	}
	r[0].From = part.To
	return r
}
