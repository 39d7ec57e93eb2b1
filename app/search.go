package app

import (
	"context"
	"slices"

	"learnloop.dev/api"
	"learnloop.dev/bus"
	"learnloop.dev/kv"
	"learnloop.dev/pipeline/analyze"
	"learnloop.dev/pipeline/forget"

	"github.com/nats-io/nats.go/jetstream"
)

// reads are the streams that each stage on its own searches for a person. Together
// they are all of ours.
var reads = map[Role][]string{
	Ingest:   {bus.InboxStream, "KV_" + kv.Owners},
	Analyzer: {bus.EventsStream, bus.InsightsStream},
	Injector: {bus.LettersStream, bus.OutStream, bus.AuditStream, "KV_" + kv.Contexts, "KV_" + kv.Learnings, "KV_" + kv.Settings, "KV_" + kv.Receipts},
}

// parties are who searches for a person, first who has the log.
func (l *Loop) parties() []forget.Party {
	if l.role == Everything {
		return []forget.Party{l.archive()}
	}
	return []forget.Party{api.NewAnalyzers(l.nc, l.layout.Partitions), api.NewSteward(l.nc), l.archive(), others{l.js}}
}

// archive is what this process may search.
func (l *Loop) archive() forget.Archive {
	a := forget.Archive{Streams: streams{l.js, reads[l.role]}, Law: analyze.LawMeta}
	if l.state != nil {
		a.State, a.Whole = l.state, l.whole.Load
	}
	return a
}

// streams are those of a process; nil means all there are.
type streams struct {
	js    jetstream.JetStream
	names []string
}

// Names lists them, buckets among them.
func (s streams) Names(ctx context.Context) ([]string, error) {
	if s.names != nil {
		return slices.Clone(s.names), nil
	}
	return bus.Streams(ctx, s.js)
}

// Comb hands every message of one to take.
func (s streams) Comb(ctx context.Context, stream string, take func(bus.Entry) error) error {
	return bus.Comb(ctx, s.js, stream, take)
}

// Erase deletes messages.
func (s streams) Erase(ctx context.Context, stream string, found []bus.Entry) error {
	return bus.EraseMsgs(ctx, s.js, stream, found)
}

// others are the streams that are not ours, which stages on their own may not read.
type others struct{ js jetstream.JetStream }

// Search names them.
func (o others) Search(ctx context.Context, s forget.Search) (f forget.Finding, err error) {
	if s.Clean {
		return f, nil
	}
	names, err := bus.Streams(ctx, o.js)
	for _, name := range names {
		ours := false
		for _, list := range reads {
			ours = ours || slices.Contains(list, name)
		}
		if !ours {
			f.Scan.Skipped = append(f.Scan.Skipped, name)
		}
	}
	return f, err
}
