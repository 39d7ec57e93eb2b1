package api

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn/outcomes"
	"learnloop.dev/pipeline/ingest"
)

// DropTemplateArgs name a template to forget.
type DropTemplateArgs struct {
	Caller `json:"-"`
	Matching
	ID string `json:"id" path:"id" example:"plan-1f0c9a6b2d3e4f50" doc:"As the list has it."`
}

func (in *DropTemplateArgs) check() error { return checkID("id", in.ID) }

// TemplateGone is a template that was forgotten.
type TemplateGone struct {
	Deleted   bool   `json:"deleted"`
	ID        string `json:"id"`
	Source    string `json:"source" doc:"Where it came from."`
	Completed int64  `json:"completed" doc:"How many tasks it had completed."`
	Failed    int64  `json:"failed"`
}

// deleteTemplate forgets a template, and waits until it is not offered any more.
func (a *API) deleteTemplate(ctx context.Context, in *DropTemplateArgs) (*TemplateGone, error) {
	release, err := a.alone(ctx, in.Matching)
	if err != nil {
		return nil, err
	}
	defer release()
	t, err := a.getTemplate(ctx, &TemplateArgs{in.ID})
	if err != nil {
		return nil, err
	}
	if err := in.met(t); err != nil {
		return nil, err
	}
	if err := erasable(t.Template); err != nil {
		return nil, err
	}
	err = a.command(ctx, ingest.Order{
		ID: "template-deleted/" + rand.Text(), Kind: events.ControlPatternDeleted.Kind, At: a.deps.Now().UTC(),
		Payload: &events.PatternDeleted{PatternType: events.OneTemplate, PatternKey: events.ID(in.ID), Actor: in.actor()},
	})
	if err != nil {
		return nil, err
	}
	if err := a.unoffered(ctx, t.Template); err != nil {
		return nil, fmt.Errorf("wait for template %s to go: %w", in.ID, err)
	}
	return &TemplateGone{true, in.ID, t.Source, t.Completed, t.Failed}, nil
}

// catchesUp is how long the board is waited for, which follows the contexts within
// milliseconds: a template that was learned again right away may never be seen gone.
const catchesUp = time.Second

// unoffered waits until a template whose context is gone is not offered any more, or is
// again, for what came since.
func (a *API) unoffered(ctx context.Context, was outcomes.Template) error {
	soon, cancel := context.WithTimeout(ctx, catchesUp)
	defer cancel()
	err := a.deps.Advice.Until(soon, func() bool {
		now, there := a.deps.Advice.Template(was.ID)
		return !there || erasable(now) != nil || now.Completed+now.Failed < was.Completed+was.Failed
	})
	if err != nil && ctx.Err() == nil {
		return nil // it was learned again
	}
	return err
}

// erasable refuses to forget what nobody learned.
func erasable(t outcomes.Template) error {
	switch t.Source {
	case outcomes.BuiltIn:
		return problem(Conflict, "this template comes with the program").hint("add one of the same name, and it is offered in its place")
	case outcomes.Folder:
		return problem(Conflict, "this template stands in the folder of templates").hint("remove its file from there, and start anew")
	}
	return nil
}
