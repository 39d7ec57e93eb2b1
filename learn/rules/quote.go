package rules

import (
	"strings"

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
	return `"` + learn.Cut(strings.TrimSpace(text), longestQuote) + `"`
}

// quoteRemark shows what a person wrote. Unlike a pattern a remark means nothing
// by its signs, so those that could structure a prompt go entirely.
func quoteRemark(text string) string {
	return learn.Quoted(strings.ReplaceAll(text, "#", ""), longestReason)
}
