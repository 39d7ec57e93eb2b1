package privacy

import "strconv"

// Redact replaces what Find finds by tags such as [EMAIL_1], equal values by equal tags.
func Redact(text string) string {
	var s scanner
	found := s.find(text, 0)
	if len(found) == 0 {
		return text
	}
	var t tagger
	t.reserve(s.tags)
	return t.replace(text, found)
}

// tagger numbers values in the order in which it meets them; the zero tagger is ready.
type tagger struct {
	numbers map[string]int // entity and value → number
	last    [entities]int
	key     []byte
}

// reset forgets the values of the event before.
func (t *tagger) reset() {
	clear(t.numbers)
	t.last = [entities]int{}
}

// reserve keeps clear of the numbers of tags that are there already.
func (t *tagger) reserve(taken [entities]int) {
	for e, n := range taken {
		t.last[e] = max(t.last[e], n)
	}
}

// replace writes tags over the findings.
func (t *tagger) replace(text string, found []Finding) string {
	out := make([]byte, 0, len(text)+8*len(found))
	done := 0
	for _, f := range found {
		out = append(out, text[done:f.Start]...)
		out = t.append(out, f.Entity, text[f.Start:f.End])
		done = f.End
	}
	return string(append(out, text[done:]...))
}

// append writes the tag of one value.
func (t *tagger) append(dst []byte, e Entity, value string) []byte {
	t.key = appendSame(append(t.key[:0], byte(e)), e, value)
	n, ok := t.numbers[string(t.key)]
	if !ok {
		if t.numbers == nil {
			t.numbers = make(map[string]int)
		}
		t.last[e]++
		n = t.last[e]
		t.numbers[string(t.key)] = n
	}
	return appendTag(dst, e, n)
}

func appendTag(dst []byte, e Entity, n int) []byte {
	dst = append(append(dst, '['), e.String()...)
	return append(strconv.AppendInt(append(dst, '_'), int64(n), 10), ']')
}

// appendSame writes what the spellings of one value have in common: case does not count, nor do the
// separators of numbers; in a secret everything does.
func appendSame(dst []byte, e Entity, value string) []byte {
	if e == Secret {
		return append(dst, value...)
	}
	for i := range len(value) {
		if b := value[i]; isAlnum(b) || e == Email || e == IP {
			dst = append(dst, lower(b))
		}
	}
	return dst
}
