package rules

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/privacy"
)

// prepare computes what is learned from the texts of a fix and then hides what
// the text mode does not allow to be kept. It sees redacted text.
func prepare(lens learn.Lens, f *events.FixFeedback) {
	if f.Derived == nil {
		f.Derived = new(events.FixDerived)
	}
	f.Derived.Mode = string(lens.Mode)
	if f.Decision != events.Skipped {
		identify(lens, f)
	}
	if f.Decision == events.Modified {
		f.Derived.Improvement = improvement(lens.Mode, f.SuggestedText, edited(f))
	}
	mask(lens.Mode, f)
}

// identify names the pattern of a fix and says how it may be shown. What is
// shown depends on the normalised pair alone, so that all records of a pattern
// show the same.
func identify(lens learn.Lens, f *events.FixFeedback) {
	original, suggested := normal(f.OriginalText), normal(f.SuggestedText)
	f.Derived.Pattern = lens.Blind("pattern", original, suggested)
	shown := lens.Mode.Mask(privacy.Fix{Original: original, Suggested: suggested})
	f.Derived.Original = shortened(learn.Visible(shown.Original), longestPattern)
	f.Derived.Suggested = shortened(learn.Visible(shown.Suggested), longestPattern)
}

func mask(mode privacy.Mode, f *events.FixFeedback) {
	texts := privacy.Fix{Original: f.OriginalText, Suggested: f.SuggestedText}
	if f.FinalText != nil {
		texts.Final = *f.FinalText
	}
	if f.UserModification != nil {
		texts.Modification = *f.UserModification
	}
	masked := mode.Mask(texts)
	f.OriginalText, f.SuggestedText = masked.Original, masked.Suggested
	if f.FinalText != nil {
		f.FinalText = &masked.Final
	}
	if f.UserModification != nil {
		f.UserModification = &masked.Modification
	}
}

// edited is what the user made of a modified suggestion: the modification, or
// the final text where only that was sent.
func edited(f *events.FixFeedback) string {
	switch {
	case f.UserModification != nil && *f.UserModification != "":
		return *f.UserModification
	case f.FinalText != nil:
		return *f.FinalText
	}
	return ""
}

// The classes of improvement. The third names the words.
const (
	concise  = "more concise"
	detailed = "more detail"
)

// improvement says how an edit changed the suggestion, by length in runes first
// and then by words; "" when neither tells.
func improvement(mode privacy.Mode, suggested, edit string) string {
	was, is := utf8.RuneCountInString(suggested), utf8.RuneCountInString(edit)
	switch {
	case is == 0 || edit == suggested:
		return ""
	case 10*is < 8*was:
		return concise
	case 10*is > 12*was:
		return detailed
	}
	return replacement(mode, strings.Fields(suggested), strings.Fields(edit))
}

// replacement names up to two words that went and two that came, masked like
// the texts they are from.
func replacement(mode privacy.Mode, was, is []string) string {
	gone, come := without(was, is), without(is, was)
	if gone == "" || come == "" {
		return ""
	}
	shown := mode.Mask(privacy.Fix{Original: gone, Suggested: come})
	return fmt.Sprintf("replaced %q with %q", shown.Original, shown.Suggested)
}

// without joins the first two words that the others lack, as they may be quoted.
func without(words, others []string) string {
	known := make(map[string]bool, len(others))
	for _, w := range others {
		known[w] = true
	}
	var found []string
	for _, w := range words {
		if known[w] || len(found) == 2 {
			continue
		}
		known[w] = true
		if shown := quotable(w); shown != "" {
			found = append(found, shown)
		}
	}
	return strings.Join(found, " ")
}

// quotable is a word as it may stand between quotation marks: short, without
// what could end the quotation early, and without markers.
func quotable(word string) string {
	word = strings.Map(func(r rune) rune {
		if r == '"' || r == '\\' {
			return -1
		}
		return r
	}, learn.Visible(word))
	return shortened(unmarked(word), longestWord)
}
