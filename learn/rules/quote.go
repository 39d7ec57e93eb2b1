package rules

import (
	"strings"
	"unicode/utf8"

	"learnloop.dev/learn"
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
	text = strings.ReplaceAll(unmarked(learn.Visible(text)), `"`, "'")
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
	}, learn.Visible(text))
	text = strings.ReplaceAll(learn.WithoutRoles(text), `"`, "'")
	text = strings.Join(strings.Fields(text), " ")
	return `"` + cut(text, longestReason) + `"`
}

// cut shortens a text to some runes, the last three of them dots.
func cut(text string, runes int) string {
	if utf8.RuneCountInString(text) <= runes {
		return text
	}
	return string([]rune(text)[:runes-3]) + "..."
}
