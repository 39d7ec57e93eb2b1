package privacy

// automaton recognises which of several prefixes a text begins with, in one pass: a table of states by
// classes of bytes. The zero state is dead, the first one the start.
type automaton struct {
	class  [256]uint8
	width  int      // classes
	next   []uint16 // state × class → state
	accept []int16  // state → prefix, or -1
}

// newAutomaton builds the automaton of prefixes that differ.
func newAutomaton(prefixes []string) *automaton {
	a := &automaton{width: 1}
	for _, p := range prefixes {
		for i := range len(p) {
			if a.class[p[i]] == 0 {
				a.class[p[i]] = uint8(a.width)
				a.width++
			}
		}
	}
	a.grow()
	start := a.grow()
	for n, p := range prefixes {
		state := start
		for i := range len(p) {
			at := int(state)*a.width + int(a.class[p[i]])
			if a.next[at] == 0 {
				grown := a.grow() // moves next
				a.next[at] = grown
			}
			state = a.next[at]
		}
		a.accept[state] = int16(n)
	}
	return a
}

func (a *automaton) grow() uint16 {
	a.next = append(a.next, make([]uint16, a.width)...)
	a.accept = append(a.accept, -1)
	return uint16(len(a.accept) - 1)
}

// maxMatches is how many prefixes may begin one another.
const maxMatches = 4

// match returns the prefixes with which text[i:] begins, the shortest first.
func (a *automaton) match(text string, i int) (found [maxMatches]int16, n int) {
	for state := uint16(1); i < len(text); i++ {
		state = a.next[int(state)*a.width+int(a.class[text[i]])]
		if state == 0 {
			break
		}
		if p := a.accept[state]; p >= 0 && n < maxMatches {
			found[n] = p
			n++
		}
	}
	return found, n
}
