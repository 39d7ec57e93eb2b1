// Package extract turns what an agent discovered into a learning: what is worth
// keeping, how it is put, and what becomes of one that says what is known already.
// It asks no model itself; the words of one come in as an answer.
package extract

import (
	"crypto/sha256"
	"encoding/base32"
	"strings"

	"learnloop.dev/events"
)

// Draft is a learning as it was put, before anything is said of where it comes from.
type Draft struct {
	Title       string   `json:"title"`
	Context     string   `json:"context"`
	Observation string   `json:"observation"`
	Implication string   `json:"implication"`
	Action      string   `json:"action"`
	Tags        []string `json:"tags"`
	Domain      string   `json:"domain"`
}

// Dependency is why a discovery of that type is skipped.
const Dependency = "dependency"

// Empty is why a discovery without words is skipped.
const Empty = "empty"

// Skip says why nothing can be learned from a discovery, "" when something can.
// What one task depends on means nothing to others.
func Skip(d *events.Discovery) string {
	switch {
	case d.Type == events.FoundDependency:
		return Dependency
	case len(words(d.Content)) == 0:
		return Empty
	}
	return ""
}

// trust is how far a learning is trusted before it was ever used, by what it was
// made from (source document 001).
func trust(t events.DiscoveryType) float64 {
	switch t {
	case events.FoundBlocker:
		return 0.7
	case events.FoundConstraint:
		return 0.6
	case events.FoundPattern, events.FoundDecision, events.FoundDependency:
	}
	return 0.5
}

// pattern is what a learning is good for, by what it was made from (001).
func pattern(t events.DiscoveryType) events.PatternType {
	switch t {
	case events.FoundBlocker:
		return events.Gotcha
	case events.FoundConstraint:
		return events.HardLimit
	case events.FoundPattern:
		return events.BestPractice
	case events.FoundDecision, events.FoundDependency:
	}
	return events.Solution
}

// ID names the learning of a discovery, by the discovery's record: extracting it
// again gives the same one.
func ID(record string) events.ID { return events.ID("learn_" + Name(record)) }

// Name is what follows from a record and tells nothing about it: 100 bits.
func Name(record string) string {
	sum := sha256.Sum256([]byte("learning of " + record))
	return strings.ToLower(base32.StdEncoding.EncodeToString(sum[:]))[:20]
}

// Learning joins a draft with the discovery it was made from, and who made it.
func (d Draft) Learning(from *events.Fact[events.Discovery], by string) *events.Learning {
	confidence := trust(from.Data.Type)
	return &events.Learning{
		ID: ID(from.Record), Title: d.Title, Context: d.Context, Observation: d.Observation,
		Implication: d.Implication, Action: d.Action,
		SourceOutcomeID: from.Data.SourceOutcomeID, SourceTaskID: from.Data.SourceTaskID,
		SourceDiscoveryID: from.Data.DiscoveryID,
		Tags:              events.Tags(d.Tags), Domain: d.Domain, PatternType: pattern(from.Data.Type),
		Confidence: &confidence, ExtractedBy: by,
	}
}
