package api

import (
	"context"
	"maps"
	"reflect"

	"learnloop.dev/events"
	"learnloop.dev/learn/learnings"
	"learnloop.dev/pipeline/ingest"

	"github.com/danielgtaylor/huma/v2"
)

// Edit is what changes of a learning.
type Edit struct {
	Title       *string  `json:"title,omitzero" minLength:"1" maxLength:"100"`
	Context     *string  `json:"context,omitzero"`
	Observation *string  `json:"observation,omitzero"`
	Implication *string  `json:"implication,omitzero"`
	Action      *string  `json:"action,omitzero"`
	Tags        *Labels  `json:"tags,omitzero" doc:"All of them; an empty array removes them."`
	Domain      *string  `json:"domain,omitzero"`
	PatternType string   `json:"pattern_type,omitzero" enum:"solution,gotcha,best-practice,constraint"`
	Confidence  *float64 `json:"confidence,omitzero" minimum:"0" maximum:"1" doc:"From which votes go on."`
	Status      string   `json:"status,omitzero" enum:"active,archived" doc:"Takes it out of use, or back."`
	Reason      string   `json:"reason,omitzero" doc:"Why."`
	UserID      string   `json:"user_id,omitzero" doc:"Who changes it; stored as a pseudonym."`
}

// EditArgs name a learning and what changes.
type EditArgs struct {
	Caller `json:"-"`
	Matching
	ID   string `json:"id" path:"id" doc:"The raw id."`
	Body Edit   `json:",embed"`
}

// Schema describes the arguments to NATS clients.
func (*EditArgs) Schema(r huma.Registry) *huma.Schema {
	return matching(identified(r, reflect.TypeFor[Edit]()))
}

// identified is the schema of a body, and of the id that stands in the path over HTTP.
func identified(r huma.Registry, body reflect.Type) *huma.Schema {
	return naming(r, body, "id", "The raw id.")
}

// naming is the schema of a body, and of what stands in the path over HTTP.
func naming(r huma.Registry, body reflect.Type, name, doc string) *huma.Schema {
	s := *r.Schema(body, false, "")
	s.Properties = maps.Clone(s.Properties)
	s.Properties[name] = &huma.Schema{Type: huma.TypeString, Description: doc}
	s.Required = append([]string{name}, s.Required...)
	s.PrecomputeMessages()
	return &s
}

// revision is the event of the fields that change, nil when none does.
func (in *EditArgs) revision() *events.Revision {
	e := in.Body
	r := &events.Revision{
		ID: events.ID(in.ID), Title: e.Title, Context: e.Context, Observation: e.Observation, Implication: e.Implication,
		Action: e.Action, Domain: e.Domain, PatternType: events.PatternType(e.PatternType), Confidence: e.Confidence,
	}
	if e.Tags != nil {
		r.Tags = events.Tags(*e.Tags)
	}
	if reflect.DeepEqual(r, &events.Revision{ID: r.ID}) {
		return nil
	}
	r.Reason, r.UserID = e.Reason, events.ID(e.UserID)
	return r
}

func (in *EditArgs) check() error {
	if in.revision() == nil && in.Body.Status == "" {
		return wrong(Invalid, "", "at least one field that changes")
	}
	return checkID("id", in.ID)
}

func (a *API) reviseLearning(ctx context.Context, in *EditArgs) (*Learning, error) {
	known, release, err := a.found(ctx, in.ID, in.Matching)
	if err != nil {
		return nil, err
	}
	defer release()
	revision, status := in.revision(), learnings.Status(in.Body.Status)
	if status == learnings.Active && in.Body.Title == nil && known.Learning.Title == "" {
		return nil, untitled()
	}
	if revision != nil && ended(known.Status) && status != learnings.Active {
		return nil, problem(Conflict, "the learning is "+string(known.Status)).hint("take it up again with status active")
	}
	w, err := a.watch(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	defer w.close()
	said, err := a.edit(ctx, in, !fulfils(known.Status, status))
	if err != nil {
		return nil, err
	}
	return a.settled(ctx, w, heard, said...)
}

// edit tells what changes, and returns the ids of the events.
func (a *API) edit(ctx context.Context, in *EditArgs, turns bool) (said []string, err error) {
	if revision := in.revision(); revision != nil {
		id, err := a.say(ctx, ingest.Operator, events.LearningRevised.Kind, revision)
		if err != nil {
			return nil, err
		}
		said = append(said, id)
	}
	if !turns {
		return said, nil
	}
	id, err := a.turn(ctx, in, learnings.Status(in.Body.Status))
	return append(said, id), err
}

// fulfils reports whether a learning stands as somebody wants it, if at all. A proposal
// that is taken out of use is rejected: nobody ever accepted it.
func fulfils(is, want learnings.Status) bool {
	return want == "" || is == want || want == learnings.Archived && is == learnings.Rejected
}

// turn takes a learning out of use, or back.
func (a *API) turn(ctx context.Context, in *EditArgs, status learnings.Status) (said string, err error) {
	id, who := events.ID(in.ID), events.ID(in.Body.UserID)
	if status == learnings.Active {
		return a.say(ctx, ingest.Operator, events.LearningReviewed.Kind,
			&events.Review{ID: id, Verdict: events.ReviewApproved, Comment: in.Body.Reason, UserID: who})
	}
	return a.say(ctx, ingest.Operator, events.LearningArchived.Kind,
		&events.Archival{ID: id, Reason: in.Body.Reason, UserID: who})
}

func ended(s learnings.Status) bool { return s == learnings.Archived || s == learnings.Superseded }

// ArchiveArgs name a learning that is no longer to be used.
type ArchiveArgs struct {
	Caller `json:"-"`
	Matching
	ID     string `json:"id" path:"id" doc:"The raw id."`
	Reason string `json:"reason,omitzero" query:"reason" maxLength:"1000" doc:"Why."`
}

func (in *ArchiveArgs) check() error { return checkID("id", in.ID) }

func (a *API) archiveLearning(ctx context.Context, in *ArchiveArgs) (*Learning, error) {
	known, release, err := a.found(ctx, in.ID, in.Matching)
	if err != nil {
		return nil, err
	}
	defer release()
	if fulfils(known.Status, learnings.Archived) {
		return &Learning{known.Learning}, nil
	}
	w, err := a.watch(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	defer w.close()
	order := &events.Archival{ID: events.ID(in.ID), Reason: in.Reason}
	said, err := a.say(ctx, ingest.Operator, events.LearningArchived.Kind, order)
	if err != nil {
		return nil, err
	}
	return a.settled(ctx, w, heard, said)
}
