package api

import (
	"context"
	"reflect"

	"learnloop.dev/events"
	"learnloop.dev/learn/learnings"
	"learnloop.dev/pipeline/ingest"

	"github.com/danielgtaylor/huma/v2"
)

// Queue are proposals.
type Queue struct {
	Proposals []Learning `json:"proposals" nullable:"false"`
	Total     int        `json:"total" doc:"How many there are, listed or not."`
}

func (a *API) reviewQueue(ctx context.Context, _ *NoArgs) (*Queue, error) {
	parts, err := askModel[learnings.Queue](ctx, a.asker, question{Model: learnings.Name, Ask: learnings.AskQueue}, nil)
	if err != nil {
		return nil, err
	}
	q := &Queue{Proposals: []Learning{}}
	for _, part := range parts { // all but one are empty
		for _, l := range part.Oldest {
			q.Proposals = append(q.Proposals, Learning{l})
		}
		q.Total += part.Total
	}
	return q, nil
}

// Judgement is a person's word.
type Judgement struct {
	Verdict string `json:"verdict" enum:"approved,rejected"`
	Comment string `json:"comment,omitzero" doc:"Why."`
	UserID  string `json:"user_id,omitzero" doc:"Who decides; stored as a pseudonym."`
}

// ReviewArgs name a learning and what a person decided.
type ReviewArgs struct {
	Caller `json:"-"`
	Matching
	ID   string    `json:"id" path:"id" doc:"The raw id."`
	Body Judgement `json:",embed"`
}

// Schema describes the arguments to NATS clients.
func (*ReviewArgs) Schema(r huma.Registry) *huma.Schema {
	return matching(identified(r, reflect.TypeFor[Judgement]()))
}

func (in *ReviewArgs) check() error { return checkID("id", in.ID) }

func (a *API) reviewLearning(ctx context.Context, in *ReviewArgs) (*Learning, error) {
	known, release, err := a.found(ctx, in.ID, in.Matching)
	if err != nil {
		return nil, err
	}
	defer release()
	verdict := events.ReviewVerdict(in.Body.Verdict)
	if verdict == events.ReviewApproved && known.Learning.Title == "" {
		return nil, untitled()
	}
	w, err := a.watch(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	defer w.close()
	said, err := a.say(ctx, ingest.Operator, events.LearningReviewed.Kind,
		&events.Review{ID: events.ID(in.ID), Verdict: verdict, Comment: in.Body.Comment, UserID: events.ID(in.Body.UserID)})
	if err != nil {
		return nil, err
	}
	return a.settled(ctx, w, heard, said)
}

// untitled is why a proposal cannot become a learning: nobody would find it.
func untitled() *Problem {
	return problem(Conflict, "the proposal has no title").hint("give it one with learnings.revise")
}
