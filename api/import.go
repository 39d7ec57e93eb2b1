package api

import (
	"bytes"
	"context"
	"errors"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn/portable"
	"learnloop.dev/learn/rules"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Importer puts imported counts into the log.
type Importer interface {
	// Import appends all of them, and returns where in the log the last of its kind
	// stands in each partition. The same again changes nothing.
	Import(ctx context.Context, facts []*events.DataImported) (map[int]uint64, error)
}

// ImportArgs bring an export.
type ImportArgs struct {
	Caller  `json:"-"`
	DryRun  bool   `json:"dry_run,omitzero" query:"dry_run" doc:"Says what would change, and changes nothing."`
	RawBody []byte `json:"-" contentType:"application/json"`
}

// receive takes over a message that came over NATS: the export, and beside its members
// dry_run.
func (in *ImportArgs) receive(_ map[string][]string, data []byte) {
	in.RawBody = data
	var members map[string]jsontext.Value
	if json.Unmarshal(data, &members) != nil {
		return // the reader says what is wrong
	}
	given, has := members["dry_run"]
	if has && json.Unmarshal(given, &in.DryRun) == nil {
		delete(members, "dry_run")
		in.RawBody = mustWrite(members)
	}
}

// describe documents the body over HTTP.
func (*ImportArgs) describe(b *huma.RequestBody) {
	b.Description, b.Required = "An export, as it was written.", true
	b.Content = map[string]*huma.MediaType{mediaJSON: {Schema: anyObject("See /schemas/export.v1.json.")}}
}

// Schema describes the message to NATS clients.
func (*ImportArgs) Schema(huma.Registry) *huma.Schema {
	return anyObject("An export as /schemas/export.v1.json describes it, and dry_run beside its members.")
}

// Importing is what an import changes, or would.
type Importing struct {
	Imported   bool      `json:"imported" doc:"Whether it was done."`
	Source     string    `json:"source" doc:"The installation that exported."`
	Own        bool      `json:"own" doc:"Whether that is this one."`
	ExportedAt time.Time `json:"exported_at"`
	Patterns   int       `json:"patterns" doc:"In the export."`
	Rules      int       `json:"rules" doc:"In the export, by source."`
	Decisions  int64     `json:"decisions" doc:"That count then and did not, or not so, before."`
	New        int       `json:"new" doc:"Rules of a source that nothing was known of."`
	Replaced   int       `json:"replaced" doc:"Rules of a source that were exported earlier before."`
	Unchanged  int       `json:"unchanged" doc:"Rules that are known as they are."`
	Older      int       `json:"older" doc:"Rules of which a later export is known."`
}

// Add adds what another part of the same export changes.
func (i *Importing) Add(o Importing) {
	i.Own = o.Own
	i.Patterns, i.Rules, i.Decisions = i.Patterns+o.Patterns, i.Rules+o.Rules, i.Decisions+o.Decisions
	i.New, i.Replaced, i.Unchanged, i.Older = i.New+o.New, i.Replaced+o.Replaced, i.Unchanged+o.Unchanged, i.Older+o.Older
}

// importData checks an export, finds out what of it is new, and puts that into the log.
// One at a time: what one brings the next one knows.
func (a *API) importData(ctx context.Context, in *ImportArgs) (*Importing, error) {
	if err := a.licensed(kindRule); err != nil {
		return nil, err
	}
	c, err := cargoOf(in.RawBody)
	if err != nil {
		return nil, err
	}
	if c.head.ExportedAt.After(a.deps.Now().Add(clockSkew)) {
		return nil, wrong(Invalid, "/exported_at", "a time that has come")
	}
	if c.own, err = a.deps.Installation(ctx); err != nil {
		return nil, outOfReach(err)
	}
	a.importing.Lock()
	defer a.importing.Unlock()
	if err := a.look(ctx, c); err != nil {
		return nil, err
	}
	told := c.plan(in.actor())
	if in.DryRun {
		return told, nil
	}
	told.Imported = true
	if len(c.facts) > 0 {
		heard, err := a.deps.Importer.Import(ctx, c.facts)
		if err != nil {
			return nil, outOfReach(err)
		}
		if err := a.awaitAll(ctx, heard); err != nil {
			return nil, err
		}
	}
	a.moved(Moved{Imported: true, Patterns: told.Patterns})
	return told, nil
}

// clockSkew is how far clocks may differ.
const clockSkew = 10 * time.Minute

// awaitAll waits until the contexts are current with log positions.
func (a *API) awaitAll(ctx context.Context, heard map[int]uint64) error {
	for p, seq := range heard {
		if err := a.await(ctx, p, seq); err != nil {
			return err
		}
	}
	return nil
}

// cargoOf reads an export.
func cargoOf(data []byte) (*cargo, error) {
	c := &cargo{patterns: map[portable.Key][]portable.Pattern{}, held: map[string]rules.Held{}}
	var err error
	c.head, err = portable.Read(bytes.NewReader(data), portable.Visitor{
		Pattern: func(p *portable.Pattern) error {
			at := portable.Key{Rule: string(p.RuleID), Source: p.Source}
			if _, begun := c.patterns[at]; !begun {
				c.groups = append(c.groups, at)
			}
			c.patterns[at] = append(c.patterns[at], *p)
			return nil
		},
		Rule: func(r *portable.Rule) error { c.rules = append(c.rules, *r); return nil },
	})
	if err != nil {
		return nil, unsound(err)
	}
	for _, list := range c.patterns {
		if len(list) > mostPatternsOfRule {
			return nil, wrong(Invalid, "/patterns", "at most 20000 of a rule and a source")
		}
	}
	return c, nil
}

// mostPatternsOfRule is how many patterns of a rule may come from one source: so many
// fit into a message.
const mostPatternsOfRule = 20_000

// unsound says what is wrong with an export.
func unsound(err error) error {
	switch {
	case errors.Is(err, portable.ErrTooLarge):
		return problem(TooLarge, err.Error())
	case errors.Is(err, portable.ErrVersion):
		return problem(Invalid, err.Error()).hint("import it with the version of learnloop that exported it, or a later one")
	case errors.Is(err, portable.ErrChecksum), errors.Is(err, portable.ErrBroken):
		return problem(Invalid, err.Error()).hint("nothing was changed; export it again")
	}
	return err
}

// look asks what is known of the rules of an export.
func (a *API) look(ctx context.Context, c *cargo) error {
	args := rules.HeldArgs{Rules: c.names()}
	if len(args.Rules) == 0 {
		return nil
	}
	if c.ours() {
		args.Until = c.head.Until
		if p := c.head.Options.Period; p != nil {
			args.From, args.To = p.Start, p.End
		}
	}
	parts, err := askModel[[]rules.Held](ctx, a.asker, question{Model: rules.Name, Ask: rules.AskHeld}, args)
	for _, part := range parts {
		for _, h := range part {
			c.held[h.RuleID] = h
		}
	}
	return err
}
