package learn

import (
	"cmp"
	"math/bits"
	"slices"
	"strconv"
)

// Top is a set of labels ranked by a count. The best few are read from ranked
// rows, whose names order them by falling rank and then by label, so that
// reading them costs the same however many labels there are.
//
// Counts below 64 rank exactly; above, counts within a thirty-second of each
// other share a rank, so that a hot label does not move with every count. Only
// labels that share the last rank to be read are looked at in vain.
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
	was, is = max(was, 0), max(is, 0)
	if was == is {
		return
	}
	if before := rankOf(was); was > 0 && before != rankOf(is) {
		*At[int64](t.rows, t.key, t.row(label, before)) = 0
	}
	if is > 0 {
		*At[int64](t.rows, t.key, t.row(label, rankOf(is))) = is
	}
}

// Best lists the k labels of the highest counts, ties by label.
func (t Top) Best(k int) []Ranked {
	var best []Ranked
	var last string // rank, as rows name it
	prefix := t.set + "#"
	for row, count := range Scan[int64](t.rows, t.key, prefix) {
		rank, label := row[len(prefix):len(prefix)+rankWidth], row[len(prefix)+rankWidth:]
		if len(best) >= k && (rank != last || exact(count)) {
			break
		}
		last = rank
		best = append(best, Ranked{label, count})
	}
	slices.SortFunc(best, func(a, b Ranked) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Label, b.Label))
	})
	return best[:min(k, len(best))]
}

// significant is how many leading bits of a count decide its rank.
const significant = 6

func exact(count int64) bool { return bits.Len64(uint64(count)) <= significant }

// rankOf clears the bits of a count that do not decide its rank.
func rankOf(count int64) int64 {
	below := max(bits.Len64(uint64(count))-significant, 0)
	return count >> below << below
}

// rankWidth is the length of a 64-bit number in hexadecimal.
const rankWidth = 16

func (t Top) row(label string, rank int64) string {
	b := make([]byte, 0, len(t.set)+1+rankWidth+len(label))
	b = append(append(b, t.set...), '#')
	return string(append(appendRank(b, ^uint64(rank)), label...))
}

// appendRank writes v so that byte order is numeric order.
func appendRank(b []byte, v uint64) []byte {
	const digits = "0123456789abcdef"
	for shift := 64 - 4; shift >= 0; shift -= 4 {
		b = append(b, digits[v>>shift&15])
	}
	return b
}

// parseRank reads what appendRank wrote.
func parseRank(s string) (uint64, bool) {
	v, err := strconv.ParseUint(s, 16, 64)
	return v, err == nil
}
