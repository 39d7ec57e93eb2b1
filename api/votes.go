package api

import (
	"context"
	"net/http"
	"reflect"

	"learnloop.dev/events"
	"learnloop.dev/learn/learnings"

	"github.com/danielgtaylor/huma/v2"
)

// registerVotes lists the operations by which tasks tell what helped.
func (a *API) registerVotes(r *Registry) {
	Add(r, Operation[VoteArgs, Vote]{
		Name: "learnings.feedback", Method: http.MethodPost, Path: "/api/learnings/{id}/feedback", Tag: "learnings", Access: Capture,
		Summary: "Say whether a learning helped in a task",
		Description: "One vote counts for each learning and task, the last one. It counts when the learning was injected into the " +
			"task; one that comes before its injection is known waits for it.",
		Aliases:  map[string]string{"learning_id": "id"},
		Statuses: []int{http.StatusAccepted},
		Do:       a.voteOnLearning,
	})
	Add(r, Operation[OutputArgs, Output]{
		Name: "tasks.output", Method: http.MethodPost, Path: "/api/tasks/{id}/output", Tag: "learnings", Access: Capture,
		Summary: "Take in what an agent wrote at the end of a task",
		Description: "Votes (LEARNING_HELPFUL: id, LEARNING_NOT_HELPFUL: id) are read out of it, and the text is dropped. Lines of the " +
			"block of learnings that the agent was given are no votes.",
		Aliases:  map[string]string{"task_id": "id", "text": "output"},
		Statuses: []int{http.StatusAccepted},
		Do:       a.takeOutput,
	})
}

// Ballot is a vote on its way in.
type Ballot struct {
	TaskID  string `json:"task_id" minLength:"1" doc:"The task in which it helped or did not."`
	Helpful bool   `json:"helpful"`
	Comment string `json:"comment,omitzero" doc:"Why."`
	UserID  string `json:"user_id,omitzero" doc:"Who votes; stored as a pseudonym."`
}

// VoteArgs name a learning and bring a vote.
type VoteArgs struct {
	Caller `json:"-"`
	ID     string `json:"id" path:"id" doc:"The raw id."`
	Body   Ballot `json:",embed"`
}

// Schema describes the arguments to NATS clients.
func (*VoteArgs) Schema(r huma.Registry) *huma.Schema {
	return identified(r, reflect.TypeFor[Ballot]())
}

func (in *VoteArgs) check() error { return checkID("id", in.ID) }

// Vote says what became of a vote.
type Vote struct {
	LearningID string `json:"learning_id"`
	TaskID     string `json:"task_id"`
	Helpful    bool   `json:"helpful"`
	Counted    bool   `json:"counted" doc:"Whether the learning is known to have been injected into the task; else the vote waits."`
	Status     string `json:"status" doc:"Of the learning."`
}

func (a *API) voteOnLearning(ctx context.Context, in *VoteArgs) (*Vote, error) {
	use, err := a.standing(ctx, learnings.UseArgs{ID: in.ID, Task: in.Body.TaskID})
	switch {
	case err != nil:
		return nil, err
	case use.Status == "", use.Status == learnings.Proposed, use.Status == learnings.Rejected:
		return nil, noLearning()
	case ended(use.Status) && !use.Injected:
		return nil, problem(Conflict, "the learning is "+string(use.Status)+" and was not injected into the task")
	}
	b := in.Body
	err = a.tell(ctx, events.FeedbackLearning.Kind, &events.Vote{
		LearningID: events.ID(in.ID), TaskID: events.ID(b.TaskID), Helpful: b.Helpful, Comment: b.Comment, UserID: events.ID(b.UserID),
	})
	return &Vote{in.ID, b.TaskID, b.Helpful, use.Injected, string(use.Status)}, err
}

// Writing is what an agent wrote.
type Writing struct {
	Output string `json:"output" maxLength:"65536" doc:"The text."`
	UserID string `json:"user_id,omitzero" doc:"Who the task was done for; stored as a pseudonym."`
}

// OutputArgs name a task and bring what its agent wrote.
type OutputArgs struct {
	Caller `json:"-"`
	ID     string  `json:"id" path:"id" doc:"The raw id of the task."`
	Body   Writing `json:",embed"`
}

// Schema describes the arguments to NATS clients.
func (*OutputArgs) Schema(r huma.Registry) *huma.Schema {
	return identified(r, reflect.TypeFor[Writing]())
}

func (in *OutputArgs) check() error { return checkID("id", in.ID) }

// Output is what was read in a text.
type Output struct {
	TaskID     string              `json:"task_id"`
	Votes      []events.OutputVote `json:"votes" nullable:"false" doc:"In the order of the text; of two about one learning the later counts."`
	References []string            `json:"references" nullable:"false" doc:"Learnings that the text names otherwise."`
}

func (a *API) takeOutput(ctx context.Context, in *OutputArgs) (*Output, error) {
	o := &events.AgentOutput{TaskID: events.ID(in.ID), Output: in.Body.Output, UserID: events.ID(in.Body.UserID)}
	if err := a.tell(ctx, events.TaskOutput.Kind, o); err != nil {
		return nil, err
	}
	out := &Output{TaskID: in.ID, Votes: []events.OutputVote{}, References: []string{}}
	if o.Settle(); o.Derived != nil {
		out.Votes = append(out.Votes, o.Derived.Votes...)
		for _, id := range o.Derived.References {
			out.References = append(out.References, string(id))
		}
	}
	return out, nil
}
