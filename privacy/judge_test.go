package privacy_test

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"learnloop.dev/privacy"
)

// The accuracy tests know nothing of the engine but Find: numbers are made by formulas of their own, texts by
// templates in which ¤ stands for the datum and ¶ for what it is called.

// chance makes the same cases each time.
type chance struct{ *rand.Rand }

func newChance(seed uint64) chance { return chance{rand.New(rand.NewPCG(seed, 97))} }

func (c chance) pick(list ...string) string { return list[c.IntN(len(list))] }

// fill replaces # by a digit, A by a capital, h by a hexadecimal digit, and D, M, Y by two digits of a date.
func (c chance) fill(picture string) string {
	var b strings.Builder
	for _, r := range picture {
		switch r {
		case '#':
			b.WriteByte('0' + byte(c.IntN(10)))
		case 'A':
			b.WriteByte('A' + byte(c.IntN(26)))
		case 'h':
			b.WriteByte("0123456789abcdef"[c.IntN(16)])
		case 'w':
			b.WriteByte("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"[c.IntN(62)])
		case 'D':
			fmt.Fprintf(&b, "%02d", 1+c.IntN(28))
		case 'M':
			fmt.Fprintf(&b, "%02d", 1+c.IntN(12))
		case 'Y':
			fmt.Fprintf(&b, "%02d", 40+c.IntN(59))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// digits replaces # by a digit, and leaves the words.
func (c chance) digits(picture string) string {
	return strings.Map(func(r rune) rune {
		if r == '#' {
			return '0' + rune(c.IntN(10))
		}
		return r
	}, picture)
}

// score counts cases.
type score struct{ cases, hits int }

func (s *score) add(hit bool) {
	s.cases++
	if hit {
		s.hits++
	}
}

func (s score) share() float64 { return float64(s.hits) / float64(max(s.cases, 1)) }

// placed puts a datum in place of ¤.
func placed(template, datum string) (text string, start, end int) {
	start = strings.Index(template, "¤")
	return strings.Replace(template, "¤", datum, 1), start, start + len(datum)
}

// masked reports whether every byte of the datum is found, spaces, commas and dots aside.
func masked(template, datum string) bool {
	text, start, end := placed(template, datum)
	hidden := make([]bool, len(text))
	for _, f := range privacy.Find(text) {
		for i := f.Start; i < f.End; i++ {
			hidden[i] = true
		}
	}
	for i := start; i < end; i++ {
		if !hidden[i] && strings.IndexByte(" ,.", text[i]) < 0 {
			return false
		}
	}
	return true
}

// touched reports whether anything of the datum is found.
func touched(template, datum string) bool {
	text, start, end := placed(template, datum)
	for _, f := range privacy.Find(text) {
		if f.Start < end && f.End > start {
			return true
		}
	}
	return false
}

// altered reports whether anything is found.
func altered(text string) bool { return len(privacy.Find(text)) > 0 }

// frames are notations in which a value stands without saying what it is.
var frames = []string{"¤", "please use ¤ instead", `{"v":"¤"}`, "a;¤;b", "value=¤", "Bitte ¤ verwenden.", "| x | ¤ |", "(¤)", "<td>¤</td>",
	`line1\n¤\nline3`, "“¤”", "it was ¤, I think", "[¤]", "'¤'", "> ¤", "- ¤", "+¤ ", "10:14:03 WARN rejected ¤ twice"}
