package rules

import (
	"strings"
	"unicode/utf8"
)

// How much of a text a prompt quotes, in runes.
const (
	longestQuote  = 50
	longestReason = 100
)

// quote shows a text within a prompt as data: on one line, between quotation
// marks that it cannot close, without code fences or tokens that models give a
// meaning of their own.
func quote(text string) string {
	text = strings.ReplaceAll(unmarked(visible(text)), `"`, "'")
	return `"` + cut(strings.TrimSpace(text), longestQuote) + `"`
}

// quoteRemark shows what a person wrote. Unlike a pattern a remark means nothing
// by its signs, so those that could structure a prompt go entirely.
func quoteRemark(text string) string {
	text = strings.Map(func(r rune) rune {
		if strings.ContainsRune("`<>{}[]|#*~\\", r) {
			return -1
		}
		return r
	}, visible(text))
	for _, role := range roles {
		text = withoutRole(text, role)
	}
	text = strings.ReplaceAll(text, `"`, "'")
	text = strings.Join(strings.Fields(text), " ")
	return `"` + cut(text, longestReason) + `"`
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

// cut shortens a text to some runes, the last three of them dots.
func cut(text string, runes int) string {
	if utf8.RuneCountInString(text) <= runes {
		return text
	}
	return string([]rune(text)[:runes-3]) + "..."
}
