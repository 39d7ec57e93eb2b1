package features

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"
	"unicode"

	"learnloop.dev/inorder"
	"learnloop.dev/privacy"
)

// vocabulary are the words that topics are made of. It is closed: no name, secret or
// marker that somebody wrote can become a topic. Agents that know better send topics.
//
//go:embed vocabulary.txt
var vocabulary string

const (
	mostTopics   = 5
	longestTopic = 80  // bytes of a topic that was given
	mostSupport  = 4   // times that an answer counts for a word
	mostPlaces   = 400 // words of the vocabulary that are looked at
)

// finder finds the key phrases of one text after another: single words of the
// vocabulary, and two that stand side by side. As in RAKE (Rose, Engel, Cramer and
// Cowley, 2010) words that stand together count more than words alone; that the
// answer takes a word up counts too.
type finder struct {
	known  map[string]bool // word of the vocabulary to whether it says something alone
	text   string
	places []place
	answer map[string]int // how often the answer says a word
}

// place is where a word of the vocabulary stands in the question.
type place struct {
	word       string
	start, end int
	beside     bool // the one before it, with nothing but a space or a dash between
}

// How the vocabulary marks words that are topics only beside one that is, and two such
// that are one together.
const (
	vague = "~"
	dash  = "_"
)

func newFinder() *finder {
	f := &finder{known: map[string]bool{}, answer: map[string]int{}}
	for word := range strings.FieldsSeq(vocabulary) {
		word, isVague := strings.CutPrefix(word, vague)
		f.known[strings.ReplaceAll(word, dash, " ")] = !isVague
	}
	return f
}

// word is the word of the vocabulary that a written word is, or is the plural of.
func (f *finder) word(written string) (word string, known bool) {
	written = strings.ToLower(written)
	for _, plural := range [...]struct{ end, singular string }{{"", ""}, {"s", ""}, {"es", ""}, {"ies", "y"}} {
		rest, ok := strings.CutSuffix(written, plural.end)
		if !ok {
			continue
		}
		if _, known := f.known[rest+plural.singular]; known {
			return rest + plural.singular, true
		}
	}
	return "", false
}

// begin starts a text.
func (f *finder) begin(text string) {
	f.text, f.places = text, f.places[:0]
	clear(f.answer)
}

// ask hears where a word of the text stands.
func (f *finder) ask(_ string, start, end int) {
	word, known := f.word(f.text[start:end])
	if !known || len(f.places) == mostPlaces || !f.stands(start, end) {
		return
	}
	p := place{word: word, start: start, end: end}
	if n := len(f.places); n > 0 {
		before := f.places[n-1]
		gap := ""
		if before.end <= start {
			gap = f.text[before.end:start]
		}
		p.beside = (gap == " " || gap == "-") && before.word != word
	}
	f.places = append(f.places, p)
}

// stands reports whether a part of the text is a word, not part of a name out of code,
// a path or an address.
func (f *finder) stands(start, end int) bool {
	return (start == 0 || !joins(f.text[start-1])) && (end == len(f.text) || !joins(f.text[end]) ||
		strings.ContainsRune(".:", rune(f.text[end])) && (end+1 == len(f.text) || !inName(f.text[end+1])))
}

// joins reports whether a byte beside a word makes it part of something else.
func joins(b byte) bool { return inName(b) || strings.IndexByte("_/\\@.:=#", b) >= 0 }

func inName(b byte) bool {
	return b >= 0x80 || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

// support hears a word of the answer.
func (f *finder) support(written string) {
	if word, known := f.word(written); known {
		f.answer[word]++
	}
}

// topic is a phrase and what it weighs.
type topic struct {
	phrase string
	weight int
}

// best are the phrases that weigh most, those of the same weight in their order.
func (f *finder) best() []string {
	said := map[string]int{}
	for _, p := range f.places {
		said[p.word]++
	}
	weigh := func(word string) int { return 2*said[word] + min(f.answer[word], mostSupport) }
	var all []topic
	at := map[string]int{}
	add := func(phrase string, weight int) {
		if i, known := at[phrase]; known {
			all[i].weight += weight
			return
		}
		at[phrase] = len(all)
		all = append(all, topic{phrase, weight})
	}
	for i := 0; i < len(f.places); i++ {
		word := f.places[i].word
		if i+1 < len(f.places) && f.joined(i+1) && !f.closer(i+1) {
			next := f.places[i+1].word
			add(word+" "+next, weigh(word)+weigh(next))
			i++
			continue
		}
		if f.known[word] {
			add(word, weigh(word))
		}
	}
	inorder.Sort(all, func(a, b topic) int { return cmp.Compare(b.weight, a.weight) })
	var phrases []string
	for _, t := range all[:min(len(all), mostTopics)] {
		phrases = append(phrases, t.phrase)
	}
	return phrases
}

// joined reports whether a word makes a phrase with the one before it.
func (f *finder) joined(second int) bool {
	if !f.places[second].beside {
		return false
	}
	first, next := f.places[second-1].word, f.places[second].word
	return f.known[first] || f.known[next] || f.known[first+" "+next]
}

// closer reports whether of three words side by side the second belongs to the third:
// when the two stand together elsewhere in the text, and the first two do not.
func (f *finder) closer(second int) bool {
	third := second + 1
	if third == len(f.places) || !f.joined(third) {
		return false
	}
	return f.pairs(second) < f.pairs(third)
}

// pairs is how often a word stands beside the one before it in the text.
func (f *finder) pairs(second int) int {
	n := 0
	for i := 1; i < len(f.places); i++ {
		if f.places[i].beside && f.places[i].word == f.places[second].word && f.places[i-1].word == f.places[second-1].word {
			n++
		}
	}
	return n
}

// given are topics that a producer sent, in the form of those that are found.
func given(sent []string) []string {
	var topics []string
	for _, t := range sent {
		t = clip(tidy(privacy.Unmarked(t)), longestTopic)
		if t = strings.TrimSpace(t); t != "" && !slices.Contains(topics, t) && len(topics) < mostTopics {
			topics = append(topics, t)
		}
	}
	return topics
}

// tidy is a text in lower case with single spaces, and with nothing that cannot be seen.
func tidy(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsGraphic(r) || unicode.IsSpace(r) }), " ")
}
