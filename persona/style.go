package persona

import (
	"fmt"
	"math"
	"strconv"

	"learnloop.dev/learn/conversations"
)

// The values of traits from which on a prompt follows them (003).
const (
	concise  = 0.3
	middle   = 0.5
	much     = 0.6
	detailed = 0.7
)

// heeded is the advice that the terms let through: of the length, if the part of it
// that is followed is still an end of the scale.
func heeded(p *Preferences, t Terms) []conversations.Advice {
	list := make([]conversations.Advice, 0, len(p.Advice))
	for _, a := range p.Advice {
		if a.About != conversations.AboutLength || math.Abs(p.Style.Length.Value-middle)*t.LengthWeight > detailed-middle || t.LengthWeight == 1 {
			list = append(list, a)
		}
	}
	return list
}

// change explains a piece of advice.
func change(a conversations.Advice, p *Preferences) Adaptation {
	c := Adaptation{What: a.About, Text: a.Text, Confidence: p.Confidence, Evidence: p.SampleSize}
	switch a.About {
	case conversations.AboutLength:
		c.explain("length_preference", p.Style.Length, "words")
	case conversations.AboutDepth:
		c.explain("depth_preference", p.Style.Depth, "")
	case conversations.AboutFormat:
		c.explain("preference for lists", p.Style.Format, "")
	case conversations.AboutExamples:
		c.explain("examples_preference", p.Style.Examples, "examples")
	case conversations.AboutTopics:
		c.topics(p)
	case conversations.AboutMistakes:
		c.Evidence, c.Why = 0, "what went wrong again and again"
		for _, e := range p.ErrorPatterns {
			if a.Text == e.Description+" "+e.Fix {
				c.Evidence, c.Why = e.Frequency, fmt.Sprintf("%s: %d times", e.Type, e.Frequency)
			}
		}
	}
	return c
}

// topics says what the interest in topics follows from.
func (c *Adaptation) topics(p *Preferences) {
	const engages = "the topics with which the person engages more than with others"
	said, learned := false, false
	c.Evidence = 0
	for _, t := range p.Topics {
		c.Evidence += t.Samples
		said, learned = said || t.Corrected, learned || t.High && !t.Corrected
	}
	switch {
	case said && learned && p.Confidence > conversations.Personal:
		c.Why = "the person said so, and " + engages
	case said:
		c.Confidence, c.Why = 1, "the person said so"
	default:
		c.Why = engages
	}
}

// explain says from which trait a change follows; unit is what its typical value counts.
func (c *Adaptation) explain(name string, t conversations.Trait, unit string) {
	c.Confidence, c.Evidence = t.Confidence, t.SampleSize
	if t.Corrected {
		c.Why = "the person said so"
		return
	}
	c.Why = fmt.Sprintf("%s %.2f, learned from %d answers", name, t.Value, t.SampleSize)
	if t.Typical != nil && unit != "" {
		c.Why += fmt.Sprintf("; those that went well have about %s %s", strconv.FormatFloat(*t.Typical, 'f', -1, 64), unit)
	}
}
