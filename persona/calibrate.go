package persona

import (
	"fmt"

	"learnloop.dev/events"
	"learnloop.dev/learn/conversations"
)

// Finding is where an answer is not as the person likes it. The answer itself is left
// alone: to change it is for the prompt.
type Finding struct {
	What     string  `json:"what"` // length, format, examples
	Text     string  `json:"text"` // in a sentence
	Measured float64 `json:"measured"`
	Likes    float64 `json:"likes"` // in the unit of what was measured
}

// What an answer has to differ by to be told.
const (
	farLonger  = 2.0 // times what the person likes
	farShorter = 0.5
	tooLong    = 200 // words, where nothing else is known (003)
	tooShort   = 60
	fewLines   = 4 // answers of less are neither lists nor prose
)

// Calibrate compares an answer with what a person likes, its length as far as the terms
// follow that. There is nothing to find where too little is known.
func Calibrate(answer events.TextShape, p *Preferences, t Terms) []Finding {
	list := []Finding{}
	if !Known(p) || answer.Characters == 0 {
		return list
	}
	for _, f := range []*Finding{
		length(answer, known(p.Style.Length).followed(t.within().LengthWeight)), format(answer, known(p.Style.Format)), examples(answer, known(p.Style.Examples)),
	} {
		if f != nil {
			list = append(list, *f)
		}
	}
	return list
}

// trait is one of which enough is known, or that the person set; nil when it is neither.
type trait struct{ conversations.Trait }

func known(t conversations.Trait) *trait {
	if !t.Corrected && t.Confidence <= conversations.Personal {
		return nil
	}
	return &trait{t}
}

// followed is the part of a trait that is followed.
func (t *trait) followed(weight float64) *trait {
	if t == nil || weight == 1 {
		return t
	}
	part := *t
	part.Value = middle + float64((t.Value-middle)*weight)
	return &part
}

// high and low report whether a trait is known to lie beyond a value.
func (t *trait) high(than float64) bool { return t != nil && t.Value > than }
func (t *trait) low(than float64) bool  { return t != nil && t.Value < than }

func length(answer events.TextShape, t *trait) *Finding {
	words := float64(answer.Words)
	switch {
	case t.low(concise):
		if likes := or(t.Typical, tooLong/farLonger); words > likes*farLonger {
			return &Finding{"length", fmt.Sprintf("longer than this person likes: %d words, likes about %.0f", answer.Words, likes), words, likes}
		}
	case t.high(detailed):
		if likes := or(t.Typical, tooShort/farShorter); words < likes*farShorter {
			return &Finding{"length", fmt.Sprintf("shorter than this person likes: %d words, likes about %.0f", answer.Words, likes), words, likes}
		}
	}
	return nil
}

func or(x *float64, otherwise float64) float64 {
	if x == nil {
		return otherwise
	}
	return *x
}

func format(answer events.TextShape, t *trait) *Finding {
	items := float64(answer.ListItems)
	switch {
	case t.high(detailed) && items == 0 && answer.Sentences >= fewLines:
		return &Finding{"format", "without lists, which this person likes", items, fewLines}
	case t.low(concise) && items >= fewLines:
		return &Finding{"format", fmt.Sprintf("%d items in lists, where this person likes prose", answer.ListItems), items, 0}
	}
	return nil
}

func examples(answer events.TextShape, t *trait) *Finding {
	given := answer.Examples + answer.CodeBlocks
	if t.high(much) && given == 0 && answer.Words >= tooShort {
		return &Finding{"examples", "without examples, which this person likes", 0, max(1, or(t.Typical, 1))}
	}
	return nil
}
