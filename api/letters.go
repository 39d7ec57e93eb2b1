package api

import (
	"context"
	"errors"
	"fmt"

	"learnloop.dev/bus"
	"learnloop.dev/pipeline"

	"github.com/go-json-experiment/json"
)

// DeadLetters are kept for two weeks and never hold a payload.
type DeadLetters interface {
	// List returns the newest first, older than the one with sequence before; 0
	// begins at the newest.
	List(ctx context.Context, limit int, before uint64) ([]bus.Entry, error)
	Get(ctx context.Context, sequence uint64) (bus.Entry, error)
}

// LettersArgs choose dead letters.
type LettersArgs struct {
	Limit  int    `json:"limit,omitzero" query:"limit" minimum:"1" maximum:"1000" default:"100" doc:"How many to list."`
	Before uint64 `json:"before,omitzero" query:"before" doc:"The next of the answer before; the newest when absent."`
}

// Letters are dead letters, the newest first.
type Letters struct {
	Letters []Letter `json:"letters" nullable:"false"`
	Next    uint64   `json:"next,omitzero" doc:"What before is on the next page, absent on the last."`
}

// Letter is one dead letter and where it is kept.
type Letter struct {
	Number uint64 `json:"dlq_sequence" doc:"Its sequence among the dead letters."`
	pipeline.Letter
}

// LetterArgs name a dead letter.
type LetterArgs struct {
	Number uint64 `json:"sequence" path:"sequence" minimum:"1" doc:"Its sequence among the dead letters."`
}

func (a *API) letters(ctx context.Context, in *LettersArgs) (*Letters, error) {
	limit := in.Limit
	if limit == 0 {
		limit = pageSize
	}
	entries, err := a.deps.DeadLetters.List(ctx, limit, in.Before)
	if err != nil {
		return nil, unreachable(err)
	}
	list := &Letters{Letters: make([]Letter, len(entries))}
	for i, e := range entries {
		if list.Letters[i], err = readLetter(e); err != nil {
			return nil, err
		}
	}
	if len(entries) == limit && entries[limit-1].Seq > 1 {
		list.Next = entries[limit-1].Seq
	}
	return list, nil
}

func (a *API) letter(ctx context.Context, in *LetterArgs) (*Letter, error) {
	e, err := a.deps.DeadLetters.Get(ctx, in.Number)
	if errors.Is(err, bus.ErrNotFound) {
		return nil, problem(NotFound, fmt.Sprintf("there is no dead letter %d, or no longer", in.Number))
	}
	if err != nil {
		return nil, unreachable(err)
	}
	l, err := readLetter(e)
	return &l, err
}

func readLetter(e bus.Entry) (Letter, error) {
	l := Letter{Number: e.Seq}
	if err := json.Unmarshal(e.Data, &l.Letter); err != nil {
		return l, fmt.Errorf("read dead letter %d: %w", e.Seq, err)
	}
	return l, nil
}
