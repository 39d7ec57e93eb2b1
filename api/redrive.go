package api

import (
	"context"
	"net/http"

	"learnloop.dev/pipeline"
)

// registerRedrive lists the operation that drives again what the analyzer refused.
func (a *API) registerRedrive(r *Registry) {
	Add(r, Operation[LetterArgs, Redriven]{
		Name: "dlq.redrive", Method: http.MethodPost, Path: "/api/dlq/{sequence}/redrive", Tag: "dead letters", Access: Admin,
		Summary: "Drive again what the analyzer refused",
		Description: "After an upgrade, or when what stood in its way is gone: the event is appended to the log once more, as it was taken in. " +
			"However often it is driven, it counts once. What was refused on its way into the log has to be sent again by who sent it.",
		Do: a.redrive,
	})
}

// Driver appends entries of the log once more.
type Driver interface {
	// Redrive returns where in the log the entry stands now, by its partition; nothing
	// when the log does not have it any more.
	Redrive(ctx context.Context, o RedriveOrder) (map[int]uint64, error)
}

// RedriveOrder says which entry of the log is driven again, for which dead letter.
type RedriveOrder struct {
	Sequence uint64 `json:"sequence"`
	Letter   uint64 `json:"letter"`
}

// Redriven is what became of an event that was driven again.
type Redriven struct {
	Number   uint64 `json:"dlq_sequence" doc:"The letter it was driven again for."`
	Sequence uint64 `json:"sequence" doc:"Where it stands in the log now."`
	Folded   bool   `json:"folded" doc:"Whether it was folded, or had been before."`
	Refused  uint64 `json:"refused,omitzero" doc:"The letter that says why not, when it was refused again."`
}

// redrive appends an entry of the log once more and waits for what becomes of it.
func (a *API) redrive(ctx context.Context, in *LetterArgs) (*Redriven, error) {
	l, err := a.letter(ctx, in)
	if err != nil {
		return nil, err
	}
	if l.Stage != pipeline.AnalyzeStage || l.Sequence == 0 {
		return nil, problem(Conflict, "the log does not have this event: it was refused on its way").
			hint("mend it where it is made, and send it again under the same id")
	}
	stands, err := a.deps.Driver.Redrive(ctx, RedriveOrder{Sequence: l.Sequence, Letter: l.Number})
	if err != nil {
		return nil, outOfReach(err)
	}
	if len(stands) == 0 {
		return nil, problem(Conflict, "the log does not have this event any more").
			hint("it was too old, cleared, or of somebody who is forgotten; or it counts already")
	}
	if err := a.awaitAll(ctx, stands); err != nil {
		return nil, err
	}
	out := &Redriven{Number: l.Number}
	for _, seq := range stands {
		out.Sequence = seq
	}
	out.Refused, err = a.refusedAgain(ctx, l.Number, out.Sequence)
	out.Folded = out.Refused == 0
	return out, err
}

// refusedAgain finds the letter of an entry that has just been folded or refused, among
// those that came after a letter; 0 when there is none.
func (a *API) refusedAgain(ctx context.Context, after, sequence uint64) (uint64, error) {
	args := LettersArgs{Limit: mostLetters}
	for {
		page, err := a.letters(ctx, &args)
		if err != nil {
			return 0, err
		}
		for i := range page.Letters {
			if l := &page.Letters[i]; l.Stage == pipeline.AnalyzeStage && l.Sequence == sequence {
				return l.Number, nil
			}
		}
		if page.Next <= after+1 { // 0 on the last page
			return 0, nil
		}
		args.Before = page.Next
	}
}

// mostLetters is how many may be listed at once.
const mostLetters = 1000
