package learn

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible is a text on one line without control and format characters, nor what is no
// character: they have no place where somebody reads it.
func Visible(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case ' ' <= r && r <= '~':
			return r
		case unicode.IsSpace(r):
			return ' '
		case unicode.Is(unicode.C, r), r == utf8.RuneError:
			return -1
		}
		return r
	}, text)
}

// Quoted shows a text within a prompt as data: on one line, between quotation marks that
// it cannot close, without signs that could structure a prompt or say who speaks, and cut
// to so many runes.
func Quoted(text string, runes int) string {
	text = strings.Map(func(r rune) rune {
		if strings.ContainsRune("`<>{}[]|*~\\", r) {
			return -1
		}
		return r
	}, Visible(text))
	text = strings.ReplaceAll(strings.Join(strings.Fields(WithoutRoles(text)), " "), `"`, "'")
	return `"` + Cut(text, runes) + `"`
}

// Cut shortens a text to some runes, the last three of them dots.
func Cut(text string, runes int) string {
	if utf8.RuneCountInString(text) <= runes {
		return text
	}
	return string([]rune(text)[:runes-3]) + "..."
}

// WithoutRoles takes the colons from behind words with which transcripts say who
// speaks, wherever they stand, so that a text that is quoted in a prompt cannot pass
// for a turn of a conversation.
func WithoutRoles(text string) string {
	for _, role := range []string{"system", "assistant", "user", "human", "developer", "tool"} {
		text = withoutRole(text, role)
	}
	return text
}

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
