package features

import (
	"strings"
	"testing"

	"learnloop.dev/events"

	"github.com/google/go-cmp/cmp"
)

func milli(n int64) *events.Milli { m := events.Milli(n); return &m }

func TestATextIsMadeOfWhatItsLinesAre(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want events.TextShape
	}{
		"nothing":     {"", events.TextShape{}},
		"white space": {" \n\t\n", events.TextShape{Characters: 4}},
		"two paragraphs": {
			"One is here.\nStill it.\n\nTwo",
			events.TextShape{Characters: 27, Words: 6, Sentences: 3, Paragraphs: 2},
		},
		"questions": {
			"Why? How so? No.",
			events.TextShape{Characters: 16, Words: 4, Sentences: 3, Paragraphs: 1, Questions: 2},
		},
		"several marks end one": {"Really?! Yes...", events.TextShape{Characters: 15, Words: 2, Sentences: 2, Paragraphs: 1, Questions: 1}},
		"numbers and short forms": {
			"Use 1.5 or 2, e.g. here, Dr. No said.",
			events.TextShape{Characters: 37, Words: 9, Sentences: 1, Paragraphs: 1, Examples: 1, Terms: 111},
		},
		"a list": {
			"Do:\n- one\n* two\n3. three\n4) four",
			events.TextShape{Characters: 32, Words: 5, Sentences: 5, Paragraphs: 1, ListItems: 4},
		},
		"dashes are no list": {"-5 degrees\n2020. It was", events.TextShape{Characters: 23, Words: 5, Sentences: 2, Paragraphs: 1}},
		"headings": {
			"# Title\n## Part two\n#hashtag\n####### no",
			events.TextShape{Characters: 39, Words: 5, Headings: 2, Sentences: 1, Paragraphs: 1},
		},
		"code": {
			"Run:\n```go\nx := 1. Why?\n\ny()\n```\nDone.",
			events.TextShape{Characters: 38, Words: 2, Sentences: 2, Paragraphs: 2, CodeBlocks: 1, CodeLines: 2},
		},
		"a fence inside a longer one": {
			"~~~~\n~~~\n```\n~~~~~\nend",
			events.TextShape{Characters: 22, Words: 1, Sentences: 1, Paragraphs: 1, CodeBlocks: 1, CodeLines: 2},
		},
		"quoted": {"> - said\n> so", events.TextShape{Characters: 13, Words: 2, Sentences: 2, Paragraphs: 1, ListItems: 1}},
		"links": {
			"See https://a.network/b, [c](http://d) and [e](f).",
			events.TextShape{Characters: 50, Words: 9, Sentences: 1, Paragraphs: 1, Links: 3, Terms: 111},
		},
		"terms": {
			"Call parseJSON with an interoperable `flag` here",
			events.TextShape{Characters: 48, Words: 7, Sentences: 1, Paragraphs: 1, Terms: 428},
		},
		"examples": {
			"For example this. Zum Beispiel das. 例えば",
			events.TextShape{Characters: 39, Words: 8, Sentences: 3, Paragraphs: 1, Examples: 3},
		},
		"without spaces":    {"这是一个问题吗？是的。", events.TextShape{Characters: 11, Words: 5, Sentences: 2, Paragraphs: 1, Questions: 1}},
		"windows line ends": {"One.\r\n\r\nTwo.\r\n", events.TextShape{Characters: 14, Words: 2, Sentences: 2, Paragraphs: 2}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, shapeOf(c.text).TextShape); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestLongWordsAskForMoreSchooling(t *testing.T) {
	easy := shapeOf(strings.Repeat("The cat sat on the mat. It was a fat cat. ", 5)).ReadingLevel
	hard := shapeOf(strings.Repeat("Institutional heterogeneity notwithstanding, comparative jurisprudence necessitates "+
		"interdisciplinary methodological considerations throughout. ", 5)).ReadingLevel
	switch {
	case easy == nil || hard == nil:
		t.Fatal("no level")
	case *easy > 2000 || *hard < 15_000 || *hard > 20_000:
		t.Errorf("grades %d and %d", *easy, *hard)
	}
	for _, text := range []string{"Too short to tell.", strings.Repeat("汉字没有字母。", 20), strings.Repeat("a b c d. ", 20)} {
		if level := shapeOf(text).ReadingLevel; level != nil {
			t.Errorf("%.20q: grade %d", text, *level)
		}
	}
}

func TestClarityIsSeenInFourParts(t *testing.T) {
	sentence := func(words int) string { return strings.TrimSpace(strings.Repeat("word ", words)) + ". " }
	for name, c := range map[string]struct {
		answer string
		want   *events.Clarity
	}{
		"no answer":             {"", nil},
		"a short one":           {sentence(20), &events.Clarity{Sentences: 1000, Paragraphs: 1000, Fences: 1000}},
		"half as long too long": {sentence(30), &events.Clarity{Sentences: 600, Paragraphs: 1000, Fences: 1000}},
		"an endless sentence":   {sentence(100), &events.Clarity{Sentences: 0, Paragraphs: 1000, Fences: 1000}},
		"an endless paragraph": {
			strings.Repeat(sentence(10), 30),
			&events.Clarity{Sentences: 1000, Paragraphs: 0, Structure: milli(0), Fences: 1000},
		},
		"half of the structure": {
			strings.Repeat(sentence(10), 15) + "\n\n" + strings.Repeat(sentence(10), 15),
			&events.Clarity{Sentences: 1000, Paragraphs: 750, Structure: milli(250), Fences: 1000},
		},
		"a fence that is open":  {"So:\n```\ncode", &events.Clarity{Sentences: 1000, Paragraphs: 1000, Fences: 0}},
		"code and nothing else": {"```\ncode\n```", &events.Clarity{Sentences: 1000, Paragraphs: 1000, Fences: 1000}},
		"a list of many entries": {
			strings.Repeat("- "+sentence(10)+"\n", 20),
			&events.Clarity{Sentences: 1000, Paragraphs: 1000, Structure: milli(1000), Fences: 1000},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, clarityOf(shapeOf(c.answer))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
