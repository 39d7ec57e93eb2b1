package learn

import (
	"math"
	"strconv"
)

// Top is a set of labels ranked by a count. The best few are read from ranked
// rows, ordered by falling count and then by label, so that reading them costs
// the same however many labels there are.
type Top struct {
	rows Rows
	key  Key
	set  string
}

// Ranked is one label of a Top and its count.
type Ranked struct {
	Label string
	Count int64
}

// TopOf opens the set of that name among a key's rows. The set owns the rows
// whose names begin with its name and "#" or "=".
func TopOf(r Rows, key Key, set string) Top { return Top{r, key, set} }

// Bump changes a label's count by some; at zero or below the label is unranked.
func (t Top) Bump(label string, by int64) {
	n := At[int64](t.rows, t.key, t.set+"="+label)
	t.Move(label, *n, *n+by)
	*n += by
}

// Move ranks a label whose count is kept elsewhere: it was one count and is
// another now; zero or below is unranked.
func (t Top) Move(label string, was, is int64) {
	if was == is || was <= 0 && is <= 0 {
		return
	}
	if was > 0 {
		*At[bool](t.rows, t.key, t.row(label, was)) = false
	}
	if is > 0 {
		*At[bool](t.rows, t.key, t.row(label, is)) = true
	}
}

// Best lists the k labels of the highest counts, ties by label.
func (t Top) Best(k int) []Ranked {
	var best []Ranked
	if k <= 0 {
		return best
	}
	prefix := t.set + "#"
	for row := range Scan[bool](t.rows, t.key, prefix) {
		rank, label := row[len(prefix):len(prefix)+rankWidth], row[len(prefix)+rankWidth:]
		inverted, err := strconv.ParseInt(rank, 16, 64)
		if err != nil {
			continue // not written by row
		}
		best = append(best, Ranked{label, math.MaxInt64 - inverted})
		if len(best) == k {
			break
		}
	}
	return best
}

// rankWidth is the length of a 64-bit number in hexadecimal.
const rankWidth = 16

func (t Top) row(label string, count int64) string {
	b := make([]byte, 0, len(t.set)+1+rankWidth+len(label))
	b = append(b, t.set...)
	b = append(b, '#')
	b = appendRank(b, uint64(math.MaxInt64-count))
	return string(append(b, label...))
}

// appendRank writes v so that byte order is numeric order.
func appendRank(b []byte, v uint64) []byte {
	const digits = "0123456789abcdef"
	for shift := 64 - 4; shift >= 0; shift -= 4 {
		b = append(b, digits[v>>shift&15])
	}
	return b
}
