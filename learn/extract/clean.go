package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The longest texts of a draft, in runes; a title is as source document 001 has it.
const (
	longestTitle = 100
	longestText  = 1200
	longestTag   = 40
	mostTags     = 5
)

// marks mean something to models, or to who reads votes.
var marks = strings.NewReplacer("```", "", "~~~", "", "<|", "", "|>", "", "LEARNING_HELPFUL:", "", "LEARNING_NOT_HELPFUL:", "")

// clean leaves of a text what may stand in another model's prompt as data: one
// line, nothing invisible, no fences, and nothing that reads as a vote.
func clean(text string, runes int) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), r == utf8.RuneError:
			return -1
		}
		return r
	}, text)
	text = marks.Replace(text)
	text = strings.TrimLeft(strings.Join(strings.Fields(text), " "), "#>-*= ")
	return cut(text, runes)
}

// cut shortens a text to some runes, at a space if there is one near.
func cut(text string, runes int) string {
	if utf8.RuneCountInString(text) <= runes {
		return text
	}
	short := string([]rune(text)[:runes-1])
	if i := strings.LastIndexByte(short, ' '); i > len(short)*2/3 {
		short = short[:i]
	}
	return strings.TrimRight(short, " ,;:.-") + "…"
}

// cleanTags leaves tags that differ, in lower case.
func cleanTags(tags []string) []string {
	var list []string
	seen := map[string]bool{}
	for _, tag := range tags {
		tag = strings.ToLower(clean(tag, longestTag))
		if tag == "" || seen[tag] || len(list) == mostTags {
			continue
		}
		seen[tag] = true
		list = append(list, tag)
	}
	return list
}

// cleaned is the draft as it may be kept.
func (d Draft) cleaned() Draft {
	return Draft{
		Title: clean(d.Title, longestTitle), Context: clean(d.Context, longestText),
		Observation: clean(d.Observation, longestText), Implication: clean(d.Implication, longestText),
		Action: clean(d.Action, longestText), Tags: cleanTags(d.Tags),
		Domain: strings.ToLower(clean(d.Domain, longestTag)),
	}
}

// whole reports whether a draft says all that a learning has to.
func (d Draft) whole() bool {
	return d.Title != "" && d.Context != "" && d.Observation != "" && d.Implication != "" && d.Action != ""
}
