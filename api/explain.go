package api

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"learnloop.dev/inorder"
	"learnloop.dev/pipeline/analyze"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// ExplainArgs name the context to be explained.
type ExplainArgs struct {
	Key string `json:"key" path:"key" example:"rule.passive-voice" doc:"Kind and raw id in one, as people type them."`
}

func (a *ExplainArgs) check() error { return checkTyped(a.Key) }

// Explanation traces a context back to events.
type Explanation struct {
	Key   string          `json:"key" doc:"In the bucket."`
	Kind  string          `json:"kind"`
	ID    string          `json:"id"`
	Lines []ExplainedLine `json:"lines" nullable:"false" doc:"Plain fields first, then elements of lists; the strongest first: most events, then the latest."`
}

// ExplainedLine is one statement of a context and the events behind it.
type ExplainedLine struct {
	Line  string   `json:"line" doc:"A field of the context, or field/element, or field/member."`
	Value Document `json:"value,omitzero" doc:"What the context says there; absent when the events stand behind it in another way."`

	Count  int               `json:"count" doc:"How many events stand behind it."`
	First  time.Time         `json:"first"`
	Last   time.Time         `json:"last"`
	Events []analyze.Witness `json:"events" nullable:"false" doc:"The latest of them, newest first."`
}

// explain answers for every line of a context which events made it so.
func (a *API) explain(ctx context.Context, in *ExplainArgs) (*Explanation, error) {
	key := parseKey(in.Key)
	if err := a.licensed(key.Kind); err != nil {
		return nil, err
	}
	stored, err := a.stored(ctx, key)
	if err != nil {
		return nil, err
	}
	parts, err := a.asker.explain(ctx, stored)
	if errors.Is(err, analyze.ErrUnknown) {
		return nil, problem(NotFound, "contexts of kind "+key.Kind+" cannot be explained")
	}
	if err != nil {
		return nil, err
	}
	known, err := a.getContext(ctx, &ContextArgs{Key: in.Key})
	if err != nil && !isMissing(err) {
		return nil, err
	}
	if key, err = a.current(ctx, key); err != nil {
		return nil, err
	}
	out := &Explanation{Key: bucketKey(key), Kind: key.Kind, ID: key.ID}
	var value jsontext.Value
	if known != nil {
		value = known.value
	}
	out.Lines = lines(merged(parts), value)
	return out, nil
}

// merged joins what the partitions say about each line.
func merged(parts []map[string]analyze.Line) map[string]analyze.Line {
	all := map[string]analyze.Line{}
	for _, part := range parts {
		for label, line := range part {
			joined := all[label]
			joined.Merge(line)
			all[label] = joined
		}
	}
	return all
}

// lines puts beside each traced line what the context says there. Evidence for
// an element that a list of the context does not show is left out.
func lines(traced map[string]analyze.Line, known jsontext.Value) []ExplainedLine {
	out := []ExplainedLine{}
	for label, line := range traced {
		value, listed := statement(known, label)
		if listed && value == nil {
			continue
		}
		out = append(out, ExplainedLine{label, Document(value), line.Count, line.First, line.Last, line.Events})
	}
	inorder.Sort(out, func(a, b ExplainedLine) int {
		return cmp.Or(byDepth(a.Line, b.Line), cmp.Compare(b.Count, a.Count), b.Last.Compare(a.Last), b.First.Compare(a.First),
			cmp.Compare(a.Line, b.Line))
	})
	return out
}

// byDepth puts plain fields before elements of lists.
func byDepth(a, b string) int {
	depth := func(label string) int { return min(strings.Count(label, "/"), 1) }
	return cmp.Compare(depth(a), depth(b))
}

// statement finds what a context says at a label: a field, a member of it, or the
// element of a list that bears the label's id. Listed tells that there is such a list.
func statement(known jsontext.Value, label string) (value jsontext.Value, listed bool) {
	field, id, deeper := strings.Cut(label, "/")
	value = member(known, field)
	switch {
	case deeper && value.Kind() == '{':
		return member(value, id), false
	case !deeper || value.Kind() != '[':
		return value, false
	}
	var elements []map[string]jsontext.Value
	if json.Unmarshal(value, &elements) != nil {
		return nil, true
	}
	name, _ := json.Marshal(id) // ids are text
	for i, e := range elements {
		for _, v := range e {
			if string(v) == string(name) {
				return member(value, strconv.Itoa(i)), true
			}
		}
	}
	return nil, true
}
