package api

import (
	"context"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// Matching is part of the arguments of what changes something: from which state of it
// the caller decided.
type Matching struct {
	IfMatch string `json:"if_match,omitzero" header:"If-Match" doc:"The ETag of what the change was made from: refused when others changed it."`
}

// met refuses a change that was made from another state than the present one.
func (m Matching) met(now labelled) error {
	tag := now.headers()["ETag"]
	if m.IfMatch == "" || lists(m.IfMatch, tag) {
		return nil
	}
	return problem(Outdated, "").with("ETag", tag).hint("read it again, and decide anew")
}

// lists reports whether a list of tags has one, or takes any.
func lists(tags, tag string) bool {
	for known := range strings.SplitSeq(tags, ",") {
		known = strings.TrimPrefix(strings.TrimSpace(known), "W/")
		if known == "*" || known == tag {
			return true
		}
	}
	return false
}

// alone lets one change at a time through of those that were made from a state: between
// looking at the state and changing it nobody else does. Call release when it is done.
func (a *API) alone(ctx context.Context, m Matching) (release func(), err error) {
	if m.IfMatch == "" {
		return func() {}, nil
	}
	select {
	case a.editing <- struct{}{}:
		return func() { <-a.editing }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// matching adds the state to the schema of a change.
func matching(s *huma.Schema) *huma.Schema {
	s.Properties["if_match"] = &huma.Schema{Type: huma.TypeString, Description: "The ETag of what the change was made from."}
	s.PrecomputeMessages()
	return s
}
