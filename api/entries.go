package api

import (
	"context"
	"crypto/rand"
	"net/http"
	"reflect"
	"strings"

	"learnloop.dev/events"
	"learnloop.dev/learn/learnings"
	"learnloop.dev/pipeline/ingest"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json/jsontext"
)

// registerEntries lists the operations that change learnings.
func (a *API) registerEntries(r *Registry) {
	Add(r, Operation[EntryArgs, Learning]{
		Name: "learnings.create", Method: http.MethodPost, Path: "/api/learnings", Tag: "learnings", Access: Capture,
		Summary:     "Write a learning down",
		Description: "It is there when this answers. Texts are protected like those of events.",
		Statuses:    []int{http.StatusCreated},
		Do:          a.createLearning,
	})
	Add(r, Operation[EditArgs, Learning]{
		Name: "learnings.revise", Method: http.MethodPatch, Path: "/api/learnings/{id}", Tag: "learnings", Access: Review,
		Summary:     "Change a learning, or take it out of use and back",
		Description: "What is not named stays. A learning that is out of use is changed only together with its status.",
		Aliases:     map[string]string{"learning_id": "id"},
		Do:          a.reviseLearning,
	})
	Add(r, Operation[ArchiveArgs, Learning]{
		Name: "learnings.archive", Method: http.MethodDelete, Path: "/api/learnings/{id}", Tag: "learnings", Access: Review,
		Summary:     "Take a learning out of use",
		Description: "Nothing is deleted: status active takes it up again.",
		Aliases:     map[string]string{"learning_id": "id"},
		Do:          a.archiveLearning,
	})
	Add(r, Operation[SupersedeArgs, Learning]{
		Name: "learnings.supersede", Method: http.MethodPost, Path: "/api/learnings/{id}/supersede", Tag: "learnings", Access: Review,
		Summary:     "Put another learning in the place of one",
		Description: "The one is not used any more; nothing is deleted.",
		Aliases:     map[string]string{"learning_id": "id", "by": "superseded_by"},
		Do:          a.supersede,
	})
	Add(r, Operation[NoArgs, Queue]{
		Name: "learnings.queue", Method: http.MethodGet, Path: "/api/learnings/review", Tag: "learnings", Access: Review,
		Summary:     "Proposals that wait for a person's word, the oldest first",
		Description: "A hundred of them; when these are decided, the next follow.",
		Do:          a.reviewQueue,
	})
	Add(r, Operation[ReviewArgs, Learning]{
		Name: "learnings.review", Method: http.MethodPost, Path: "/api/learnings/{id}/review", Tag: "learnings", Access: Review,
		Summary:     "Approve or reject a proposal, or a learning",
		Description: "What was proposed in the place of another supersedes it when it is approved. The last verdict counts.",
		Aliases:     map[string]string{"learning_id": "id"},
		Do:          a.reviewLearning,
	})
}

// Labels are tags: one text, or an array of texts.
type Labels events.Tags

// labelTypes is what labels may be, in words.
const labelTypes = "a text, or an array of texts"

// UnmarshalJSONFrom reads both.
func (l *Labels) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	return (*events.Tags)(l).UnmarshalJSONFrom(d)
}

// Schema describes both.
func (Labels) Schema(huma.Registry) *huma.Schema {
	text := &huma.Schema{Type: huma.TypeString}
	return &huma.Schema{OneOf: []*huma.Schema{text, {Type: huma.TypeArray, Items: text}}}
}

// Entry is a learning on its way in.
type Entry struct {
	ID              string   `json:"id,omitzero" maxLength:"200" doc:"One is given when there is none."`
	Title           string   `json:"title" minLength:"1" maxLength:"100" doc:"What somebody with this problem would search for."`
	Context         string   `json:"context" doc:"What was being worked on."`
	Observation     string   `json:"observation" doc:"What was noticed."`
	Implication     string   `json:"implication" doc:"How it should change future work."`
	Action          string   `json:"action" doc:"The concrete thing to do."`
	Tags            Labels   `json:"tags,omitzero" doc:"Labels to find it by."`
	Domain          string   `json:"domain,omitzero" doc:"The field it belongs to, such as database or ui."`
	PatternType     string   `json:"pattern_type,omitzero" enum:"solution,gotcha,best-practice,constraint" doc:"What it is good for."`
	SourceOutcomeID string   `json:"source_outcome_id,omitzero" doc:"The outcome it was learned in."`
	SourceTaskID    string   `json:"source_task_id,omitzero" doc:"The task it was learned in."`
	Confidence      *float64 `json:"confidence,omitzero" minimum:"0" maximum:"1" doc:"How far it is trusted at first; 0.5 when not given."`
	UserID          string   `json:"user_id,omitzero" doc:"Who wrote it; stored as a pseudonym."`
}

// EntryArgs bring a learning.
type EntryArgs struct {
	Caller `json:"-"`
	Repeating
	Body Entry `json:",embed"`
}

// Schema describes the arguments to NATS clients: those of the body over HTTP.
func (*EntryArgs) Schema(r huma.Registry) *huma.Schema {
	return repeating(bodySchema(r, reflect.TypeFor[Entry]()))
}

// freshID is how many letters and digits follow in an id that we give.
const freshID = 16

// freshName is an id that nothing else has.
func freshName() string { return strings.ToLower(rand.Text()[:freshID]) }

func (a *API) createLearning(ctx context.Context, in *EntryArgs) (*Learning, error) {
	e := in.Body
	given := e.ID != ""
	if !given {
		id, err := in.fresh(in.visitor.identity(), e)
		if err != nil {
			return nil, err
		}
		e.ID = ownID + id
	}
	event, err := in.event(in.visitor.identity(), in.Body)
	if err != nil {
		return nil, err
	}
	switch known, err := a.standing(ctx, learnings.UseArgs{ID: e.ID}); {
	case err != nil:
		return nil, err
	case known.Status != "" && (!given || known.Creator == event): // the same request made it, and the answer was lost
		return &Learning{known.Learning}, nil
	case known.Status != "":
		return nil, taken()
	}
	w, err := a.watch(ctx, e.ID)
	if err != nil {
		return nil, err
	}
	defer w.close()
	err = a.create(ctx, event, &events.Learning{
		ID: events.ID(e.ID), Title: e.Title, Context: e.Context, Observation: e.Observation, Implication: e.Implication,
		Action: e.Action, SourceOutcomeID: events.ID(e.SourceOutcomeID), SourceTaskID: events.ID(e.SourceTaskID),
		Tags: events.Tags(e.Tags), Domain: e.Domain, PatternType: events.PatternType(e.PatternType),
		Confidence: e.Confidence, UserID: events.ID(e.UserID),
	})
	if err != nil {
		return nil, err
	}
	return a.settled(ctx, w, func(u learnings.Use) (bool, error) {
		if u.Creator != "" && u.Creator != event {
			return false, taken() // by who was faster
		}
		return u.Creator == event, nil
	})
}

// create takes a new learning in, under the id of its event. It has no time of the
// producer: of two with one id the first in the log counts.
func (a *API) create(ctx context.Context, event string, l *events.Learning) error {
	item, err := draft(events.LearningCreated.Kind, l)
	if err != nil {
		return err
	}
	item.ID, item.Received = event, a.deps.Now()
	return a.send(ctx, ingest.Anyone, item)
}

func taken() *Problem {
	return problem(Conflict, "there is a learning of this id").hint("change it with learnings.revise, or leave the id out")
}
