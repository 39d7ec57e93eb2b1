package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"

	"learnloop.dev/events"
	"learnloop.dev/kv"
	"learnloop.dev/learn/learnings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json"
)

// registerLearnings lists the operations on learnings that only read.
func (a *API) registerLearnings(r *Registry) {
	Add(r, Operation[LearningsArgs, LearningList]{
		Name: "learnings.list", Method: http.MethodGet, Path: "/api/learnings", Tag: "learnings", Access: Read,
		Summary:     "Which learnings there are",
		Description: "The newest first, whatever their status unless one is given.",
		Aliases:     map[string]string{"q": "search"},
		Do:          a.listLearnings,
	})
	Add(r, Operation[LearningArgs, Learning]{
		Name: "learnings.get", Method: http.MethodGet, Path: "/api/learnings/{id}", Tag: "learnings", Access: Read,
		Summary: "One learning: what was learned, where from, and how it fared",
		Aliases: map[string]string{"learning_id": "id"},
		Do:      a.getLearning,
	})
}

// LearningsArgs choose learnings.
type LearningsArgs struct {
	Status        string  `json:"status,omitzero" query:"status" enum:"active,archived,superseded,all" doc:"Only those of this status."`
	Domain        string  `json:"domain,omitzero" query:"domain" doc:"Only those of this field."`
	MinConfidence float64 `json:"min_confidence,omitzero" query:"min_confidence" minimum:"0" maximum:"1" doc:"Only those of at least this confidence."`
	Search        string  `json:"search,omitzero" query:"search" maxLength:"10000" doc:"Only those in which this text stands, whatever its case."`
	Limit         int     `json:"limit,omitzero" query:"limit" minimum:"1" maximum:"1000" default:"100" doc:"How many to list."`
	Offset        int     `json:"offset,omitzero" query:"offset" minimum:"0" doc:"How many to pass over."`
	Cursor        string  `json:"cursor,omitzero" query:"cursor" doc:"The next of the answer before."`
}

// check refuses a cursor that is none.
func (in *LearningsArgs) check() error {
	if _, ok := readCursor(in.Cursor); !ok {
		return wrong(Invalid, "/cursor", theNext)
	}
	return nil
}

func (in *LearningsArgs) lets(c card) bool {
	return (in.Status == "" || in.Status == "all" || in.Status == string(c.status)) &&
		(in.Domain == "" || in.Domain == c.domain) && c.confidence >= in.MinConfidence
}

// LearningList is a part of the learnings that were asked for.
type LearningList struct {
	Learnings []Learning `json:"learnings" nullable:"false"`
	Total     int        `json:"total" doc:"How many there are, listed or not."`
	Next      string     `json:"next,omitzero" doc:"The cursor of the next page, absent on the last."`
	// Unreadable entries are damaged, or of another version.
	Unreadable int `json:"unreadable,omitzero" doc:"How many more there are that cannot be read."`
}

// Learning is an entry as it is published.
type Learning struct{ learnings.Learning }

// name is what the audit log calls it by.
func (l *Learning) name() string { return l.ID }

// Schema describes the entry.
func (*Learning) Schema(r huma.Registry) *huma.Schema {
	return r.Schema(reflect.TypeFor[learnings.Learning](), true, "")
}

func (l *Learning) headers() map[string]string {
	data, err := json.Marshal(l, json.Deterministic(true))
	if err != nil {
		return nil // encoding the answer fails as well, and says so
	}
	return map[string]string{"ETag": etag(data)}
}

// LearningArgs name a learning.
type LearningArgs struct {
	ID string `json:"id" path:"id" example:"learn_7f31a2c4d5e6" doc:"The raw id."`
}

func (in *LearningArgs) check() error { return checkID("id", in.ID) }

func (a *API) getLearning(_ context.Context, in *LearningArgs) (*Learning, error) {
	return a.learning(kv.EntryKey(in.ID))
}

// learning reads one entry.
func (a *API) learning(key string) (*Learning, error) {
	e, known := a.deps.Learnings.Get(key)
	if !known {
		return nil, noLearning()
	}
	l := new(Learning)
	if err := json.Unmarshal(e.Value, &l.Learning); err != nil {
		return nil, fmt.Errorf("read learning %s: %w", key, events.Unquoted(err))
	}
	return l, nil
}

func noLearning() *Problem {
	return problem(NotFound, "there is no such learning").hint("learnloop learnings list shows those there are")
}

func (a *API) listLearnings(_ context.Context, in *LearningsArgs) (*LearningList, error) {
	cards, unreadable := a.catalogue.chosen(a.deps.Learnings, in.lets)
	limit := in.Limit
	if limit == 0 {
		limit = pageSize
	}
	out := &LearningList{Learnings: []Learning{}, Unreadable: unreadable}
	from, _ := readCursor(in.Cursor) // was checked
	var last card
	for _, c := range cards {
		reached := out.Total >= in.Offset && (in.Cursor == "" || byAge(from, c) < 0)
		shown := reached && len(out.Learnings) < limit
		if reached && !shown && in.Search == "" {
			out.Next = last.cursor()
		}
		if !shown && in.Search == "" {
			out.Total++
			continue
		}
		l, err := a.learning(c.key)
		if gone, is := errors.AsType[*Problem](err); is && gone.Code == NotFound {
			continue // meanwhile
		}
		if err != nil {
			return nil, err
		}
		if in.Search != "" && !mentions(&l.Learning, in.Search) {
			continue
		}
		switch {
		case shown:
			out.Learnings = append(out.Learnings, *l)
			last = c
		case reached:
			out.Next = last.cursor()
		}
		out.Total++
	}
	return out, nil
}
