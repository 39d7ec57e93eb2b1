package api

import (
	"context"
	"net/http"
	"reflect"

	"learnloop.dev/events"
	"learnloop.dev/learn/outcomes"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json"
)

// registerTemplates lists the operations on plans that can be used again.
func (a *API) registerTemplates(r *Registry) {
	Add(r, Operation[MatchArgs, Matches]{
		Name: "templates.match", Method: http.MethodGet, Path: "/api/templates/match", Tag: "outcomes", Access: Read,
		Summary: "Plans that fit a goal, the best first",
		Description: "By the words of name, keywords, goals and steps, and by what the plan does at least. A task that names the template " +
			"it used (template) tells how it did.",
		Aliases: map[string]string{"q": "goal", "query": "goal"},
		Do:      a.matchTemplates,
	})
	Add(r, Operation[NoArgs, TemplateList]{
		Name: "templates.list", Method: http.MethodGet, Path: "/api/templates", Tag: "outcomes", Access: Read,
		Summary: "Which templates there are: learned, added, built in, and those of the user's folder",
		Do:      a.listTemplates,
	})
	Add(r, Operation[TemplateArgs, Template]{
		Name: "templates.get", Method: http.MethodGet, Path: "/api/templates/{id}", Tag: "outcomes", Access: Read,
		Summary: "One template with its plan",
		Aliases: map[string]string{"name": "id"},
		Do:      a.getTemplate,
	})
	Add(r, Operation[NewTemplateArgs, Template]{
		Name: "templates.add", Method: http.MethodPost, Path: "/api/templates", Tag: "outcomes", Access: Capture,
		Summary:     "Add a template",
		Description: "One of the same name is replaced. A plan with a circle, or with a dependency that is not in it, is refused.",
		Statuses:    []int{http.StatusCreated},
		Do:          a.addTemplate,
	})
}

// registerTemplateDeletion lists the operation that forgets a template.
func (a *API) registerTemplateDeletion(r *Registry) {
	Add(r, Operation[DropTemplateArgs, TemplateGone]{
		Name: "templates.delete", Method: http.MethodDelete, Path: "/api/templates/{id}", Tag: "outcomes", Access: Admin,
		Summary: "Forget one template",
		Description: "One that was added, or a plan that was learned, with how tasks that used it ended; the tasks and their patterns " +
			"stay. What it stood in the place of is there again. Templates that come with the program, or stand in the user's folder, " +
			"are no knowledge to forget: to delete one is a conflict.",
		Aliases: map[string]string{"name": "id"},
		Do:      a.deleteTemplate,
	})
}

// mostMatches is how many matches there are when nobody says.
const mostMatches = 5

// MatchArgs bring a goal.
type MatchArgs struct {
	Goal  string `json:"goal" query:"goal" required:"true" minLength:"1" maxLength:"10000" doc:"What is to be done."`
	Limit int    `json:"limit,omitzero" query:"limit" minimum:"1" maximum:"50" default:"5" doc:"How many at most."`
}

// Matches are templates that fit a goal.
type Matches struct {
	Goal    string          `json:"goal"`
	Matches []TemplateMatch `json:"matches" nullable:"false"`
}

// TemplateMatch is a template and how well it fits.
type TemplateMatch struct {
	Template   Template `json:"template"`
	Similarity float64  `json:"similarity" doc:"0 to 1: of the score that the goal has with itself."`
	Score      float64  `json:"score" doc:"What matches are ordered by."`
}

// Template is a plan that can be used again.
type Template struct{ outcomes.Template }

// name is what the audit log calls it by.
func (t *Template) name() string { return t.ID }

// Schema describes the template.
func (*Template) Schema(r huma.Registry) *huma.Schema {
	return r.Schema(reflect.TypeFor[outcomes.Template](), true, "")
}

func (t *Template) headers() map[string]string {
	data, err := json.Marshal(t, json.Deterministic(true))
	if err != nil {
		return nil // encoding the answer fails as well, and says so
	}
	return map[string]string{"ETag": etag(data)}
}

func (a *API) matchTemplates(_ context.Context, in *MatchArgs) (*Matches, error) {
	limit := in.Limit
	if limit == 0 {
		limit = mostMatches
	}
	out := &Matches{Goal: in.Goal, Matches: []TemplateMatch{}}
	for _, m := range a.deps.Advice.MatchTemplates(in.Goal, limit) {
		out.Matches = append(out.Matches, TemplateMatch{Template{m.Template}, six(m.Similarity), six(m.Score)})
	}
	return out, nil
}

// TemplateList are all templates, by id.
type TemplateList struct {
	Templates []Template `json:"templates" nullable:"false"`
}

func (a *API) listTemplates(context.Context, *NoArgs) (*TemplateList, error) {
	out := &TemplateList{Templates: []Template{}}
	for _, t := range a.deps.Advice.Templates() {
		out.Templates = append(out.Templates, Template{t})
	}
	return out, nil
}

// TemplateArgs name a template.
type TemplateArgs struct {
	ID string `json:"id" path:"id" example:"bug-fix" doc:"As the list has it."`
}

func (in *TemplateArgs) check() error { return checkID("id", in.ID) }

func (a *API) getTemplate(_ context.Context, in *TemplateArgs) (*Template, error) {
	t, known := a.deps.Advice.Template(in.ID)
	if !known {
		return nil, problem(NotFound, "there is no such template").hint("learnloop templates list shows those there are")
	}
	return &Template{t}, nil
}

// NewTemplate is a template on its way in.
type NewTemplate struct {
	Name     string    `json:"name" minLength:"1" maxLength:"200" doc:"Its id, too."`
	Keywords Labels    `json:"keywords,omitzero" doc:"Words of goals it fits."`
	Plan     []NewStep `json:"plan" minItems:"1" maxItems:"64" nullable:"false"`
}

// NewStep is one step of a plan.
type NewStep struct {
	ID               string   `json:"id" minLength:"1" maxLength:"200" doc:"The type of the step."`
	Description      string   `json:"description,omitzero" maxLength:"2000"`
	ModelTier        int64    `json:"model_tier,omitzero" minimum:"0" maximum:"1000"`
	VerificationTier int64    `json:"verification_tier,omitzero" minimum:"0" maximum:"1000"`
	DependsOn        []string `json:"depends_on,omitzero" nullable:"false" doc:"Steps it waits for."`
}

// NewTemplateArgs bring a template.
type NewTemplateArgs struct {
	Caller `json:"-"`
	Repeating
	Body NewTemplate `json:",embed"`
}

// Schema describes the arguments to NATS clients: those of the body over HTTP.
func (*NewTemplateArgs) Schema(r huma.Registry) *huma.Schema {
	return repeating(bodySchema(r, reflect.TypeFor[NewTemplate]()))
}

func (in *NewTemplateArgs) steps() []outcomes.Step {
	var steps []outcomes.Step
	for _, s := range in.Body.Plan {
		steps = append(steps, outcomes.Step(s))
	}
	return steps
}

func (in *NewTemplateArgs) check() error {
	if err := outcomes.CheckPlan(in.steps()); err != nil {
		return wrong(Invalid, "/plan", "a plan that can be done: "+err.Error())
	}
	return checkID("name", in.Body.Name)
}

func (a *API) addTemplate(ctx context.Context, in *NewTemplateArgs) (*Template, error) {
	plan, err := json.Marshal(in.steps(), json.Deterministic(true))
	if err != nil {
		return nil, wrong(Invalid, "/plan", "texts in UTF-8")
	}
	former, _ := a.deps.Advice.Template(in.Body.Name)
	t := former.Replaced(in.Body.Name, in.Body.Keywords, in.steps())
	return &Template{t}, a.tell(ctx, events.TemplateAdded.Kind,
		&events.Template{Name: in.Body.Name, Keywords: events.Tags(in.Body.Keywords), Plan: plan})
}
