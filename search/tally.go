package search

// tallyPage is how many counts are copied when one of them changes.
const tallyPage = 256

// tally counts by number. It never changes; plus makes another.
type tally []*[tallyPage]uint16

func (t tally) of(i int) int {
	if t == nil || t[i/tallyPage] == nil {
		return 0
	}
	return int(t[i/tallyPage][i%tallyPage])
}

// plus returns the tally with one more for each of some numbers below size.
func (t tally) plus(numbers []int, size int) tally {
	more := make(tally, size/tallyPage+1)
	copy(more, t)
	for _, i := range numbers {
		page := i / tallyPage
		switch {
		case more[page] == nil:
			more[page] = new([tallyPage]uint16)
		case t != nil && more[page] == t[page]:
			own := *t[page]
			more[page] = &own
		}
		more[page][i%tallyPage]++
	}
	return more
}

func (t tally) sum() int {
	sum := 0
	for _, page := range t {
		if page == nil {
			continue
		}
		for _, n := range page {
			sum += int(n)
		}
	}
	return sum
}
