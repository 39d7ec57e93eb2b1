package ingest

import (
	"learnloop.dev/events"
	"learnloop.dev/learn/features"
	"learnloop.dev/privacy"
)

// distil leaves behind what stays known of an exchange when its texts are dropped, as
// far as the settings allow, and notes with a reaction what they do not allow. An exchange that cannot be read has no features: it
// counts as content that could not be examined.
func (g *Gate) distil(payload events.Payload, report *privacy.Report) {
	s := g.policy.Privacy
	var withheld *events.Withheld
	if !s.EnableQualityScoring || !s.EnablePersonalization {
		withheld = &events.Withheld{Unscored: !s.EnableQualityScoring, Impersonal: !s.EnablePersonalization}
	}
	switch p := payload.(type) {
	case *events.ResponseFeedback:
		p.Withheld = withheld
	case *events.Engagement:
		p.Withheld = withheld
	case *events.Exchange:
		g.read(p, report)
	}
}

// read leaves the features of an exchange.
func (g *Gate) read(e *events.Exchange, report *privacy.Report) {
	defer func() {
		if recover() != nil { // the panic's value may hold text: it goes no further
			e.Features = nil
			report.Removed++
		}
	}()
	if g.reader == nil { // few gates meet an exchange
		g.reader = features.NewReader()
	}
	s := g.policy.Privacy
	e.Features = g.reader.Read(e, g.Keys.Blind)
	features.Scope{Quality: s.EnableQualityScoring, Personal: s.EnablePersonalization, Tracking: s.EnableImplicitTracking}.Within(e.Features)
}
