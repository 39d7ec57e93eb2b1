// Package persona adapts what an agent does to a person whose preferences are known:
// the prompt, the order of what was retrieved, and what is noticed about an answer.
//
// It changes nothing for people of whom too little is known, and explains every change.
package persona

import (
	"math"

	"learnloop.dev/learn/conversations"
)

// Preferences is the context of a person.
type Preferences = conversations.Preferences

// Known reports whether enough is known of a person to change anything: more than a
// confidence of 0.3, or something that the person said.
func Known(p *Preferences) bool {
	return p != nil && (p.Confidence > conversations.Personal || len(p.Advice) > 0)
}

// Terms say how strongly preferences act. Experiments set them by these names (003).
type Terms struct {
	// LengthWeight is how far the length that a person likes is followed: 0 not at all, 1 fully.
	LengthWeight float64 `json:"length_weight"`
	// TopicBoost is the most that a topic lifts a result, of the distance between the
	// least and the greatest score.
	TopicBoost float64 `json:"topic_boost"`
}

// Usual are the terms of source document 003.
func Usual() Terms { return Terms{LengthWeight: 1, TopicBoost: 0.2} }

// within are the terms between 0 and 1, the usual ones for what is no number.
func (t Terms) within() Terms {
	usual := Usual()
	return Terms{unit(t.LengthWeight, usual.LengthWeight), unit(t.TopicBoost, usual.TopicBoost)}
}

// unit is x between 0 and 1, and something else when it is no number.
func unit(x, otherwise float64) float64 {
	if math.IsNaN(x) {
		return otherwise
	}
	return min(max(x, 0), 1)
}

// Adaptation is one thing that was done for a person, and why.
type Adaptation struct {
	What       string  `json:"what"` // length, depth, format, examples, topics, mistakes
	Text       string  `json:"text"` // the advice that is followed
	Why        string  `json:"why"`
	Confidence float64 `json:"confidence"`
	Evidence   int64   `json:"evidence"` // answers it was learned from
}
