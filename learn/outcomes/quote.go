package outcomes

import (
	"strings"
	"unicode/utf8"
)

// longestQuote is how much of a text a prompt quotes, in runes.
const longestQuote = 120

// quote shows a text within a prompt as data: on one line, between quotation marks
// that it cannot close, without signs that could structure a prompt or say who speaks.
func quote(text string) string { return quoteLong(text, longestQuote) }

func quoteLong(text string, runes int) string {
	text = strings.Map(func(r rune) rune {
		if strings.ContainsRune("`<>{}[]|*~\\", r) {
			return -1
		}
		return r
	}, visible(text))
	for _, role := range roles {
		text = withoutRole(text, role)
	}
	text = strings.ReplaceAll(strings.Join(strings.Fields(text), " "), `"`, "'")
	if utf8.RuneCountInString(text) > runes {
		text = string([]rune(text)[:runes-3]) + "..."
	}
	return `"` + text + `"`
}

// roles are the words with which transcripts say who speaks.
var roles = []string{"system", "assistant", "user", "human", "developer", "tool"}

// withoutRole takes the colons from behind a role, wherever it stands.
func withoutRole(text, role string) string {
	var b strings.Builder
	for {
		i := indexFold(text, role+":")
		if i < 0 {
			return b.String() + text
		}
		end := i + len(role)
		b.WriteString(text[:end])
		text = strings.TrimLeft(text[end:], ":")
	}
}

// indexFold is strings.Index for an ASCII word, ignoring the case of ASCII letters.
func indexFold(text, word string) int {
	for i := range len(text) - len(word) + 1 {
		if strings.EqualFold(text[i:i+len(word)], word) {
			return i
		}
	}
	return -1
}
