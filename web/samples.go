package web

import (
	"io"
	"maps"
	"net/http"
	"slices"
	"time"

	"learnloop.dev/api"
	"learnloop.dev/learn/samples"
	h "learnloop.dev/web/markup"

	"github.com/go-json-experiment/json/jsontext"
)

// sampleSheet tells how good samples are, and gives them away for training.
func sampleSheet(v visit) (sheet, error) {
	var m samples.Metrics
	if err := v.ask("samples.metrics", nil, &m); err != nil {
		return sheet{}, err
	}
	made := sheet{title: "Samples", follow: follows{often: true}}
	if m.Total == 0 {
		made.body = nothing("There is no sample yet.", h.Text("Send what agents did, and how people judged it, as "),
			code("sample.captured"), h.Text(" events."))
		return made, nil
	}
	var rows []h.Node
	for _, family := range slices.Sorted(maps.Keys(m.Families)) {
		q := m.Families[family]
		rows = append(rows, row(h.Text(family), amount(q.Total), share(q.ApprovalRate), share(q.CorrectionRate), share(q.RejectionRate), amount(q.Unlabelled)))
	}
	made.body = h.Join(sampleFigures(&m.Quality),
		section(heading("By family"), table("Rates are of those with a label",
			[]string{"Family", "#Samples", "#Good", "#Acceptable", "#Poor", "#Without a label"}, rows)),
		v.exportForm())
	return made, nil
}

func sampleFigures(q *samples.Quality) h.Node {
	return figures(
		figure{"Samples", h.Text(count(q.Total)), minor(count(q.Unlabelled) + " without a label")},
		figure{"Good", h.Text(percent(q.ApprovalRate)), minor(count(q.ByLabel.Good))},
		figure{"Acceptable", h.Text(percent(q.CorrectionRate)), minor(count(q.ByLabel.Acceptable))},
		figure{"Poor", h.Text(percent(q.RejectionRate)), minor(count(q.ByLabel.Poor))},
		figure{"Judged by people", h.Text(count(q.BySource.User)), minor(count(q.BySource.System) + " by programs")},
	)
}

// exportForm offers the samples as a file; it is for operators.
func (v visit) exportForm() h.Node {
	if !v.who.May(api.Admin) {
		return section(heading("Export for training"), h.El("p", v.entrance()))
	}
	return section(heading("Export for training"), ask("Download", "/samples/file", []input{
		choice{"format", "As", "", []option{{"jsonl", "lines of JSON"}, {"chat", "lines of chat"}, {"gemini", "lines for Gemini"}}},
		choice{"min_quality", "At least", "", []option{{"good", "good"}, {"acceptable", "acceptable"}, {"poor", "poor"}, {"any", "any, also without a label"}}}}))
}

// writeTime is how long a browser may take for a part of a file.
const writeTime = 10 * time.Second

// tidings go to one browser, a part at a time.
type tidings struct {
	io.Writer
	control *http.ResponseController
}

func (t tidings) write(text string) error {
	if err := t.control.SetWriteDeadline(time.Now().Add(writeTime)); err != nil {
		return err
	}
	if _, err := io.WriteString(t, text); err != nil {
		return err
	}
	return t.control.Flush()
}

// sampleFile sends samples as a file, page by page.
func (s *Site) sampleFile(w http.ResponseWriter, r *http.Request) {
	v := visit{s, r, w, api.VisitorOf(r.Context())}
	place := place{path: "/samples", name: "Samples"}
	args := map[string]any{"format": v.query("format"), "min_quality": v.query("min_quality")}
	page, err := v.samples(args)
	if err != nil {
		s.show(w, v, place, s.trouble(v, place, err))
		return
	}
	w.Header().Set("Content-Type", "application/jsonl")
	w.Header().Set("Content-Disposition", `attachment; filename="samples.jsonl"`)
	w.Header().Set("Cache-Control", "no-store")
	out := tidings{w, http.NewResponseController(w)}
	for {
		if err := out.lines(page.Samples); err != nil || page.Next == "" {
			return
		}
		args["after"] = page.Next
		if page, err = v.samples(args); err != nil {
			panic(http.ErrAbortHandler) // the visitor sees that it is not whole
		}
	}
}

// samplesPage is a page of an export.
type samplesPage struct {
	Samples []jsontext.Value `json:"samples"`
	Next    string           `json:"next"`
}

func (v visit) samples(args map[string]any) (page samplesPage, err error) {
	return page, v.ask("samples.export", args, &page)
}

// lines sends values, each on a line.
func (t tidings) lines(values []jsontext.Value) error {
	var text []byte
	for _, v := range values {
		text = append(append(text, v...), '\n')
	}
	return t.write(string(text))
}
