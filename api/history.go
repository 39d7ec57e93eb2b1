package api

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"time"

	"learnloop.dev/learn/settings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// HistoryArgs choose changes.
type HistoryArgs struct {
	Caller `json:"-"`

	Group  string `json:"group,omitzero" query:"group" example:"privacy" doc:"Only changes of this group: privacy, entitlement, pseudonyms, person.<hash>."`
	Limit  int    `json:"limit,omitzero" query:"limit" minimum:"1" maximum:"10000" default:"100" doc:"How many to list."`
	Cursor uint64 `json:"cursor,omitzero" query:"cursor" doc:"The next of the answer before."`
}

// History is who changed what and when, the latest first.
type History struct {
	Changes []Change `json:"changes" nullable:"false"`
	Total   int      `json:"total" doc:"How many there are, listed or not."`
	Next    uint64   `json:"next,omitzero" doc:"The cursor of the next page, absent on the last."`
}

// Change is one change of a group of settings.
type Change struct {
	At      time.Time             `json:"at"`
	Actor   string                `json:"actor" doc:"Who did it: what was given, start for the command line of a process."`
	Group   string                `json:"group"`
	Changed map[string]Difference `json:"changed" nullable:"false" doc:"What differs from the value before, by name."`
}

// history asks the analyzers which changes they have heard of.
func (a *API) history(ctx context.Context, in *HistoryArgs) (*History, error) {
	parts, err := askModel[[]settings.Change](ctx, a.asker, question{Model: settings.Name, Ask: settings.AskHistory}, nil)
	if err != nil {
		return nil, err
	}
	before := map[string]jsontext.Value{}
	out := &History{Changes: []Change{}}
	for _, c := range settings.MergeHistory(parts...) {
		if in.Group == "" || in.Group == c.Group {
			out.Changes = append(out.Changes, Change{c.At, c.Actor, c.Group, differences(before[c.Group], c.Value)})
		}
		before[c.Group] = c.Value
	}
	out.Total = len(out.Changes)
	if in.Cursor > 0 { // so many are older than the page before
		out.Changes = out.Changes[:min(in.Cursor, uint64(len(out.Changes)))]
	}
	slices.Reverse(out.Changes)
	limit := in.Limit
	if limit == 0 {
		limit = pageSize
	}
	out.Next = uint64(max(0, len(out.Changes)-limit))
	out.Changes = out.Changes[:min(limit, len(out.Changes))]
	return out, nil
}

// Difference is a setting before and after a change; what was not there is absent.
type Difference struct {
	From Document `json:"from,omitzero"`
	To   Document `json:"to,omitzero"`
}

// differences are the values that two settings do not have in common.
func differences(from, to jsontext.Value) map[string]Difference {
	before, after := map[string]jsontext.Value{}, map[string]jsontext.Value{}
	flatten(before, "", from)
	flatten(after, "", to)
	out := map[string]Difference{}
	for name, value := range after {
		if !bytes.Equal(before[name], value) {
			out[name] = Difference{Document(before[name]), Document(value)}
		}
	}
	for name, value := range before {
		if _, stays := after[name]; !stays {
			out[name] = Difference{From: Document(value)}
		}
	}
	return out
}

// flatten puts the values of an object under their names, with dots where they lie
// deeper, each in its canonical form.
func flatten(into map[string]jsontext.Value, name string, value jsontext.Value) {
	if len(value) == 0 || value.Kind() == 'n' {
		return
	}
	var members map[string]jsontext.Value
	if value.Kind() != '{' || json.Unmarshal(value, &members) != nil {
		value = value.Clone()
		_ = value.Canonicalize() // was JSON already
		into[name] = value
		return
	}
	for inner, v := range members {
		flatten(into, strings.TrimPrefix(name+"."+inner, "."), v)
	}
}
