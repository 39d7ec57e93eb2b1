package persona

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// taste is what of a person's preferences orders results.
type taste struct {
	topics  map[string]topic   // by name
	words   map[string][]topic // by the first word of the name
	lengths uint64             // of those words, one bit each
	dense   []topic            // in scripts that put no spaces between words
	quality map[string]float64 // of exchanges
}

// topic is one that the person engages with.
type topic struct {
	name     string // in lower case
	word     int    // where its first word begins
	affinity float64
}

func tasteOf(p *Preferences) taste {
	t := taste{topics: map[string]topic{}, words: map[string][]topic{}, quality: make(map[string]float64, len(p.GoodAnswers))}
	for _, known := range p.Topics {
		t.add(topic{name: strings.ToLower(strings.TrimSpace(known.Topic)), affinity: unit(known.Affinity, 0)})
	}
	for _, a := range p.GoodAnswers {
		t.quality[a.ExchangeID] = a.Score
	}
	return t
}

func (t *taste) add(known topic) {
	t.topics[known.name] = known
	known.word = strings.IndexFunc(known.name, inWord)
	if known.word < 0 {
		return
	}
	first, _ := utf8.DecodeRuneInString(known.name[known.word:])
	if dense(first) {
		t.dense = append(t.dense, known)
		return
	}
	word := known.name[known.word:wordEnd(known.name, known.word)]
	t.words[word] = append(t.words[word], known)
	t.lengths |= 1 << min(len(word), longest)
}

// of is the topic of a result that the person engages with most: of those it is said to
// have, else of those in its text.
func (t taste) of(r *Result) (best topic, found bool) {
	if len(r.Topics) == 0 {
		return t.in(strings.ToLower(head(r.Text)))
	}
	for _, name := range r.Topics {
		if known, ok := t.topics[strings.ToLower(strings.TrimSpace(name))]; ok && (!found || known.affinity > best.affinity) {
			best, found = known, true
		}
	}
	return best, found
}

// mostRead is how many bytes of a result are searched for topics.
const mostRead = 2 << 10

func head(text string) string {
	end := min(len(text), mostRead)
	for end > 0 && end < len(text) && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

// in looks for topics in a text, as whole words.
func (t taste) in(text string) (best topic, found bool) {
	for _, known := range t.dense {
		if (!found || known.affinity > best.affinity) && strings.Contains(text, known.name) {
			best, found = known, true
		}
	}
	if len(t.words) == 0 {
		return best, found
	}
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !inWord(r) {
			i += size
			continue
		}
		end := wordEnd(text, i)
		for _, known := range t.beginning(text[i:end]) {
			if (!found || known.affinity > best.affinity) && known.at(text, i) {
				best, found = known, true
			}
		}
		i = end
	}
	return best, found
}

// beginning are the topics that begin with a word.
func (t taste) beginning(word string) []topic {
	if t.lengths&(1<<min(len(word), longest)) == 0 {
		return nil
	}
	return t.words[word]
}

// longest is the length from which on words are not told apart by it.
const longest = 63

// at reports whether a text has the topic with its first word at i.
func (k topic) at(text string, i int) bool {
	start := i - k.word
	if start < 0 || !strings.HasPrefix(text[start:], k.name) {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(text[:start])
	after, _ := utf8.DecodeRuneInString(text[start+len(k.name):])
	return !inWord(before) && !inWord(after)
}

// wordEnd is where the word ends that begins at i.
func wordEnd(text string, i int) int {
	if n := strings.IndexFunc(text[i:], func(r rune) bool { return !inWord(r) }); n >= 0 {
		return i + n
	}
	return len(text)
}

func inWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z'
	}
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r))
}

// dense reports whether a script puts no spaces between words.
func dense(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
