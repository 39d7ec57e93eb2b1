package api

import (
	"context"
	"crypto/rand"
	"net/http"
	"reflect"

	"learnloop.dev/events"
	"learnloop.dev/learn/outcomes"
	"learnloop.dev/pipeline/ingest"

	"github.com/danielgtaylor/huma/v2"
)

// registerPatterns lists the operations that read what tasks taught.
func (a *API) registerPatterns(r *Registry) {
	Add(r, Operation[PatternsArgs, PatternList]{
		Name: "patterns.list", Method: http.MethodGet, Path: "/api/patterns", Tag: "outcomes", Access: Read,
		Summary:     "What was learned from tasks, pattern by pattern",
		Description: "The most frequent first. What was seen once, more than 90 days ago, is not listed. The cursor is offset.",
		Aliases:     map[string]string{"pattern_type": "type", "pattern_key": "key", "q": "search", "cursor": "offset"},
		Do:          a.listPatterns,
	})
	Add(r, Operation[PatternArgs, Pattern]{
		Name: "patterns.get", Method: http.MethodGet, Path: "/api/patterns/{type}/{key}", Tag: "outcomes", Access: Read,
		Summary: "One pattern",
		Aliases: map[string]string{"pattern_type": "type", "pattern_key": "key"},
		Do:      a.getPattern,
	})
}

// registerReset lists the operations that forget what tasks taught.
func (a *API) registerReset(r *Registry) {
	Add(r, Operation[DropPatternArgs, PatternGone]{
		Name: "patterns.delete", Method: http.MethodDelete, Path: "/api/patterns/{type}/{key}", Tag: "outcomes", Access: Admin,
		Summary:     "Forget one pattern",
		Description: "With what it rests on: later runs start anew. The contexts have changed when this answers.",
		Aliases:     map[string]string{"pattern_type": "type", "pattern_key": "key"},
		Do:          a.deletePattern,
	})
	Add(r, Operation[ResetArgs, Resetting]{
		Name: "reset", Method: http.MethodPost, Path: "/api/reset", Tag: "outcomes", Access: Admin,
		Summary: "Forget all that tasks taught",
		Description: "Patterns of every type and the contexts made of them; rule feedback and learnings stay. Without confirm nothing is " +
			"changed: it counts, and gives out a token, good once and for five minutes.",
		Do: a.reset,
	})
}

// PatternsArgs choose patterns.
type PatternsArgs struct {
	Type         string `json:"type,omitzero" query:"type" enum:"subtask_success,model_failure,prompt_effective,task_template,user_correction,retry_pattern"`
	Key          string `json:"key,omitzero" query:"key" doc:"Only the one of this key."`
	Search       string `json:"search,omitzero" query:"search" maxLength:"1000" doc:"Only those in whose key this text stands, whatever its case."`
	MinFrequency int64  `json:"min_frequency,omitzero" query:"min_frequency" minimum:"0" doc:"Only those seen at least so often."`
	Limit        int    `json:"limit,omitzero" query:"limit" minimum:"1" maximum:"1000" default:"100" doc:"How many to list."`
	Offset       int    `json:"offset,omitzero" query:"offset" minimum:"0" doc:"How many to pass over."`
}

// PatternList is a part of the patterns that were asked for.
type PatternList struct {
	outcomes.Patterns
	Next int `json:"next,omitzero" doc:"The cursor of the next page, absent on the last."`
}

// Pattern is one pattern.
type Pattern struct{ outcomes.Pattern }

// Schema describes the pattern.
func (*Pattern) Schema(r huma.Registry) *huma.Schema {
	return r.Schema(reflect.TypeFor[outcomes.Pattern](), true, "")
}

// PatternArgs name a pattern.
type PatternArgs struct {
	Type string `json:"type" path:"type" enum:"subtask_success,model_failure,prompt_effective,task_template,user_correction,retry_pattern"`
	Key  string `json:"key" path:"key" doc:"The raw key, as the list has it."`
}

func (in *PatternArgs) check() error { return checkID("key", in.Key) }

// DropPatternArgs name a pattern to forget.
type DropPatternArgs struct {
	Caller `json:"-"`
	Type   string `json:"type" path:"type" enum:"subtask_success,model_failure,prompt_effective,task_template,user_correction,retry_pattern"`
	Key    string `json:"key" path:"key" doc:"The raw key, as the list has it."`
}

func (in *DropPatternArgs) check() error { return checkID("key", in.Key) }

func (a *API) listPatterns(ctx context.Context, in *PatternsArgs) (*PatternList, error) {
	found, err := a.patterns(ctx, outcomes.PatternArgs{
		Type: events.LearnedPattern(in.Type), Key: in.Key, Search: in.Search, MinFrequency: in.MinFrequency,
		Offset: in.Offset, Limit: in.Limit,
	})
	list := &PatternList{Patterns: found}
	if behind := in.Offset + len(found.Patterns); len(found.Patterns) > 0 && behind < found.Total {
		list.Next = behind
	}
	return list, err
}

func (a *API) patterns(ctx context.Context, args outcomes.PatternArgs) (outcomes.Patterns, error) {
	parts, err := askModel[outcomes.Patterns](ctx, a.asker, question{Model: outcomes.Name, Ask: outcomes.AskPatterns}, args)
	if err != nil {
		return outcomes.Patterns{}, err
	}
	return outcomes.MergePatterns(parts...), nil
}

func (a *API) getPattern(ctx context.Context, in *PatternArgs) (*Pattern, error) {
	found, err := a.patterns(ctx, outcomes.PatternArgs{Type: events.LearnedPattern(in.Type), Key: in.Key, Limit: 1})
	switch {
	case err != nil:
		return nil, err
	case found.Total == 0:
		return nil, problem(NotFound, "there is no such pattern").hint("learnloop learned list shows those there are")
	}
	return &Pattern{found.Patterns[0]}, nil
}

// PatternGone is a pattern that was forgotten.
type PatternGone struct {
	Deleted   bool   `json:"deleted"`
	Type      string `json:"pattern_type"`
	Key       string `json:"pattern_key"`
	Frequency int64  `json:"frequency" doc:"How often it had been seen."`
}

func (a *API) deletePattern(ctx context.Context, in *DropPatternArgs) (*PatternGone, error) {
	p, err := a.getPattern(ctx, &PatternArgs{in.Type, in.Key})
	if err != nil {
		return nil, err
	}
	err = a.command(ctx, ingest.Order{
		ID: "pattern-deleted/" + rand.Text(), Kind: events.ControlPatternDeleted.Kind, At: a.deps.Now().UTC(),
		Payload: &events.PatternDeleted{PatternType: p.Type, PatternKey: events.ID(in.Key), Actor: in.actor()},
	})
	return &PatternGone{true, in.Type, in.Key, p.Frequency}, err
}

// Resetter confirms a reset.
type Resetter struct {
	Confirm string `json:"confirm,omitzero" doc:"The token of the answer before."`
}

// ResetArgs ask to forget all that tasks taught.
type ResetArgs struct {
	Caller `json:"-"`
	Body   Resetter `json:",embed"`
}

// Schema describes the arguments to NATS clients: those of the body over HTTP.
func (*ResetArgs) Schema(r huma.Registry) *huma.Schema {
	return r.Schema(reflect.TypeFor[Resetter](), false, "")
}

// Resetting is what would be forgotten, or was.
type Resetting struct {
	Reset    bool    `json:"reset" doc:"Whether it was done."`
	Patterns int     `json:"patterns" doc:"How many there were."`
	Tasks    int64   `json:"tasks" doc:"How many tasks taught them."`
	Confirm  *Pledge `json:"confirm,omitzero" doc:"What confirms the request; absent when it was done."`
}

func (r *Resetting) pending() bool { return r.Confirm != nil }

// resetting is what a pledge for a reset is for.
const resetting = "reset " + outcomes.Name

func (a *API) reset(ctx context.Context, in *ResetArgs) (*Resetting, error) {
	found, err := a.patterns(ctx, outcomes.PatternArgs{Limit: 1})
	if err != nil {
		return nil, err
	}
	parts, err := askModel[outcomes.Summary](ctx, a.asker, question{Model: outcomes.Name, Ask: outcomes.AskSummary}, outcomes.Window{})
	if err != nil {
		return nil, err
	}
	token := in.Body.Confirm
	r := &Resetting{Reset: token != "", Patterns: found.Total, Tasks: outcomes.MergeSummaries(parts...).Tasks.Tasks}
	if token == "" {
		r.Confirm, err = a.pledges.issue(ctx, resetting)
		return r, err
	}
	if err := a.pledges.redeem(ctx, token, resetting); err != nil { // last: whoever got no answer asks again
		return nil, err
	}
	return r, a.command(ctx, ingest.Order{
		ID: "reset/" + token, Kind: events.ControlReset.Kind, At: a.deps.Now().UTC(),
		Payload: &events.DataReset{Model: outcomes.Name, Actor: in.actor()},
	})
}
