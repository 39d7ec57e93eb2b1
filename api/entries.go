package api

import (
	"context"
	"crypto/rand"
	"maps"
	"net/http"
	"reflect"
	"strings"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/kv"
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
		Name: "learnings.revise", Method: http.MethodPatch, Path: "/api/learnings/{id}", Tag: "learnings", Access: Admin,
		Summary:     "Change a learning, or take it out of use and back",
		Description: "What is not named stays. A learning that is out of use is changed only together with its status.",
		Aliases:     map[string]string{"learning_id": "id"},
		Do:          a.reviseLearning,
	})
	Add(r, Operation[ArchiveArgs, Learning]{
		Name: "learnings.archive", Method: http.MethodDelete, Path: "/api/learnings/{id}", Tag: "learnings", Access: Admin,
		Summary:     "Take a learning out of use",
		Description: "Nothing is deleted: status active takes it up again.",
		Aliases:     map[string]string{"learning_id": "id"},
		Do:          a.archiveLearning,
	})
	Add(r, Operation[NoArgs, Queue]{
		Name: "learnings.queue", Method: http.MethodGet, Path: "/api/learnings/review", Tag: "learnings", Access: Admin,
		Summary:     "Proposals that wait for a person's word, the oldest first",
		Description: "A hundred of them; when these are decided, the next follow.",
		Do:          a.reviewQueue,
	})
	Add(r, Operation[ReviewArgs, Learning]{
		Name: "learnings.review", Method: http.MethodPost, Path: "/api/learnings/{id}/review", Tag: "learnings", Access: Admin,
		Summary:     "Approve or reject a proposal, or a learning",
		Description: "What was proposed in the place of another supersedes it when it is approved. The last verdict counts.",
		Aliases:     map[string]string{"learning_id": "id"},
		Do:          a.reviewLearning,
	})
}

// Labels are tags: one text, or an array of texts.
type Labels events.Tags

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
	Body   Entry `json:",embed"`
}

// Schema describes the arguments to NATS clients: those of the body over HTTP.
func (*EntryArgs) Schema(r huma.Registry) *huma.Schema {
	return r.Schema(reflect.TypeFor[Entry](), false, "")
}

// freshID is how many letters and digits follow in an id that we give.
const freshID = 16

func (a *API) createLearning(ctx context.Context, in *EntryArgs) (*Learning, error) {
	e := in.Body
	if e.ID == "" {
		e.ID = ownID + strings.ToLower(rand.Text()[:freshID])
	}
	switch known, err := a.standing(ctx, learnings.UseArgs{ID: e.ID}); {
	case err != nil:
		return nil, err
	case known.Status != "":
		return nil, problem(Conflict, "there is a learning of this id").hint("change it with learnings.revise, or leave the id out")
	}
	err := a.tell(ctx, ingest.Anyone, events.LearningCreated.Kind, &events.Learning{
		ID: events.ID(e.ID), Title: e.Title, Context: e.Context, Observation: e.Observation, Implication: e.Implication,
		Action: e.Action, SourceOutcomeID: events.ID(e.SourceOutcomeID), SourceTaskID: events.ID(e.SourceTaskID),
		Tags: events.Tags(e.Tags), Domain: e.Domain, PatternType: events.PatternType(e.PatternType),
		Confidence: e.Confidence, UserID: events.ID(e.UserID),
	})
	if err != nil {
		return nil, err
	}
	return a.settled(ctx, e.ID, func(u learnings.Use) bool { return u.Status != "" })
}

// Edit is what changes of a learning.
type Edit struct {
	Title       *string  `json:"title,omitzero" minLength:"1" maxLength:"100"`
	Context     *string  `json:"context,omitzero"`
	Observation *string  `json:"observation,omitzero"`
	Implication *string  `json:"implication,omitzero"`
	Action      *string  `json:"action,omitzero"`
	Tags        *Labels  `json:"tags,omitzero" doc:"All of them; an empty array removes them."`
	Domain      *string  `json:"domain,omitzero"`
	PatternType string   `json:"pattern_type,omitzero" enum:"solution,gotcha,best-practice,constraint"`
	Confidence  *float64 `json:"confidence,omitzero" minimum:"0" maximum:"1" doc:"From which votes go on."`
	Status      string   `json:"status,omitzero" enum:"active,archived" doc:"Takes it out of use, or back."`
	Reason      string   `json:"reason,omitzero" doc:"Why."`
	UserID      string   `json:"user_id,omitzero" doc:"Who changes it; stored as a pseudonym."`
}

// EditArgs name a learning and what changes.
type EditArgs struct {
	Caller `json:"-"`
	ID     string `json:"id" path:"id" doc:"The raw id."`
	Body   Edit   `json:",embed"`
}

// Schema describes the arguments to NATS clients.
func (*EditArgs) Schema(r huma.Registry) *huma.Schema { return identified(r, reflect.TypeFor[Edit]()) }

// identified is the schema of a body, and of the id that stands in the path over HTTP.
func identified(r huma.Registry, body reflect.Type) *huma.Schema {
	s := *r.Schema(body, false, "")
	s.Properties = maps.Clone(s.Properties)
	s.Properties["id"] = &huma.Schema{Type: huma.TypeString, Description: "The raw id."}
	s.Required = append([]string{"id"}, s.Required...)
	s.PrecomputeMessages()
	return &s
}

// revision is the event of the fields that change, nil when none does.
func (in *EditArgs) revision() *events.Revision {
	e := in.Body
	r := &events.Revision{
		ID: events.ID(in.ID), Title: e.Title, Context: e.Context, Observation: e.Observation, Implication: e.Implication,
		Action: e.Action, Domain: e.Domain, PatternType: events.PatternType(e.PatternType), Confidence: e.Confidence,
	}
	if e.Tags != nil {
		r.Tags = events.Tags(*e.Tags)
	}
	if reflect.DeepEqual(r, &events.Revision{ID: r.ID}) {
		return nil
	}
	r.Reason, r.UserID = e.Reason, events.ID(e.UserID)
	return r
}

func (in *EditArgs) check() error {
	if in.revision() == nil && in.Body.Status == "" {
		return wrong(Invalid, "", "at least one field that changes")
	}
	return checkID("id", in.ID)
}

func (a *API) reviseLearning(ctx context.Context, in *EditArgs) (*Learning, error) {
	known, err := a.existing(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	revision, status := in.revision(), learnings.Status(in.Body.Status)
	if status == learnings.Active && in.Body.Title == nil && known.Learning.Title == "" {
		return nil, untitled()
	}
	if revision != nil {
		if ended(known.Status) && status != learnings.Active {
			return nil, problem(Conflict, "the learning is "+string(known.Status)).hint("take it up again with status active")
		}
		if err := a.tell(ctx, ingest.Operator, events.LearningRevised.Kind, revision); err != nil {
			return nil, err
		}
	}
	if !fulfils(known.Status, status) {
		if err := a.turn(ctx, in, status); err != nil {
			return nil, err
		}
	}
	return a.settled(ctx, in.ID, func(u learnings.Use) bool {
		return (revision == nil || u.Learning.Evidence.Revisions > known.Learning.Evidence.Revisions) &&
			fulfils(u.Status, status)
	})
}

// fulfils reports whether a learning stands as somebody wants it, if at all. A proposal
// that is taken out of use is rejected: nobody ever accepted it.
func fulfils(is, want learnings.Status) bool {
	return want == "" || is == want || want == learnings.Archived && is == learnings.Rejected
}

// turn takes a learning out of use, or back.
func (a *API) turn(ctx context.Context, in *EditArgs, status learnings.Status) error {
	id, who := events.ID(in.ID), events.ID(in.Body.UserID)
	if status == learnings.Active {
		return a.tell(ctx, ingest.Operator, events.LearningReviewed.Kind,
			&events.Review{ID: id, Verdict: events.ReviewApproved, Comment: in.Body.Reason, UserID: who})
	}
	return a.tell(ctx, ingest.Operator, events.LearningArchived.Kind,
		&events.Archival{ID: id, Reason: in.Body.Reason, UserID: who})
}

func ended(s learnings.Status) bool { return s == learnings.Archived || s == learnings.Superseded }

// ArchiveArgs name a learning that is no longer to be used.
type ArchiveArgs struct {
	Caller `json:"-"`
	ID     string `json:"id" path:"id" doc:"The raw id."`
	Reason string `json:"reason,omitzero" query:"reason" maxLength:"1000" doc:"Why."`
}

func (in *ArchiveArgs) check() error { return checkID("id", in.ID) }

func (a *API) archiveLearning(ctx context.Context, in *ArchiveArgs) (*Learning, error) {
	known, err := a.existing(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	if fulfils(known.Status, learnings.Archived) {
		return &Learning{known.Learning}, nil
	}
	order := &events.Archival{ID: events.ID(in.ID), Reason: in.Reason}
	if err := a.tell(ctx, ingest.Operator, events.LearningArchived.Kind, order); err != nil {
		return nil, err
	}
	return a.settled(ctx, in.ID, func(u learnings.Use) bool { return u.Status != known.Status })
}

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
	ID     string    `json:"id" path:"id" doc:"The raw id."`
	Body   Judgement `json:",embed"`
}

// Schema describes the arguments to NATS clients.
func (*ReviewArgs) Schema(r huma.Registry) *huma.Schema {
	return identified(r, reflect.TypeFor[Judgement]())
}

func (in *ReviewArgs) check() error { return checkID("id", in.ID) }

func (a *API) reviewLearning(ctx context.Context, in *ReviewArgs) (*Learning, error) {
	known, err := a.existing(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	verdict, at := events.ReviewVerdict(in.Body.Verdict), a.now()
	if verdict == events.ReviewApproved && known.Learning.Title == "" {
		return nil, untitled()
	}
	err = a.tell(ctx, ingest.Operator, events.LearningReviewed.Kind,
		&events.Review{ID: events.ID(in.ID), Verdict: verdict, Comment: in.Body.Comment, UserID: events.ID(in.Body.UserID),
			Moment: events.Moment{Timestamp: at}})
	if err != nil {
		return nil, err
	}
	return a.settled(ctx, in.ID, func(u learnings.Use) bool { return !u.Learning.UpdatedAt.Before(at) })
}

// untitled is why a proposal cannot become a learning: nobody would find it.
func untitled() *Problem {
	return problem(Conflict, "the proposal has no title").hint("give it one with learnings.revise")
}

// now is the time as learnings keep it.
func (a *API) now() time.Time { return a.deps.Now().UTC().Truncate(time.Microsecond) }

// standing asks how a learning stands; the status of one that does not exist is "".
func (a *API) standing(ctx context.Context, args learnings.UseArgs) (learnings.Use, error) {
	parts, err := askModel[learnings.Use](ctx, a.asker, question{Model: learnings.Name, Ask: learnings.AskUse}, args)
	for _, u := range parts {
		if u.Status != "" {
			return u, nil
		}
	}
	return learnings.Use{}, err
}

// existing is standing of what has to be there.
func (a *API) existing(ctx context.Context, id string) (learnings.Use, error) {
	u, err := a.standing(ctx, learnings.UseArgs{ID: id})
	if err == nil && u.Status == "" {
		err = noLearning()
	}
	return u, err
}

// settled waits until what was reported is known, and published if it ever is.
func (a *API) settled(ctx context.Context, id string, done func(learnings.Use) bool) (*Learning, error) {
	t := time.NewTicker(glance)
	defer t.Stop()
	for {
		u, err := a.standing(ctx, learnings.UseArgs{ID: id})
		if err != nil {
			return nil, err
		}
		if done(u) && a.shows(&u.Learning) {
			return &Learning{u.Learning}, nil
		}
		select {
		case <-ctx.Done():
			return nil, problem(TimedOut, "it is in the log, and being carried out").because(ctx.Err())
		case <-t.C:
		}
	}
}

// shows reports whether readers see a learning as it is; of what waits for review
// they see nothing.
func (a *API) shows(l *learnings.Learning) bool {
	if l.Status == learnings.Proposed || l.Status == learnings.Rejected {
		return true
	}
	shown, err := a.learning(kv.EntryKey(l.ID))
	return err == nil && !shown.UpdatedAt.Before(l.UpdatedAt) && shown.Status == l.Status
}
