package outcomes

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"unicode/utf8"

	"learnloop.dev/learn"
)

// How much of a text is kept in rows, in bytes. What is longer ends in a digest, so
// that distinct texts stay distinct.
const (
	longestName        = 200 // of models, features and tags
	longestReason      = 160
	longestInstruction = 400
	longestGoal        = 300
	longestDescription = 160 // of a step
)

// kept is a text as it is kept: one line of visible characters, short.
func kept(text string, most int) string {
	if plain(text) && len(text) <= most {
		return text
	}
	line := strings.Join(strings.Fields(learn.Visible(text)), " ")
	if len(line) <= most {
		return line
	}
	return prefix(line, most-digestWidth-len("…~")) + "…~" + digest(text)
}

// plain reports whether a text is printable ASCII with single spaces inside.
func plain(text string) bool {
	space := true
	for i := range len(text) {
		c := text[i]
		if c < ' ' || c > '~' || c == ' ' && space {
			return false
		}
		space = c == ' '
	}
	return !space || text == ""
}

// prefix is the beginning of a text, whole characters of at most so many bytes.
func prefix(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

// digestWidth is the length of a digest.
const digestWidth = 16

// digest names a value by its content.
func digest(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		h.Write([]byte(p))
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil)[:digestWidth/2])
}

// mostWords are as many words as a kind of goal is named by (004, template matching).
const mostWords = 5

// GoalKey is the kind of a goal: its different words in lower case, the first five in
// byte order, joined by hyphens (004).
func GoalKey(goal string) string {
	words := strings.Fields(strings.ToLower(goal))
	slices.Sort(words)
	words = slices.Compact(words)
	return kept(strings.Join(words[:min(len(words), mostWords)], "-"), longestGoal)
}
