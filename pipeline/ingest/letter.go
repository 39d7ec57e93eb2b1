package ingest

import (
	"learnloop.dev/events"
	"learnloop.dev/pipeline"
)

// origin says where a refused event came from.
type origin struct {
	stage    string
	sequence uint64
	index    int
	payload  []byte // for size and digest only
}

// replay names the replay that sent an event, "" when none did.
func (g *Gate) replay(env events.Envelope) string {
	return g.guard.Identifier(env.Extensions[events.ExtReplay])
}

// letter writes down why an event was refused. It hashes what names the event,
// but for the replay, which is for the person who waits for it.
func (g *Gate) letter(from origin, env events.Envelope, r events.Refusal) pipeline.Letter {
	l := pipeline.Letter{
		Stage: from.stage, Reason: r.Reason, At: env.Received.UTC(), Kind: env.Kind,
		Size: len(from.payload), SHA256: pipeline.Digest(from.payload),
		Violations: r.Violations, Sequence: from.sequence, Index: from.index,
		Replay: g.replay(env),
	}
	if env.ID != "" {
		l.ID = g.Keys.Blind("letter", env.ID)
	}
	if env.Source != "" {
		l.Source = g.Keys.Blind("letter", env.Source)
	}
	return l
}
