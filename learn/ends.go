package learn

// Ends is a multiset of integers that knows its least and greatest member,
// after removals too. Neighbours share a row.
type Ends struct {
	rows Rows
	key  Key
	set  string
}

// near are how often sixteen integers in a row are members.
type near [1 << nearBits]int64

const nearBits = 4

// EndsOf opens the multiset of that name among a key's rows. It owns the rows
// whose names begin with its name and "<" or ">".
func EndsOf(r Rows, key Key, set string) Ends { return Ends{r, key, set} }

// Add puts v in some times; a negative number takes it out.
func (e Ends) Add(v, times int64) {
	first, i := v>>nearBits, v&(1<<nearBits-1)
	some := At[near](e.rows, e.key, e.row('<', first))
	was := *some != near{}
	some[i] += times
	if is := *some != (near{}); was != is {
		*At[bool](e.rows, e.key, e.row('>', first)) = is
	}
}

// Least is the smallest member, false when there is none.
func (e Ends) Least() (int64, bool) {
	for row, some := range Scan[near](e.rows, e.key, e.set+"<") {
		for i, n := range some {
			if n != 0 {
				return e.value('<', row)<<nearBits + int64(i), true
			}
		}
	}
	return 0, false
}

// Greatest is the largest member, false when there is none.
func (e Ends) Greatest() (int64, bool) {
	for row := range Scan[bool](e.rows, e.key, e.set+">") {
		first := e.value('>', row)
		some := Peek[near](e.rows, e.key, e.row('<', first))
		for i := len(some) - 1; i >= 0; i-- {
			if some[i] != 0 {
				return first<<nearBits + int64(i), true
			}
		}
	}
	return 0, false
}

// row names neighbours on one side: ascending after '<', descending after '>'.
func (e Ends) row(side byte, first int64) string {
	b := append(append(make([]byte, 0, len(e.set)+1+rankWidth), e.set...), side)
	return string(appendRank(b, flip(side, uint64(first))))
}

func (e Ends) value(side byte, row string) int64 {
	v, _ := parseRank(row[len(e.set)+1:]) // it is as row wrote it
	return int64(flip(side, v))
}

// flip maps integers to unsigned ones in the order of the side, and back.
func flip(side byte, v uint64) uint64 {
	v ^= 1 << 63 // negative before positive
	if side == '>' {
		return ^v // greatest first
	}
	return v
}
