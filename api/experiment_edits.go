package api

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn/experiments"
	"learnloop.dev/pipeline/ingest"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// registerExperimentEdits lists the operations in an experiment's life.
func (a *API) registerExperimentEdits(r *Registry) {
	Add(r, Operation[NewExperimentArgs, Experiment]{
		Name: "experiments.create", Method: http.MethodPost, Path: "/api/experiments", Tag: "experiments", Access: Admin,
		Summary: "Define an experiment",
		Description: "A draft, unless is_active is true: then it starts. A draft of the same name is replaced. The arms may have 100 % " +
			"together at most; what treatments and control leave is not enrolled.",
		Statuses: []int{http.StatusCreated},
		Do:       a.createExperiment,
	})
	for _, step := range []struct{ verb, summary string }{
		{"start", "Start an experiment: units are assigned from now on"},
		{"stop", "Stop an experiment: later outcomes are not counted"},
		{"archive", "Archive an experiment that is over"},
	} {
		Add(r, Operation[ExperimentStepArgs, Experiment]{
			Name: "experiments." + step.verb, Method: http.MethodPost, Path: "/api/experiments/{name}/" + step.verb,
			Tag: "experiments", Access: Admin, Summary: step.summary,
			Aliases: map[string]string{"experiment": "name", "test_name": "name"},
			Do:      a.stepping(step.verb),
		})
	}
	Add(r, Operation[WidenArgs, Experiment]{
		Name: "experiments.widen", Method: http.MethodPost, Path: "/api/experiments/{name}/widen", Tag: "experiments", Access: Admin,
		Summary: "Give arms larger shares",
		Description: "No unit leaves the arm it has: shares only grow, out of what is not enrolled. " +
			"Widen all arms alike: units that can only come into one arm are no evidence.",
		Aliases: map[string]string{"experiment": "name", "test_name": "name"},
		Do:      a.widenExperiment,
	})
}

// NewExperiment is a definition on its way in, by the names of source document 003.
type NewExperiment struct {
	Name                string         `json:"name" minLength:"1" maxLength:"200" doc:"Its name; salt of the assignment, too."`
	Description         string         `json:"description,omitzero" maxLength:"2000"`
	ControlConfig       Document       `json:"control_config,omitzero" doc:"What control gets."`
	TreatmentConfig     Document       `json:"treatment_config,omitzero" doc:"What treatment gets."`
	TreatmentPercentage *float64       `json:"treatment_percentage,omitzero" minimum:"0" maximum:"100" doc:"Of all units; 50 when not given."`
	ControlPercentage   *float64       `json:"control_percentage,omitzero" minimum:"0" maximum:"100" doc:"What treatments leave, when not given."`
	Treatments          []NewTreatment `json:"treatments,omitzero" maxItems:"20" nullable:"false" doc:"More treatments, compared with the same control."`
	StartDate           time.Time      `json:"start_date,omitzero"`
	EndDate             time.Time      `json:"end_date,omitzero"`
	PrimaryMetric       Document       `json:"primary_metric,omitzero" doc:"A name, or {name, direction, min, max}; overall_quality_score when not given."`
	SecondaryMetrics    []Document     `json:"secondary_metrics,omitzero" maxItems:"50" nullable:"false"`
	Guardrails          []Document     `json:"guardrails,omitzero" maxItems:"50" nullable:"false" doc:"Metrics that treatment must not make worse."`
	SmallestUseful      *float64       `json:"smallest_useful_effect,omitzero" doc:"In the unit of the primary metric; any effect when not given."`
	MinSampleSize       *int64         `json:"min_sample_size,omitzero" minimum:"1" maximum:"1000000000" doc:"Of each arm; 100 when not given."`
	ConfidenceLevel     *float64       `json:"confidence_level,omitzero" exclusiveMinimum:"0" exclusiveMaximum:"1" doc:"0.95 when not given."`
	External            bool           `json:"external,omitzero" doc:"Whether somebody else assigns the units."`
	IsActive            bool           `json:"is_active,omitzero" doc:"Whether it starts at once."`
}

// NewTreatment is one more treatment.
type NewTreatment struct {
	Name       string   `json:"name" minLength:"1" maxLength:"200"`
	Percentage float64  `json:"percentage" minimum:"0" maximum:"100"`
	Config     Document `json:"config,omitzero"`
}

// NewExperimentArgs bring a definition.
type NewExperimentArgs struct {
	Caller `json:"-"`
	Repeating
	Body NewExperiment `json:",embed"`
}

// Schema describes the arguments to NATS clients: those of the body over HTTP.
func (*NewExperimentArgs) Schema(r huma.Registry) *huma.Schema {
	return repeating(bodySchema(r, reflect.TypeFor[NewExperiment]()))
}

// ExperimentStepArgs name an experiment that is to go on.
type ExperimentStepArgs struct {
	Caller `json:"-"`
	Name   string `json:"name" path:"name"`
}

func (in *ExperimentStepArgs) check() error { return checkID("name", in.Name) }

// Shares are those that arms are to have.
type Shares struct {
	TreatmentPercentage *float64           `json:"treatment_percentage,omitzero" minimum:"0" maximum:"100"`
	ControlPercentage   *float64           `json:"control_percentage,omitzero" minimum:"0" maximum:"100"`
	Treatments          map[string]float64 `json:"treatments,omitzero" doc:"Percentages of further treatments, by name."`
}

// WidenArgs give arms larger shares.
type WidenArgs struct {
	Caller `json:"-"`
	Name   string `json:"name" path:"name"`
	Body   Shares `json:",embed"`
}

// Schema describes the arguments to NATS clients.
func (*WidenArgs) Schema(r huma.Registry) *huma.Schema {
	s := r.Schema(reflect.TypeFor[Shares](), false, "")
	s.Properties["name"] = &huma.Schema{Type: huma.TypeString}
	s.Required = append(s.Required, "name")
	return s
}

func (in *WidenArgs) check() error { return checkID("name", in.Name) }

// defaults of source document 003.
const (
	halfOfUnits   = 50.0
	qualityMetric = "overall_quality_score"
)

// design is the definition that the arguments make.
func (n *NewExperiment) design() (d events.ExperimentDesign, err error) {
	d = events.ExperimentDesign{
		Description: n.Description, ControlConfig: jsontext.Value(n.ControlConfig), TreatmentConfig: jsontext.Value(n.TreatmentConfig),
		TreatmentPercentage: halfOfUnits, ControlPercentage: n.ControlPercentage, StartDate: n.StartDate, EndDate: n.EndDate,
		PrimaryMetric: events.Metric{Name: qualityMetric}, SmallestUsefulEffect: n.SmallestUseful, External: n.External, IsActive: n.IsActive,
	}
	if n.MinSampleSize != nil {
		d.MinSampleSize = *n.MinSampleSize
	}
	if n.ConfidenceLevel != nil {
		d.ConfidenceLevel = *n.ConfidenceLevel
	}
	if n.TreatmentPercentage != nil {
		d.TreatmentPercentage = *n.TreatmentPercentage
	}
	for _, t := range n.Treatments {
		d.Treatments = append(d.Treatments, events.Treatment{Name: t.Name, Percentage: t.Percentage, Config: jsontext.Value(t.Config)})
	}
	if len(n.PrimaryMetric) > 0 {
		if d.PrimaryMetric, err = metricOf(n.PrimaryMetric, "/primary_metric"); err != nil {
			return d, err
		}
	}
	if d.SecondaryMetrics, err = metricsOf(n.SecondaryMetrics, "/secondary_metrics"); err == nil {
		d.Guardrails, err = metricsOf(n.Guardrails, "/guardrails")
	}
	return d, err
}

func metricsOf(list []Document, at string) (all []events.Metric, err error) {
	for i, v := range list {
		m, err := metricOf(v, fmt.Sprintf("%s/%d", at, i))
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

// metricOf is a metric by its name, or with what it says besides.
func metricOf(v Document, at string) (m events.Metric, err error) {
	switch jsontext.Value(v).Kind() {
	case '"':
		err = json.Unmarshal(v, &m.Name)
	default:
		err = json.Unmarshal(v, &m, json.RejectUnknownMembers(true))
	}
	wrongWay := m.Direction != "" && m.Direction != events.HigherIsBetter && m.Direction != events.LowerIsBetter
	if err != nil || m.Name == "" || wrongWay {
		return m, wrong(Invalid, at, "a metric: its name, or {name, direction, min, max} with direction higher_is_better or lower_is_better")
	}
	return m, nil
}

func (a *API) createExperiment(ctx context.Context, in *NewExperimentArgs) (*Experiment, error) {
	if err := checkID("name", in.Body.Name); err != nil {
		return nil, err
	}
	if strings.TrimSpace(in.Body.Name) != in.Body.Name {
		return nil, wrong(Invalid, "/name", "a name without spaces around it")
	}
	design, err := in.Body.design()
	if err != nil {
		return nil, err
	}
	was, known, err := a.definition(ctx, in.Body.Name)
	switch {
	case err != nil:
		return nil, err
	case known && was.Status != experiments.Draft:
		return nil, problem(Conflict, "there is an experiment of this name, and it is "+string(was.Status)).
			hint("choose another name: its units and outcomes keep the old one")
	}
	step := events.ExperimentCreated
	if design.IsActive {
		step = events.ExperimentStarted
	}
	return a.redefine(ctx, in.Caller, &events.ExperimentChanged{Experiment: events.ID(in.Body.Name), Change: step, Definition: design})
}

// steps are what operators do with an experiment, the statuses in which they may, and
// what it is afterwards.
var steps = map[string]struct {
	step   events.ExperimentStep
	from   []experiments.Status
	active bool
}{
	"start":   {events.ExperimentStarted, []experiments.Status{experiments.Draft}, true},
	"stop":    {events.ExperimentStopped, []experiments.Status{experiments.Running}, false},
	"archive": {events.ExperimentArchived, []experiments.Status{experiments.Draft, experiments.Stopped}, false},
}

func (a *API) stepping(verb string) func(context.Context, *ExperimentStepArgs) (*Experiment, error) {
	return func(ctx context.Context, in *ExperimentStepArgs) (*Experiment, error) {
		do := steps[verb]
		d, err := a.standingIn(ctx, in.Name, do.from...)
		if err != nil {
			return nil, err
		}
		d.Design.IsActive = do.active
		return a.redefine(ctx, in.Caller, &events.ExperimentChanged{Experiment: events.ID(in.Name), Change: do.step, Definition: d.Design})
	}
}

// standingIn is the definition of an experiment, if it has one of the statuses.
func (a *API) standingIn(ctx context.Context, name string, allowed ...experiments.Status) (experiments.Definition, error) {
	d, known, err := a.definition(ctx, name)
	if err != nil {
		return d, err
	}
	if !known {
		return d, problem(NotFound, "there is no such experiment").hint("learnloop experiment list shows those there are")
	}
	if slices.Contains(allowed, d.Status) {
		return d, nil
	}
	refused := problem(Conflict, "the experiment is "+string(d.Status))
	if d.Status == experiments.Stopped || d.Status == experiments.Archived {
		return d, refused.hint("define another under a new name: what came in between is not counted, and its units are known by now")
	}
	return d, refused
}

func (a *API) widenExperiment(ctx context.Context, in *WidenArgs) (*Experiment, error) {
	d, err := a.standingIn(ctx, in.Name, experiments.Running)
	if err != nil {
		return nil, err
	}
	next := d.Design
	next.TreatmentPercentage = *cmp.Or(in.Body.TreatmentPercentage, &next.TreatmentPercentage)
	next.ControlPercentage = cmp.Or(in.Body.ControlPercentage, next.ControlPercentage)
	given := len(in.Body.Treatments)
	for i, t := range next.Treatments {
		if share, ok := in.Body.Treatments[t.Name]; ok {
			next.Treatments[i].Percentage = share
			given--
		}
	}
	if given > 0 {
		return nil, wrong(Invalid, "/treatments", "names of treatments that the experiment has")
	}
	return a.redefine(ctx, in.Caller, &events.ExperimentChanged{Experiment: events.ID(in.Name), Change: events.ExperimentWidened, Definition: next})
}

// redefine puts a definition in force, and returns when everybody knows.
func (a *API) redefine(ctx context.Context, by Caller, c *events.ExperimentChanged) (*Experiment, error) {
	was, _, err := a.definition(ctx, string(c.Experiment))
	if err != nil {
		return nil, err
	}
	if found := c.Definition.LayOut(&was.Design); len(found) > 0 {
		faults := make([]Fault, len(found))
		for i, v := range found {
			faults[i] = Fault{Pointer: strings.TrimPrefix(v.Pointer, "/definition"), Expected: v.Expected}
		}
		return nil, problem(Invalid, "").faulty(faults)
	}
	c.Actor = by.actor()
	err = a.command(ctx, ingest.Order{
		ID: "experiment/" + rand.Text(), Kind: events.ControlExperimentChanged.Kind, At: a.now(), Payload: c,
	})
	if p, unfit := errors.AsType[*Problem](err); unfit {
		return nil, p.within("/definition")
	}
	if err != nil {
		return nil, err
	}
	return a.getExperiment(ctx, &ExperimentArgs{string(c.Experiment)})
}

// DecideExperiment tells the verdict about an experiment. It is the same fact whenever
// and by whomever it is given, and has no time of the producer: of two the first counts.
func (a *API) DecideExperiment(ctx context.Context, d *events.ExperimentDecided) error {
	item, err := draft(events.ControlExperimentDecided.Kind, d)
	if err != nil {
		return err
	}
	item.ID, item.Received = "decided/"+string(d.Experiment), a.deps.Now()
	return a.send(ctx, ingest.Operator, item)
}
