package pipeline

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"learnloop.dev/events"

	"github.com/go-json-experiment/json"
)

// Letter is a dead letter: why an event could not be taken in, and never what
// was in it. What ingest refused must be published again by its producer; what
// the analyzer refused can be driven again by its log sequence.
type Letter struct {
	Stage  string        `json:"stage"` // ingest, analyze, http
	Reason events.Reason `json:"reason"`
	At     time.Time     `json:"at"`
	Kind   events.Kind   `json:"kind,omitzero"` // only kinds of the vocabulary
	// ID and Source are keyed hashes: the originals have not been anonymised.
	ID     string `json:"id,omitzero"`
	Source string `json:"source,omitzero"`
	Size   int    `json:"size"`
	SHA256 string `json:"sha256"`
	// Violations say where the event departs from its schema and what was expected.
	Violations []events.Violation `json:"violations,omitzero"`
	Sequence   uint64             `json:"sequence,omitzero"` // in the stage's input stream
	Index      int                `json:"index,omitzero"`    // within a batch message
	Replay     string             `json:"replayid,omitzero"`
	// Redriven is the letter for which the log entry was driven again.
	Redriven uint64 `json:"redriven,omitzero"`
}

// RedrivenHeader stands on a log entry that was driven again: the sequence of its dead letter.
const RedrivenHeader = "Learnloop-Redriven"

// AnalyzeStage is what the second stage calls itself in its letters: what it refused is
// in the log, and can be driven again.
const AnalyzeStage = "analyze"

// Cause identifies why the letter was written, so that a repeat is one entry, however it
// comes: alone or in a batch, now or days later. Of events that cannot be told apart in a
// message only their place says which is meant. Who drives an entry again is told anew.
func (l Letter) Cause() string {
	place := 0
	if l.ID == "" {
		place = l.Index
	}
	text := fmt.Appendf(nil, "%s|%s|%s|%s|%s|%d", l.Stage, l.Reason, l.Source, l.ID, l.SHA256, place)
	if l.Redriven > 0 {
		text = fmt.Appendf(text, "|%d", l.Sequence)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

// Encode returns the letter as stored.
func (l Letter) Encode() ([]byte, error) {
	data, err := json.Marshal(l)
	if err != nil {
		return nil, fmt.Errorf("encode dead letter %s: %w", l.Reason, err)
	}
	return data, nil
}

// Digest is the SHA-256 of a payload in hexadecimal.
func Digest(payload []byte) string {
	sum := sha256.Sum256(payload)
	return hex.EncodeToString(sum[:])
}
