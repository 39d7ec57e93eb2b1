package privacy

import "slices"

// Mode says what is kept of the texts of a fix.
type Mode string

// The text modes of SPEC §3; what is not one of them hides like Pattern.
const (
	Strict  Mode = "strict"  // short words only, as 000 documents
	Pattern Mode = "pattern" // the words that somebody changed
	Full    Mode = "full"    // all of the redacted text
)

func (m Mode) valid() bool { return m == Strict || m == Pattern || m == Full }

// Fix holds the four texts of a suggested fix; an empty Final or Modification is absent.
type Fix struct{ Original, Suggested, Final, Modification string }

// Mask hides what the text mode does not allow to be kept, in texts that are already redacted. It is
// deterministic and idempotent.
func (m Mode) Mask(f Fix) Fix {
	switch m {
	case Full:
		return f
	case Strict:
		return Fix{strict(f.Original), strict(f.Suggested), strict(f.Final), strict(f.Modification)}
	}
	return changed(f)
}

// maxMoved is the longest stretch, in tokens, that counts as reordered.
const maxMoved = 6

// changed keeps of each text the words that are not context, where context is what every text contains:
// a word that the original has twice and the suggestion once was removed once. Counting, instead of
// aligning, needs no bound on the length, never keeps a word twice, and masking again finds nothing more.
func changed(f Fix) Fix {
	texts := [][]token{tokens(f.Original), tokens(f.Suggested)}
	if final := tokens(f.Final); len(final) > 0 {
		texts = append(texts, final)
	}
	lead, tail := sharedEnds(texts)
	context := commonCounts(texts, lead, tail)
	moved := reordered(texts, lead+tail, context)
	masked := make([]string, 3)
	for i, t := range texts {
		keep := make([]bool, len(t))
		if middle := keep[lead : len(t)-tail]; moved {
			fill(middle)
		} else {
			keepSurplus(t[lead:], middle, context)
		}
		masked[i] = join(t, keep)
	}
	for _, t := range texts[0][:lead] {
		context[t.text]++
	}
	for _, t := range texts[0][len(texts[0])-tail:] {
		context[t.text]++
	}
	return Fix{masked[0], masked[1], masked[2], added(f.Modification, context)}
}

// sharedEnds returns how many tokens all texts begin with and, of the rest, end with.
func sharedEnds(texts [][]token) (lead, tail int) {
	shortest := slices.MinFunc(texts, func(a, b []token) int { return len(a) - len(b) })
	same := func(at func(t []token) string) bool {
		return !slices.ContainsFunc(texts, func(t []token) bool { return at(t) != at(shortest) })
	}
	for lead < len(shortest) && same(func(t []token) string { return t[lead].text }) {
		lead++
	}
	for tail < len(shortest)-lead && same(func(t []token) string { return t[len(t)-1-tail].text }) {
		tail++
	}
	return lead, tail
}

// commonCounts returns how often each token occurs, between the shared ends, in every text at least.
func commonCounts(texts [][]token, lead, tail int) map[string]int {
	common := make(map[string]int)
	for i, t := range texts {
		count := make(map[string]int)
		for _, w := range t[lead : len(t)-tail] {
			if i == 0 || count[w.text] < common[w.text] {
				count[w.text]++
			}
		}
		common = count
	}
	return common
}

// reordered reports whether the texts, but for their ends, are few words in another order.
func reordered(texts [][]token, ends int, context map[string]int) bool {
	common := 0
	for _, n := range context {
		common += n
	}
	return common <= maxMoved && !slices.ContainsFunc(texts, func(t []token) bool { return len(t)-ends != common })
}

func fill(keep []bool) {
	for i := range keep {
		keep[i] = true
	}
}

// keepSurplus keeps the words beyond as many as are context; the last ones count as context.
func keepSurplus(text []token, keep []bool, context map[string]int) {
	seen := make(map[string]int, len(context))
	for i := len(keep) - 1; i >= 0; i-- {
		if w := text[i].text; seen[w] < context[w] {
			seen[w]++
		} else {
			keep[i] = true
		}
	}
}

// added keeps of what the user wrote the words that are no context.
func added(text string, context map[string]int) string {
	list := tokens(text)
	keep := make([]bool, len(list))
	for i, t := range list {
		keep[i] = context[t.text] == 0
	}
	return join(list, keep)
}

// join writes the kept tokens with the space before them, and one mark for each stretch of others.
func join(text []token, keep []bool) string {
	var out []byte
	masked := false
	for i, t := range text {
		mask := !keep[i] || t.text == contextMark
		if mask && masked {
			continue
		}
		if t.spaced && len(out) > 0 {
			out = append(out, ' ')
		}
		if masked = mask; mask {
			out = append(out, contextMark...)
		} else {
			out = append(out, t.text...)
		}
	}
	return string(out)
}
