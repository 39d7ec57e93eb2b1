package api

import (
	"context"
	"net/http"

	"learnloop.dev/pipeline/recall"
	"learnloop.dev/search"
)

// registerRecall lists the operations that find learnings for somebody.
func (a *API) registerRecall(r *Registry) {
	Add(r, Operation[SearchArgs, SearchResults]{
		Name: "learnings.search", Method: http.MethodGet, Path: "/api/learnings/search", Tag: "learnings", Access: Read,
		Summary: "Learnings that fit some words, the best first",
		Description: "Any word counts; foo* stands for all words that begin so, and other signs mean nothing. Texts that fit count with " +
			"how far a learning is believed to help.",
		Aliases: map[string]string{"query": "q", "exclude_outcome_id": "exclude_outcome"},
		Do:      a.searchLearnings,
	})
}

// SearchArgs ask for learnings. By meaning the hundred best by words are sorted anew;
// meaning is that words are spelled alike, or what the model of the settings makes of
// them.
type SearchArgs struct {
	Q              string `json:"q" query:"q" required:"true" maxLength:"10000" doc:"What is looked for, in words; the text of a task will do."`
	Limit          int    `json:"limit,omitzero" query:"limit" minimum:"1" maximum:"100" default:"10" doc:"How many at most."`
	Domain         string `json:"domain,omitzero" query:"domain" doc:"Only those of this field."`
	Status         string `json:"status,omitzero" query:"status" enum:"active,archived,superseded,all" default:"active" doc:"Only those of this status."`
	ExcludeOutcome string `json:"exclude_outcome,omitzero" query:"exclude_outcome" doc:"None of those that were learned in this outcome."`
	Strategy       string `json:"strategy,omitzero" query:"strategy" enum:"bm25,semantic,hybrid" default:"bm25" doc:"Words, meaning, or both decide."`

	MinConfidence  float64 `json:"min_confidence" query:"min_confidence" required:"false" minimum:"0" maximum:"1" default:"0.5" doc:"At least."`
	SemanticWeight float64 `json:"semantic_weight" query:"semantic_weight" required:"false" minimum:"0" maximum:"1" doc:"Of meaning; 0: 0.2, with a model 0.5."`
}

// pageOfHits is the documented size of a search (001).
const pageOfHits = 10

// query is what the arguments ask for.
func (in *SearchArgs) query() recall.Query {
	q := recall.Query{Strategy: recall.Strategy(in.Strategy), Weight: in.SemanticWeight}
	q.Query = search.Query{
		Text: in.Q, Limit: in.Limit, MinConfidence: in.MinConfidence, Domain: in.Domain,
		Status: in.Status, ExcludeOutcome: in.ExcludeOutcome,
	}
	if q.Limit == 0 {
		q.Limit = pageOfHits
	}
	switch in.Status {
	case "":
		q.Status = "active"
	case "all":
		q.Status = ""
	}
	return q
}

// SearchResults are the learnings that were found.
type SearchResults struct {
	Results []SearchResult `json:"results" nullable:"false"`
	Total   int            `json:"total" doc:"How many these are."`
	Note    string         `json:"note,omitzero" doc:"Why there are none, or what decided instead of what was asked for."`
}

// SearchResult is one learning that was found.
type SearchResult struct {
	Learning      Learning    `json:"learning"`
	Score         float64     `json:"score" doc:"Comparable within this answer alone."`
	MatchedFields []string    `json:"matched_fields" nullable:"false"`
	Highlights    []Highlight `json:"highlights" nullable:"false"`
}

// Highlight is the part of a field where a learning fits best.
type Highlight struct {
	Field string `json:"field"`
	Text  string `json:"text" doc:"Cut between words, with … where the field goes on."`
	Spans []Span `json:"spans" nullable:"false" doc:"The words that fit."`
}

// Span is a stretch of a text, in bytes.
type Span struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

func (a *API) searchLearnings(ctx context.Context, in *SearchArgs) (*SearchResults, error) {
	finds := a.deps.Recall.Search(ctx, in.query())
	out := &SearchResults{Results: []SearchResult{}, Total: len(finds.All), Note: string(finds.Note)}
	for _, f := range finds.All {
		out.Results = append(out.Results, resultOf(f))
	}
	return out, nil
}

func resultOf(f recall.Find) SearchResult {
	r := SearchResult{Learning: Learning{f.Learning}, Score: f.Score, MatchedFields: []string{}, Highlights: []Highlight{}}
	r.MatchedFields = append(r.MatchedFields, f.Match.Fields...)
	for _, h := range f.Match.Highlights {
		shown := Highlight{Field: h.Field, Text: h.Text, Spans: []Span{}}
		for _, s := range h.Spans {
			shown.Spans = append(shown.Spans, Span(s))
		}
		r.Highlights = append(r.Highlights, shown)
	}
	return r
}
