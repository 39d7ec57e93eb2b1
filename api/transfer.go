package api

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"time"

	"learnloop.dev/learn/portable"
	"learnloop.dev/learn/rules"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// registerTransfer lists the operations that hand over what was learned from rule
// feedback, and take it in.
func (a *API) registerTransfer(r *Registry) {
	Add(r, Operation[TransferArgs, TransferPage]{
		Name: "export", Method: http.MethodGet, Path: "/api/export", Tag: "transfer", Access: Admin,
		Summary: "What was learned from rule feedback, for another installation",
		Description: "Counts by rule and pattern in integers, each in the name of the installation that counted, and a SHA-256 checksum " +
			"over the canonical form; the schema is at /schemas/export.v1.json. Over HTTP all of it, as a stream that breaks off when " +
			"something goes wrong; over NATS page by page: after is the next of the page before.",
		Aliases: map[string]string{"rule_ids": "rules", "start": "from", "end": "to"},
		Do:      a.export,
	})
	if a.deps.Importer == nil {
		return
	}
	Add(r, Operation[ImportArgs, Importing]{
		Name: "import", Method: http.MethodPost, Path: "/api/import", Tag: "transfer", Access: Admin,
		Summary: "Take in what was learned elsewhere",
		Description: "The export as it was written, up to 8 MiB; learnloop import sends larger ones in parts. Counts replace older ones of " +
			"the same installation: the same import changes nothing, and several may come in any order. One of this installation " +
			"adds what is not here any more. All of it is checked before anything of it counts.",
		Do: a.importData,
	})
}

// TransferArgs choose what is exported (000, LearningExportOptions).
type TransferArgs struct {
	Caller              `json:"-"`
	From                time.Time `json:"from,omitzero" query:"from" doc:"Event time from which on feedback counts, RFC 3339."`
	To                  time.Time `json:"to,omitzero" query:"to" doc:"Event time before which feedback counts."`
	Rules               []string  `json:"rules,omitzero" query:"rules,explode" nullable:"false" doc:"Raw rule ids; repeat the argument for several."`
	IncludePatterns     bool      `json:"include_patterns" query:"include_patterns" required:"false" default:"true" doc:"With patterns."`
	IncludeStatistics   bool      `json:"include_statistics" query:"include_statistics" required:"false" default:"true" doc:"With its statistics."`
	AnonymizeAll        bool      `json:"anonymize_all" query:"anonymize_all" required:"false" default:"true" doc:"Without people, and without their remarks."`
	IncludeOriginalText bool      `json:"include_original_text" query:"include_original_text" required:"false" doc:"As whole as patterns are kept."`
	After               string    `json:"after,omitzero" query:"after" doc:"Where to go on: next of a page."`
}

func (in *TransferArgs) check() error {
	if _, err := readStand(in.After); err != nil {
		return wrong(Invalid, "/after", "next of a page")
	}
	for _, id := range in.Rules {
		if err := checkID("rules", id); err != nil {
			return err
		}
	}
	return checkPeriod(in.From, in.To)
}

func (in *TransferArgs) options() portable.Options {
	o := portable.Options{
		AnonymizeAll: in.AnonymizeAll, IncludeOriginalText: in.IncludeOriginalText,
		IncludePatterns: in.IncludePatterns, IncludeStatistics: in.IncludeStatistics, Rules: in.Rules,
	}
	if !in.From.IsZero() || !in.To.IsZero() {
		o.Period = &portable.Period{Start: in.From, End: in.To}
	}
	return o
}

// stand is how far an export is: through the patterns, then through the rules.
type stand struct {
	Rules bool `json:"rules,omitzero"`
	rules.Passage
	Patterns int `json:"patterns,omitzero"` // so far
}

func (s stand) String() string {
	return base64.RawURLEncoding.EncodeToString(mustWrite(s))
}

func readStand(text string) (s stand, err error) {
	if text == "" {
		return s, nil
	}
	data, err := base64.RawURLEncoding.DecodeString(text)
	if err == nil {
		err = json.Unmarshal(data, &s)
	}
	return s, err
}

// TransferPage is some of an export, and where to go on.
type TransferPage struct {
	portable.Header
	Patterns   []portable.Pattern `json:"patterns" nullable:"false"`
	Rules      []portable.Rule    `json:"rules" nullable:"false"`
	Statistics jsontext.Value     `json:"statistics,omitzero" doc:"On the last page."`
	Next       string             `json:"next,omitzero" doc:"Where to go on; absent at the end."`

	rest *leaving
}

// Schema describes a page; entries are those of the schema of exports.
func (*TransferPage) Schema(huma.Registry) *huma.Schema {
	return anyObject("An export as /schemas/export.v1.json describes it; over NATS a page of it, with next in place of the checksum.")
}

func (a *API) export(ctx context.Context, in *TransferArgs) (*TransferPage, error) {
	if err := a.licensed(kindRule); err != nil {
		return nil, err
	}
	if in.IncludeOriginalText && (a.deps.Settings == nil || !a.deps.Settings().StoreOriginalText()) {
		return nil, problem(NotAllowed, "the settings of privacy let no original text leave").hint("learnloop privacy set text_mode=full")
	}
	own, err := a.deps.Installation(ctx)
	if err != nil {
		return nil, outOfReach(err)
	}
	at, _ := readStand(in.After) // was checked
	if !in.IncludePatterns {
		at.Rules = true
	}
	l := &leaving{api: a, in: in, at: at, own: own, begun: a.deps.Now().UTC()}
	return l.next(ctx)
}

// Moved is an export or an import that is done.
type Moved struct {
	Imported bool // else exported
	Patterns int
}

// moved tells the operator.
func (a *API) moved(m Moved) {
	if a.deps.Moved != nil {
		a.deps.Moved(m)
	}
}

// leaving is an export on its way.
type leaving struct {
	api   *API
	in    *TransferArgs
	at    stand
	own   string
	begun time.Time
}

// How much comes at a time: so much that asking costs little beside it, and that an
// answer fits into a message.
const (
	pageEntries  = 128 // of each partition
	pagePatterns = 1000
	comingRules  = 16 // of each partition
)

// next returns the next page.
func (l *leaving) next(ctx context.Context) (*TransferPage, error) {
	part, done, err := l.part(ctx)
	if err != nil {
		return nil, err
	}
	page := &TransferPage{Patterns: part.Patterns, Rules: part.Rules, rest: l, Header: portable.Header{
		ExportedAt: l.begun, Options: l.in.options(), Source: l.own, Until: l.api.deps.Now().UTC(), Version: portable.Version,
	}}
	l.at.Patterns += len(part.Patterns)
	if !done {
		page.Next = l.at.String()
		return page, nil
	}
	if page.Statistics, err = l.statistics(ctx); err == nil {
		l.api.moved(Moved{Patterns: l.at.Patterns})
	}
	return page, err
}

// part returns what is on the next page: patterns, then rules. It tells whether that is all.
func (l *leaving) part(ctx context.Context) (part rules.TransferPart, done bool, err error) {
	if !l.at.Rules {
		if part, err = l.patterns(ctx); err != nil || !l.at.Rules {
			return part, false, err
		}
	}
	part, after, more, err := l.ask(ctx, rules.TransferArgs{Rules: l.in.Rules, Most: pageEntries})
	l.at.At = after
	return part, !more, err
}

// patterns returns the patterns of the next page; behind the last come rules.
func (l *leaving) patterns(ctx context.Context) (part rules.TransferPart, err error) {
	if len(l.at.Coming) == 0 {
		parts, err := askModel[rules.ComingPart](ctx, l.api.asker, question{Model: rules.Name, Ask: rules.AskComing},
			rules.ComingArgs{After: l.at.At.Rule, Rules: l.in.Rules, Most: comingRules})
		if err != nil {
			return part, err
		}
		l.at.Foresee(parts...)
	}
	names := l.at.Page(pagePatterns)
	if len(names) == 0 {
		l.at = stand{Rules: true, Patterns: l.at.Patterns}
		return part, nil
	}
	part, within, more, err := l.ask(ctx, rules.TransferArgs{Rules: names, Most: pagePatterns, Patterns: true})
	if err == nil {
		l.at.Pass(names, within, more)
	}
	return part, err
}

// ask asks all partitions, and joins what they say.
func (l *leaving) ask(ctx context.Context, args rules.TransferArgs) (page rules.TransferPart, after portable.Key, more bool, err error) {
	args.From, args.To, args.After, args.Text, args.Own = l.in.From, l.in.To, l.at.At, l.in.IncludeOriginalText, l.own
	parts, err := askModel[rules.TransferPart](ctx, l.api.asker, question{Model: rules.Name, Ask: rules.AskTransfer}, args)
	if err != nil {
		return page, after, false, err
	}
	page, after, more = rules.MergeTransfers(parts...)
	return page, after, more, nil
}

// statistics are those of what is exported, nil where nobody asks for them.
func (l *leaving) statistics(ctx context.Context) (jsontext.Value, error) {
	if !l.in.IncludeStatistics {
		return nil, nil
	}
	answer, err := l.api.feedback(ctx, &StatisticsArgs{Caller: l.in.Caller, From: l.in.From, To: l.in.To, Rules: l.in.Rules})
	if err != nil {
		return nil, err
	}
	if !l.in.IncludeOriginalText { // patterns stand there as whole as they are kept
		answer.FixFeedback.Patterns = map[string]rules.PatternsOfRule{}
	}
	all := map[string]jsontext.Value{}
	if err := json.Unmarshal(mustWrite(answer), &all); err != nil {
		return nil, fmt.Errorf("write statistics: %w", err)
	}
	if l.in.AnonymizeAll { // people and their remarks stand there
		delete(all, "fix_feedback")
	}
	return mustWrite(all), nil
}

// media is the content type of the whole export.
func (*TransferPage) media() string { return mediaJSON }

// stream writes this page and all that follow.
func (p *TransferPage) stream(ctx context.Context, w io.Writer) error {
	out := portable.NewWriter(w)
	if err := out.Begin(p.Header); err != nil {
		return err
	}
	for page := p; ; {
		if err := page.write(out); err != nil {
			return err
		}
		if page.Next == "" {
			return out.End(page.Until, page.Statistics)
		}
		var err error
		if page, err = p.rest.next(ctx); err != nil {
			return err
		}
	}
}

func (p *TransferPage) write(out *portable.Writer) error {
	if len(p.Patterns) > 0 {
		return out.Patterns(p.Patterns...)
	}
	if len(p.Rules) > 0 {
		return out.Rules(p.Rules...)
	}
	return nil
}
