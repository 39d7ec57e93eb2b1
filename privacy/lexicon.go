package privacy

// lexicon counts how often the words of a first text stand in all of several texts.
type lexicon struct {
	entries []entry
	index   map[string]int // of all entries, once they are more than few
}

// entry is one word.
type entry struct {
	text   string
	common int // how often it occurs in every text at least
	count  int // how often it occurs in the text at hand
}

// few is up to how many entries it is faster to look at each than to hash a word.
const few = 32

// add counts the words of a first text. It returns the lexicon, as append does, so that its memory can
// be its caller's.
func (l lexicon) add(text []token) lexicon {
	for i := range text {
		t := &text[i]
		if t.entry = l.find(t.text); t.entry < 0 {
			t.entry = len(l.entries)
			l = l.append(t.text)
		}
		l.entries[t.entry].common++
	}
	return l
}

func (l lexicon) append(text string) lexicon {
	l.entries = append(l.entries, entry{text: text})
	switch {
	case l.index != nil:
		l.index[text] = len(l.entries) - 1
	case len(l.entries) > few:
		l.index = make(map[string]int, 4*few)
		for i := range l.entries {
			l.index[l.entries[i].text] = i
		}
	}
	return l
}

// restrict lowers the counts to how often the words occur in another text.
func (l lexicon) restrict(text []token) {
	for i := range l.entries {
		l.entries[i].count = 0
	}
	for i := range text {
		t := &text[i]
		if t.entry = l.find(t.text); t.entry >= 0 {
			l.entries[t.entry].count++
		}
	}
	for i := range l.entries {
		l.entries[i].common = min(l.entries[i].common, l.entries[i].count)
	}
}

// find returns the number of a word, or -1.
func (l lexicon) find(text string) int {
	if l.index != nil {
		if i, ok := l.index[text]; ok {
			return i
		}
		return -1
	}
	for i := range l.entries {
		if l.entries[i].text == text {
			return i
		}
	}
	return -1
}

// reordered reports whether the texts, but for their ends, are few words in another order.
func (l lexicon) reordered(texts [][]token, ends int) bool {
	common := 0
	for i := range l.entries {
		common += l.entries[i].common
	}
	for _, t := range texts {
		if len(t)-ends != common {
			return false
		}
	}
	return common <= maxMoved
}

// keepSurplus keeps the words beyond as many as are context; the last ones count as context.
func (l lexicon) keepSurplus(text []token) {
	for i := range l.entries {
		l.entries[i].count = l.entries[i].common
	}
	for i := len(text) - 1; i >= 0; i-- {
		t := &text[i]
		if t.entry < 0 || l.entries[t.entry].count == 0 {
			t.keep = true
			continue
		}
		l.entries[t.entry].count--
	}
}

// without keeps of what the user wrote the words that are no context.
func (l lexicon) without(text string) string {
	var space [usual]token
	list := tokens(space[:0], text)
	for i := range list {
		n := l.find(list[i].text)
		list[i].keep = n < 0 || l.entries[n].common == 0
	}
	return join(list)
}
