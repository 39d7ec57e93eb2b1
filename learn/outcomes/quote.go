package outcomes

import (
	"strings"
	"unicode/utf8"

	"learnloop.dev/learn"
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
	}, learn.Visible(text))
	text = strings.ReplaceAll(strings.Join(strings.Fields(learn.WithoutRoles(text)), " "), `"`, "'")
	if utf8.RuneCountInString(text) > runes {
		text = string([]rune(text)[:runes-3]) + "..."
	}
	return `"` + text + `"`
}
