package ingest

import (
	"learnloop.dev/events"
	"learnloop.dev/privacy"
)

// drop removes what is never stored, whatever the models made of it before: the
// texts of an exchange and its corrections, an agent's output, and the text of a response unless the
// settings keep it (SPEC sections 2, 3 and 4.5).
func drop(payload events.Payload, s privacy.Settings) {
	switch p := payload.(type) {
	case *events.Exchange:
		p.UserText, p.AgentText, p.Corrections, p.Topics = "", "", nil, nil
	case *events.AgentOutput:
		p.Output = ""
	case *events.ResponseFeedback:
		if !s.StoreRawFeedbackText {
			p.FeedbackText = ""
		}
	}
}

// learningID is how long the derived part of a learning's id is.
const learningID = 16

// complete gives a learning that came without an id the one its event decides.
func (g *Gate) complete(env events.Envelope, payload events.Payload) {
	if l, ok := payload.(*events.Learning); ok && l.ID == "" {
		l.ID = events.ID("learn_" + g.Keys.Blind("learning", env.Source, env.ID)[:learningID])
	}
}
