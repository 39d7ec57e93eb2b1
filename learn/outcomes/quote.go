package outcomes

import "learnloop.dev/learn"

// longestQuote is how much of a text a prompt quotes, in runes.
const longestQuote = 120

// quote shows a text within a prompt as data.
func quote(text string) string { return learn.Quoted(text, longestQuote) }
