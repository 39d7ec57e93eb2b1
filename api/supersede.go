package api

import (
	"context"
	"reflect"

	"learnloop.dev/events"
	"learnloop.dev/learn/learnings"
	"learnloop.dev/pipeline/ingest"

	"github.com/danielgtaylor/huma/v2"
)

// Successor is what is used in the place of a learning.
type Successor struct {
	SupersededBy string `json:"superseded_by" minLength:"1" doc:"The id of the learning that is better."`
	Reason       string `json:"reason,omitzero" maxLength:"1000" doc:"Why."`
	UserID       string `json:"user_id,omitzero" doc:"Who says so; stored as a pseudonym."`
}

// SupersedeArgs name a learning and its successor.
type SupersedeArgs struct {
	Caller `json:"-"`
	ID     string    `json:"id" path:"id" doc:"The raw id."`
	Body   Successor `json:",embed"`
}

// Schema describes the arguments to NATS clients.
func (*SupersedeArgs) Schema(r huma.Registry) *huma.Schema {
	return identified(r, reflect.TypeFor[Successor]())
}

func (in *SupersedeArgs) check() error {
	if in.ID == in.Body.SupersededBy {
		return wrong(Invalid, "/superseded_by", "another learning")
	}
	return checkID("id", in.ID)
}

// supersede puts one learning in the place of another.
func (a *API) supersede(ctx context.Context, in *SupersedeArgs) (*Learning, error) {
	if _, err := a.existing(ctx, in.ID); err != nil {
		return nil, err
	}
	next, err := a.existing(ctx, in.Body.SupersededBy)
	if err != nil {
		return nil, err
	}
	if next.Status != learnings.Active {
		return nil, problem(Conflict, "the successor is "+string(next.Status)).hint("name one that is in use")
	}
	w, err := a.watch(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	defer w.close()
	said, err := a.say(ctx, ingest.Operator, events.LearningSuperseded.Kind, &events.Succession{
		ID: events.ID(in.ID), SupersededBy: events.ID(in.Body.SupersededBy), Reason: in.Body.Reason, UserID: events.ID(in.Body.UserID),
	})
	if err != nil {
		return nil, err
	}
	return a.settled(ctx, w, heard, said)
}
