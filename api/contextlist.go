package api

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/inorder"
	"learnloop.dev/kv"
	"learnloop.dev/learn/outcomes"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go/jetstream"
)

// ListArgs choose contexts by their keys.
type ListArgs struct {
	Prefix string `json:"prefix,omitzero" query:"prefix" example:"rule." doc:"What the keys begin with; all when empty."`
	Limit  int    `json:"limit,omitzero" query:"limit" minimum:"1" maximum:"1000" default:"100" doc:"How many to list."`
	Cursor string `json:"cursor,omitzero" query:"cursor" doc:"The next of the answer before."`
}

// ContextList is one page of keys in their order.
type ContextList struct {
	Contexts []ListedContext `json:"contexts" nullable:"false"`
	Next     string          `json:"next,omitzero" doc:"The cursor of the next page, absent on the last."`
}

// ListedContext tells where a context is and when it changed.
type ListedContext struct {
	Key      string    `json:"key" doc:"In the bucket."`
	Kind     string    `json:"kind"`
	ID       string    `json:"id"`
	Revision uint64    `json:"revision"`
	Changed  time.Time `json:"changed"`
}

// pageSize is how many contexts or letters are listed when nobody says.
const pageSize = 100

// listContexts lists keys without reading the contexts.
func (a *API) listContexts(ctx context.Context, in *ListArgs) (*ContextList, error) {
	kind, _, _ := strings.Cut(in.Prefix, ".")
	if err := a.licensed(kind); err != nil {
		return nil, err
	}
	found, err := a.keys(ctx, in.Prefix)
	if err != nil {
		return nil, unreachable(fmt.Errorf("list contexts: %w", err))
	}
	inorder.Sort(found, func(x, y ListedContext) int { return strings.Compare(x.Key, y.Key) })
	from, again := slices.BinarySearchFunc(found, in.Cursor, func(c ListedContext, key string) int {
		return strings.Compare(c.Key, key)
	})
	if again {
		from++
	}
	limit := in.Limit
	if limit == 0 {
		limit = pageSize
	}
	list := &ContextList{Contexts: found[from:min(from+limit, len(found))]}
	if from+limit < len(found) {
		list.Next = found[from+limit-1].Key
	}
	return list, a.identify(ctx, list.Contexts)
}

// keys returns every key with the prefix that the entitlement lets through.
func (a *API) keys(ctx context.Context, prefix string) ([]ListedContext, error) {
	w, err := a.contexts.Watch(ctx, watched(prefix), jetstream.MetaOnly(), jetstream.IgnoreDeletes())
	if err != nil {
		return nil, err
	}
	defer func() { _ = w.Stop() }()
	found := []ListedContext{}
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case e, open := <-w.Updates():
			if !open || e == nil {
				return found, nil
			}
			kind, id, _ := kv.ParseKey(e.Key())
			if kind == "" { // an id too long for its key: the value holds it
				kind, _, _ = strings.Cut(e.Key(), ".")
			}
			if strings.HasPrefix(e.Key(), prefix) && isListed(kind, prefix) && a.licensed(kind) == nil {
				found = append(found, ListedContext{e.Key(), kind, id, e.Revision(), e.Created()})
			}
		}
	}
}

// isListed reports whether keys of a kind are among those with a prefix: templates have a
// list of their own, and stand in this one if they are asked for (ADR 0045).
func isListed(kind, prefix string) bool {
	return kind != outcomes.KindTemplate || strings.HasPrefix(prefix, kind)
}

// watched is the narrowest pattern of keys for a prefix.
func watched(prefix string) string {
	kind, _, found := strings.Cut(prefix, ".")
	if found && isKind(kind) {
		return kind + ".>"
	}
	return ">"
}

// identify reads the ids that their keys do not hold.
func (a *API) identify(ctx context.Context, list []ListedContext) error {
	for i, c := range list {
		if c.ID != "" || c.Kind == kv.Summary {
			continue
		}
		found, err := a.lookup(ctx, c.Key)
		if isMissing(err) {
			continue // deleted meanwhile
		}
		if err != nil {
			return err
		}
		var head struct {
			ID string `json:"id"`
		}
		if err := json.Unmarshal(found.value, &head); err != nil {
			return fmt.Errorf("read id of context %s: %w", c.Key, events.Unquoted(err))
		}
		list[i].ID = head.ID
	}
	return nil
}
