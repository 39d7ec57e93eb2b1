package search

// sorted is a list of different strings in ascending order.
type sorted struct {
	size int
	at   func(int) string
}

// place is an entry of one list among several.
type place struct{ list, index int }

// head is the string that comes next in a list. Most differ in the bytes that a number holds.
type head struct {
	key uint64
	s   string
}

func (h head) less(than head) bool { return h.key < than.key || h.key == than.key && h.s < than.s }

func headAt(l sorted, i int) head {
	s := l.at(i)
	return head{headOf(s), s}
}

// weaver walks several sorted lists side by side.
type weaver struct {
	lists []sorted
	heads []head
	next  []int
	live  []int // lists that go on
	at    []place
}

// weave visits the strings of several sorted lists in ascending order, equal ones together.
// The places that visit is given are overwritten by the next.
func weave(lists []sorted, visit func(s string, at []place)) {
	w := weaver{lists: lists, heads: make([]head, len(lists)), next: make([]int, len(lists))}
	for i, l := range lists {
		if l.size > 0 {
			w.heads[i] = headAt(l, 0)
			w.live = append(w.live, i)
		}
	}
	for len(w.live) > 0 {
		least := w.least()
		visit(least, w.at)
		w.advance()
	}
}

// least finds the smallest string and all its places.
func (w *weaver) least() string {
	least := w.heads[w.live[0]]
	w.at = w.at[:0]
	for _, i := range w.live {
		switch h := w.heads[i]; {
		case h.less(least):
			least = h
			w.at = append(w.at[:0], place{i, w.next[i]})
		case h.key == least.key && h.s == least.s:
			w.at = append(w.at, place{i, w.next[i]})
		}
	}
	return least.s
}

// advance steps over the places that were visited.
func (w *weaver) advance() {
	ended := false
	for _, p := range w.at {
		w.next[p.list]++
		if w.next[p.list] == w.lists[p.list].size {
			ended = true
			continue
		}
		w.heads[p.list] = headAt(w.lists[p.list], w.next[p.list])
	}
	if !ended {
		return
	}
	kept := w.live[:0]
	for _, i := range w.live {
		if w.next[i] < w.lists[i].size {
			kept = append(kept, i)
		}
	}
	w.live = kept
}
