package ingest

import (
	"learnloop.dev/events"
	"learnloop.dev/learn/features"
	"learnloop.dev/privacy"
)

// distil leaves behind what stays known of an exchange when its texts are dropped, as
// far as the settings allow. An exchange that cannot be read has no features: it
// counts as content that could not be examined.
func (g *Gate) distil(payload events.Payload, report *privacy.Report) {
	e, ok := payload.(*events.Exchange)
	if !ok {
		return
	}
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
