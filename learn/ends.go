package learn

// Ends is a multiset of integers that knows its least and greatest member,
// after removals too.
type Ends struct {
	rows Rows
	key  Key
	set  string
}

// EndsOf opens the multiset of that name among a key's rows. It owns the rows
// whose names begin with its name and "<" or ">".
func EndsOf(r Rows, key Key, set string) Ends { return Ends{r, key, set} }

// Add puts v in some times; a negative number takes it out.
func (e Ends) Add(v, times int64) {
	n := At[int64](e.rows, e.key, e.row('<', v))
	was := *n
	*n += times
	if (was == 0) != (*n == 0) {
		*At[bool](e.rows, e.key, e.row('>', v)) = *n != 0
	}
}

// Least is the smallest member, false when there is none.
func (e Ends) Least() (int64, bool) {
	for row := range Scan[int64](e.rows, e.key, e.set+"<") {
		return e.value('<', row)
	}
	return 0, false
}

// Greatest is the largest member, false when there is none.
func (e Ends) Greatest() (int64, bool) {
	for row := range Scan[bool](e.rows, e.key, e.set+">") {
		return e.value('>', row)
	}
	return 0, false
}

// row names a member on one side: ascending after '<', descending after '>'.
func (e Ends) row(side byte, v int64) string {
	b := append(append(make([]byte, 0, len(e.set)+1+rankWidth), e.set...), side)
	return string(appendRank(b, flip(side, uint64(v))))
}

func (e Ends) value(side byte, row string) (int64, bool) {
	v, ok := parseRank(row[len(e.set)+1:])
	return int64(flip(side, v)), ok
}

// flip maps integers to unsigned ones in the order of the side, and back.
func flip(side byte, v uint64) uint64 {
	v ^= 1 << 63 // negative before positive
	if side == '>' {
		return ^v // greatest first
	}
	return v
}
