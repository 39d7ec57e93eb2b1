package privacy

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestPatternModeKeepsWhatChanged(t *testing.T) {
	for _, c := range []struct {
		name    string
		in, out Fix
	}{
		{"a word", Fix{Original: "He must utilize the whitelist.", Suggested: "He must use the whitelist."},
			Fix{Original: "[...] utilize [...]", Suggested: "[...] use [...]"}},
		{"two words", Fix{Original: "utilize the whitelist", Suggested: "use the allowlist"},
			Fix{Original: "utilize [...] whitelist", Suggested: "use [...] allowlist"}},
		{"nothing", Fix{Original: "all of it", Suggested: "all of it", Final: "all of it", Modification: "all of it"},
			Fix{Original: "[...]", Suggested: "[...]", Final: "[...]", Modification: "[...]"}},
		{"an insertion", Fix{Original: "", Suggested: "new text"}, Fix{Original: "", Suggested: "new text"}},
		{"a deletion", Fix{Original: "the very big house", Suggested: "the big house"},
			Fix{Original: "[...] very [...]", Suggested: "[...]"}},
		{"one of two", Fix{Original: "the cat and the dog", Suggested: "the cat and a dog"},
			Fix{Original: "[...] the [...]", Suggested: "[...] a [...]"}},
		{"by the user", Fix{Original: "we utilize it now", Suggested: "we use it now", Final: "we employ it now", Modification: "employ it"},
			Fix{Original: "[...] utilize [...]", Suggested: "[...] use [...]", Final: "[...] employ [...]", Modification: "employ [...]"}},
		{"the order", Fix{Original: "so he goes also home", Suggested: "so he also goes home"},
			Fix{Original: "[...] goes also [...]", Suggested: "[...] also goes [...]"}},
		{"tags", Fix{Original: "ask [EMAIL_1] today", Suggested: "ask [EMAIL_2] today"},
			Fix{Original: "[...] [EMAIL_1] [...]", Suggested: "[...] [EMAIL_2] [...]"}},
		{"other scripts", Fix{Original: "Я використовую це слово", Suggested: "Я вживаю це слово"},
			Fix{Original: "[...] використовую [...]", Suggested: "[...] вживаю [...]"}},
	} {
		if got := Pattern.Mask(c.in); got != c.out {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.out)
		}
	}
}

func TestManyWordsAreContextLikeFew(t *testing.T) {
	words := make([]string, 4*usual)
	for i := range words {
		words[i] = fmt.Sprint("w", i)
	}
	text := strings.Join(words, " ")
	fix := Fix{Original: "x " + text + " w7 y", Suggested: "a " + text + " b", Final: "c " + text + " w8", Modification: "c " + text}
	want := Fix{Original: "x [...] w7 [...] y", Suggested: "a [...] b", Final: "c [...] w8 [...]", Modification: "c [...]"}
	if got := Pattern.Mask(fix); got != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

func TestPatternsStayDistinct(t *testing.T) {
	a := Pattern.Mask(Fix{Original: "utilize the whitelist", Suggested: "use the whitelist"})
	b := Pattern.Mask(Fix{Original: "leverage the blacklist", Suggested: "use the blacklist"})
	if a == b {
		t.Errorf("two patterns became %q", a)
	}
}

func TestStrictModeDoesWhatItsDocumentSays(t *testing.T) {
	long := strings.Repeat("abc ", 50)
	for text, want := range map[string]string{
		"utilize the whitelist":           "[WORD] the [WORD]",
		"Müller, Jürgen; їжак а":          "[WORD], [WORD]; їжак а",
		"call 030 1234567 or a1b2":        "call [NUM] [NUM] or a[NUM]b[NUM]",
		"[EMAIL_1] [WORD] [NUM] [...] x":  "[EMAIL_1] [WORD] [NUM] [...] x",
		"p\u200ba\u200bs\u200bs":          "[WORD]",
		"snake_case":                      "[WORD]",
		long:                              long[:100],
		strings.Repeat("x [EMAIL_1]", 10): strings.Repeat("x [EMAIL_1]", 9) + "x",
	} {
		if got := Strict.Mask(Fix{Final: text}).Final; got != want {
			t.Errorf("%q:\n got %q\nwant %q", text, got, want)
		}
	}
}

func TestFullModeKeepsRedactedText(t *testing.T) {
	fix := Fix{"a", "b", "c", "d"}
	if got := Full.Mask(fix); got != fix {
		t.Errorf("got %q", got)
	}
}

func TestAnUnknownModeHides(t *testing.T) {
	fix := Fix{Original: "same", Suggested: "same"}
	if got, want := Mode("none").Mask(fix), Pattern.Mask(fix); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestContextNeverComesThrough masks random texts of few words: what is kept must be more than every
// text has, masking again must change nothing, and every change must leave a word.
func TestContextNeverComesThrough(t *testing.T) {
	rnd := rand.New(rand.NewPCG(6, 6))
	text := func() string {
		words := make([]string, rnd.IntN(12))
		for i := range words {
			words[i] = string(rune('a' + rnd.IntN(6)))
		}
		return strings.Join(words, " ")
	}
	for range 20_000 {
		fix := Fix{text(), text(), text(), text()}
		once := Pattern.Mask(fix)
		if twice := Pattern.Mask(once); twice != once {
			t.Fatalf("masked twice:\n%q\n%q\n%q", fix, once, twice)
		}
		moved := len(once.Original) == len(once.Suggested) // at most a few words in another order
		for w := 'a'; w < 'g' && !moved; w++ {
			before, after := strings.Count(fix.Original, string(w)), strings.Count(once.Original, string(w))
			least := min(before, strings.Count(fix.Suggested, string(w)))
			if fix.Final != "" {
				least = min(least, strings.Count(fix.Final, string(w)))
			}
			if after != before-least {
				t.Fatalf("%c occurs %d times in %q, want %d", w, after, once.Original, before-least)
			}
		}
	}
}

func TestWithoutItsMarksATextIsWhatWasLeftOfIt(t *testing.T) {
	for text, want := range map[string]string{
		"[...] was [WORD], [NUM] by [EMAIL_1]": " was ,  by ",
		"[x] [EMAIL] a[...":                    "[x] [EMAIL] a[...",
	} {
		if got := Unmarked(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}
