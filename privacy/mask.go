package privacy

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
	default:
		return changed(f)
	}
}

// maxMoved is the longest stretch, in tokens, that counts as reordered.
const maxMoved = 6

// usual is how many tokens a text of a fix has at most, as a rule: so many need no memory but the stack.
const usual = 64

// changed keeps of each text the words that are not context, where context is what every text contains:
// a word that the original has twice and the suggestion once was removed once. Counting, instead of
// aligning, needs no bound on the length, never keeps a word twice, and masking again finds nothing more.
func changed(f Fix) Fix {
	var space [3][usual]token
	all := [3][]token{tokens(space[0][:0], f.Original), tokens(space[1][:0], f.Suggested)}
	texts := all[:2]
	if f.Final != f.Original && f.Final != f.Suggested { // else it changes nothing
		if all[2] = tokens(space[2][:0], f.Final); len(all[2]) > 0 {
			texts = all[:3]
		}
	}
	lead, tail := sharedEnds(texts)
	var known [few]entry
	context := lexicon{entries: known[:0]}.add(texts[0][lead : len(texts[0])-tail])
	for _, t := range texts[1:] {
		context.restrict(t[lead : len(t)-tail])
	}
	moved := context.reordered(texts, lead+tail)
	var masked [3]string
	for i, t := range texts {
		middle := t[lead : len(t)-tail]
		if moved {
			keepAll(middle)
		} else {
			context.keepSurplus(middle)
		}
		masked[i] = join(t)
	}
	switch f.Final {
	case f.Suggested:
		masked[2] = masked[1]
	case f.Original:
		masked[2] = masked[0]
	}
	modification := ""
	if f.Modification != "" {
		context = context.add(texts[0][:lead]).add(texts[0][len(texts[0])-tail:])
		modification = context.without(f.Modification)
	}
	return Fix{masked[0], masked[1], masked[2], modification}
}

// sharedEnds returns how many tokens all texts begin with and, of the rest, end with.
func sharedEnds(texts [][]token) (lead, tail int) {
	first := texts[0]
	lead = len(first)
	for _, t := range texts[1:] {
		lead = min(lead, len(t))
		for i := range lead {
			if t[i].text != first[i].text {
				lead = i
				break
			}
		}
	}
	tail = len(first) - lead
	for _, t := range texts[1:] {
		tail = min(tail, len(t)-lead)
		for i := range tail {
			if t[len(t)-1-i].text != first[len(first)-1-i].text {
				tail = i
				break
			}
		}
	}
	return lead, tail
}

func keepAll(text []token) {
	for i := range text {
		text[i].keep = true
	}
}

// join writes the kept tokens with the space before them, and one mark for each stretch of others.
func join(text []token) string {
	var space [8 * usual]byte
	out := space[:0]
	masked := false
	for i := range text {
		t := &text[i]
		mask := !t.keep || t.text == contextMark
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
