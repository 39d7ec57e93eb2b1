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
	payload  *payload // for size and digest only
}

// arrival is how a refused event came.
type arrival struct {
	replay string // "" when none sent it
	origin
}

// payload is a message or what one item of it holds. A message of a thousand bad items
// is hashed once.
type payload struct {
	data   []byte
	digest string
}

func (p *payload) size() int {
	if p == nil {
		return 0
	}
	return len(p.data)
}

func (p *payload) sum() string {
	if p == nil {
		return pipeline.Digest(nil)
	}
	if p.digest == "" {
		p.digest = pipeline.Digest(p.data)
	}
	return p.digest
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
		Size: from.payload.size(), SHA256: from.payload.sum(),
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
