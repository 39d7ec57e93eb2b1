package api

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"strings"

	"learnloop.dev/learn/samples"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// registerExport lists the operation that hands samples out.
func (a *API) registerExport(r *Registry) {
	Add(r, Operation[ExportArgs, ExportPage]{
		Name: "samples.export", Method: http.MethodGet, Path: "/api/samples/export", Tag: "samples", Access: Admin,
		Summary: "Samples as training data",
		Description: "Family by family, and within one in the order in which they were stored. Over HTTP all of them, as a stream that " +
			"breaks off when something goes wrong; over NATS page by page: after is the next of the page before. Formats: json, the " +
			"document of source document 002; jsonl, its samples as lines; chat and gemini, lines as fine-tuning services take them.",
		Aliases: sampleAliases(),
		Do:      a.exportSamples,
	})
}

// ExportArgs say which samples are exported, and how.
type ExportArgs struct {
	SampleArgs
	MinQuality string  `json:"min_quality,omitzero" query:"min_quality" enum:"good,acceptable,poor,any" default:"good" doc:"The least label; any: none too."`
	Format     string  `json:"format,omitzero" query:"format" enum:"json,jsonl,chat,gemini" default:"json" doc:"A document, or lines; see description."`
	Validation float64 `json:"validation,omitzero" query:"validation" minimum:"0" maximum:"0.9" doc:"Share that is held out, by a hash of the prompt."`
	Split      string  `json:"split,omitzero" query:"split" enum:"train,validation" doc:"Only this side."`
	After      string  `json:"after,omitzero" query:"after" doc:"Where to go on: next of a page."`
}

func (in *ExportArgs) check() error {
	if err := in.SampleArgs.check(); err != nil {
		return err
	}
	if in.Split != "" && in.Validation == 0 {
		return wrong(Invalid, "/validation", "the share for validation, since a side is asked for")
	}
	if _, ok := readPosition(in.After); !ok {
		return wrong(Invalid, "/after", "next of a page")
	}
	return nil
}

// page is what the analyzers are asked.
func (in *ExportArgs) page() samples.PageArgs {
	at, _ := readPosition(in.After) // was checked
	form := map[string]samples.Format{"chat": samples.Chat, "gemini": samples.Gemini}[in.Format]
	return samples.PageArgs{Filter: in.filter(), Position: at, Least: samples.Least(in.MinQuality),
		Format: form, Validation: in.Validation, Side: samples.Side(in.Split)}
}

// writePosition writes where to go on: a log sequence and a family.
func writePosition(at samples.Position) string {
	return strconv.FormatUint(at.After, 10) + "@" + at.Family
}

func readPosition(text string) (at samples.Position, ok bool) {
	if text == "" {
		return at, true
	}
	seq, family, found := strings.Cut(text, "@")
	n, err := strconv.ParseUint(seq, 10, 64)
	return samples.Position{Family: family, After: n}, found && err == nil
}

// ExportPage is some samples, and where to go on.
type ExportPage struct {
	Version    string           `json:"version"`
	Count      int              `json:"sample_count" doc:"Of this page; of the whole document over HTTP."`
	Samples    []jsontext.Value `json:"samples" nullable:"false" doc:"Prompt, completion and metadata, or as the format has it."`
	Family     string           `json:"sample_family,omitzero" doc:"Of all samples of the page."`
	Validation []int            `json:"validation,omitzero" doc:"Which samples of the page are for validation."`
	Next       string           `json:"next,omitzero" doc:"Where to go on; absent at the end."`

	lines bool
	rest  *pages
}

// text writes a page. Its samples are JSON already, and are not read again.
func (p *ExportPage) text() ([]byte, error) {
	rest, err := json.Marshal(struct {
		Family     string `json:"sample_family,omitzero"`
		Validation []int  `json:"validation,omitzero"`
		Next       string `json:"next,omitzero"`
	}{p.Family, p.Validation, p.Next})
	if err != nil {
		return nil, err
	}
	size := len(rest) + 100
	for _, s := range p.Samples {
		size += len(s) + 1
	}
	b := append(make([]byte, 0, size), `{"version":"`+p.Version+`","sample_count":`...)
	b = append(strconv.AppendInt(b, int64(p.Count), 10), `,"samples":[`...)
	for i, s := range p.Samples {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, s...)
	}
	if b = append(b, ']'); len(rest) > len(`{}`) {
		b = append(append(b, ','), rest[1:len(rest)-1]...)
	}
	return append(b, '}'), nil
}

func (a *API) exportSamples(ctx context.Context, in *ExportArgs) (*ExportPage, error) {
	all := &pages{asker: a.asker, args: in.page()}
	part, err := all.next(ctx)
	if err != nil {
		return nil, err
	}
	if part.Examples == nil {
		part.Examples = []jsontext.Value{}
	}
	page := &ExportPage{
		Version: samples.DocumentVersion, Count: len(part.Examples), Samples: part.Examples, Family: part.Family, Validation: part.Held,
		lines: in.Format != "" && in.Format != "json", rest: all,
	}
	if !all.end {
		page.Next = writePosition(all.args.Position)
	}
	return page, nil
}

// pages reads samples page by page.
type pages struct {
	asker asker
	args  samples.PageArgs // from where on
	asked *inquiry         // for the next page
	end   bool
}

// ask asks for the next page and does not wait for it.
func (p *pages) ask() error {
	q, err := question{Model: samples.Name, Ask: samples.AskPage}.with(p.args)
	if err != nil {
		return err
	}
	asked, err := p.asker.begin(q)
	p.asked = &asked
	return err
}

// next returns the next page that holds something, or an empty one at the end.
func (p *pages) next(ctx context.Context) (page samples.Page, err error) {
	for !p.end && len(page.Examples) == 0 {
		if p.asked == nil {
			if err := p.ask(); err != nil {
				return page, err
			}
		}
		parts, err := decoded[samples.Page](p.answer(ctx))
		if err != nil {
			return page, err
		}
		var more bool
		page, p.args.Position, more = samples.MergePages(p.args.Position, parts...)
		p.end = !more
	}
	return page, nil
}

// close forgets a page that was asked for and is not wanted any more.
func (p *pages) close() {
	if p.asked != nil {
		p.asked.forget()
	}
}

func (p *pages) answer(ctx context.Context) ([][]byte, error) {
	asked := *p.asked
	p.asked = nil
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	return asked.collect(ctx)
}

// media is the content type of the whole export.
func (p *ExportPage) media() string {
	if p.lines {
		return mediaLines
	}
	return mediaJSON
}

// stream writes this page and all that follow. The analyzers read a page while the
// one before is being written.
func (p *ExportPage) stream(ctx context.Context, w io.Writer) error {
	defer p.rest.close()
	doc := samples.Document{W: w, Lines: p.lines}
	if err := doc.Begin(); err != nil {
		return err
	}
	for list := p.Samples; ; {
		if !p.rest.end {
			if err := p.rest.ask(); err != nil {
				return err
			}
		}
		if err := doc.Write(list...); err != nil {
			return err
		}
		if p.rest.end {
			return doc.End()
		}
		page, err := p.rest.next(ctx)
		if err != nil {
			return err
		}
		list = page.Examples
	}
}
