package api

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/chart"
	"learnloop.dev/events"
	"learnloop.dev/kv"
	"learnloop.dev/learn/experiments"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go/jetstream"
)

// registerExperiments lists the operations that tell of experiments.
func (a *API) registerExperiments(r *Registry) {
	Add(r, Operation[NoArgs, ExperimentList]{
		Name: "experiments.list", Method: http.MethodGet, Path: "/api/experiments", Tag: "experiments", Access: Read,
		Summary: "Which experiments there are, and what they advise",
		Do:      a.listExperiments,
	})
	Add(r, Operation[ExperimentArgs, Experiment]{
		Name: "experiments.get", Method: http.MethodGet, Path: "/api/experiments/{name}", Tag: "experiments", Access: Read,
		Summary: "An experiment: its definition and what came out so far",
		Description: "p-values and intervals hold however often one looks; those of a fixed sample stand beside them. What is not " +
			"known is null.",
		Aliases: map[string]string{"experiment": "name", "test_name": "name"},
		Do:      a.getExperiment,
	})
	Add(r, Operation[ReportArgs, ExperimentReport]{
		Name: "experiments.report", Method: http.MethodGet, Path: "/api/experiments/{name}/report", Tag: "experiments", Access: Read,
		Summary:     "An experiment in plain words, with a chart",
		Description: "With charts also how the difference went while outcomes came in, with its always-valid interval, as SVG.",
		Aliases:     map[string]string{"experiment": "name", "test_name": "name"},
		Do:          a.reportExperiment,
	})
	Add(r, Operation[AssignArgs, Assignment]{
		Name: "experiments.assign", Method: http.MethodGet, Path: "/api/experiments/{name}/assign", Tag: "experiments", Access: Read,
		Summary: "Which arm a unit has",
		Description: "The same as events.Assign computes from the definition in learn_settings, where no call is needed. A unit that " +
			"is not enrolled, and every unit of an experiment that does not run, gets what control gets. Nothing is recorded: send " +
			"experiment.exposed once the unit meets its arm.",
		Aliases: map[string]string{"experiment": "name", "test_name": "name", "unit": "unit_id", "session_id": "unit_id"},
		Do:      a.assign,
	})
}

// ExperimentArgs name an experiment.
type ExperimentArgs struct {
	Name string `json:"name" path:"name" example:"topic_affinity_boost" doc:"As it is; %2F for a slash."`
}

func (in *ExperimentArgs) check() error { return checkID("name", in.Name) }

// Experiment is a definition and what came out so far.
type Experiment struct {
	Name       string   `json:"name"`
	Status     string   `json:"status" enum:"undeclared,draft,running,stopped,archived"`
	Definition Document `json:"definition" doc:"As learn_settings has it; null where only outcomes tell of it."`
	Result     Document `json:"result" doc:"As the context experiment.<name> has it."`
}

// name is what the audit log calls it by.
func (x *Experiment) name() string { return x.Name }

// ExperimentList are all experiments, by name.
type ExperimentList struct {
	Experiments []ExperimentLine `json:"experiments" nullable:"false"`
}

// ExperimentLine is one of them in short.
type ExperimentLine struct {
	Name           string  `json:"name"`
	Status         string  `json:"status"`
	Metric         string  `json:"metric"`
	ControlN       int64   `json:"control_n"`
	TreatmentN     int64   `json:"treatment_n"`
	PValue         float64 `json:"p_value" doc:"Always valid."`
	Recommendation string  `json:"recommendation"`
	Decided        bool    `json:"decided"`
}

// ExperimentReport is an experiment in words.
type ExperimentReport struct {
	Name   string            `json:"name"`
	Report string            `json:"report"`
	Charts []ExperimentChart `json:"charts,omitzero" nullable:"false" doc:"One for each treatment, if asked for."`
}

// ExperimentChart is how the difference of a treatment and control went.
type ExperimentChart struct {
	Variant string        `json:"variant"`
	SVG     string        `json:"svg"`
	Points  []chart.Point `json:"points" nullable:"false" doc:"What is drawn."`
}

// ReportArgs name an experiment, and how much is to be told.
type ReportArgs struct {
	ExperimentArgs

	Charts bool `json:"charts,omitzero" query:"charts" doc:"Also draw how the difference went."`
}

// AssignArgs name a unit of an experiment.
type AssignArgs struct {
	Name   string `json:"name" path:"name" example:"topic_affinity_boost"`
	UnitID string `json:"unit_id" query:"unit_id" required:"true" maxLength:"65536" doc:"The raw id of the unit: a session, a person, a task."`
}

func (in *AssignArgs) check() error {
	if err := checkID("name", in.Name); err != nil {
		return err
	}
	return checkID("unit_id", in.UnitID)
}

// Assignment is the arm of a unit.
type Assignment struct {
	Experiment string   `json:"experiment"`
	UnitID     string   `json:"unit_id"`
	Variant    string   `json:"variant" doc:"What the unit gets: control where it is not enrolled."`
	Enrolled   bool     `json:"enrolled" doc:"Whether the unit counts; only then tell of its exposure."`
	Propensity float64  `json:"propensity" doc:"The chance of the variant for units enrolled like this one; 0 when it is not."`
	Config     Document `json:"config" doc:"What the definition gives the variant; null when nothing."`
}

// definition is an experiment as the bucket of settings has it, false when it has none.
func (a *API) definition(ctx context.Context, name string) (d experiments.Definition, known bool, err error) {
	e, err := a.settings.Get(ctx, kv.Key(experiments.KindExperiment, name))
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return d, false, nil
	}
	if err == nil {
		err = json.Unmarshal(e.Value(), &d)
	}
	if err != nil {
		return d, false, unreachable(fmt.Errorf("read the definition of an experiment: %w", events.Unquoted(err)))
	}
	return d, true, nil
}

// result is what came out of an experiment, false while nothing did.
func (a *API) result(ctx context.Context, name string) (c experiments.Context, known bool, err error) {
	e, err := a.contexts.Get(ctx, kv.Key(experiments.KindExperiment, name))
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return c, false, nil
	}
	if err == nil {
		err = json.Unmarshal(e.Value(), &c)
	}
	if err != nil {
		return c, false, unreachable(fmt.Errorf("read the context of an experiment: %w", events.Unquoted(err)))
	}
	return c, true, nil
}

// experiment is what is known of one, and fails when that is nothing.
func (a *API) experiment(ctx context.Context, name string) (d *experiments.Definition, c experiments.Context, err error) {
	is, defined, err := a.definition(ctx, name)
	if err != nil {
		return nil, c, err
	}
	c, known, err := a.result(ctx, name)
	switch {
	case err != nil:
		return nil, c, err
	case !defined && !known:
		return nil, c, a.unheard(ctx, name)
	case !known:
		c = experiments.Empty(is)
	}
	if defined {
		d = &is
		c.Status = is.Status // the context is as of the last outcome
	}
	return d, c, nil
}

// unheard is noExperiment, once for all who ask at one time: it asks every partition.
func (a *API) unheard(ctx context.Context, name string) error {
	_, err := a.registry.rounds.share(ctx, "experiments.heard "+name, func(ctx context.Context) (answer, error) {
		says := a.noExperiment(ctx, name)
		if ctx.Err() != nil { // who asked has gone, and the others ask again
			return answer{}, ctx.Err()
		}
		return answer{}, says
	})
	return err
}

// noExperiment says why nothing is told of an experiment that nobody defined, as far as
// the analyzers say so soon.
func (a *API) noExperiment(ctx context.Context, name string) error {
	const patience = 2 * time.Second
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	parts, err := askModel[experiments.Heard](ctx, a.asker,
		question{Model: experiments.Name, Ask: experiments.AskHeard}, experiments.CourseArgs{Experiment: name})
	var all experiments.Heard
	for _, part := range parts {
		all.Records, all.Named = all.Records+part.Records, all.Named+part.Named
	}
	switch {
	case err != nil, all.Records == 0:
		return problem(NotFound, "there is no such experiment").hint("learnloop experiment list shows those there are")
	case all.Named == 0:
		return problem(NotFound, fmt.Sprintf("nobody defined this experiment: what came in of it (%d) names no variant, and does not count", all.Records)).
			hint("learnloop experiment create defines one; an outcome that names a variant does too")
	}
	return problem(NotFound, "nobody defined this experiment, and there are too many such to tell of it").
		hint("learnloop experiment create defines it, with external set where somebody else assigns")
}

func (a *API) getExperiment(ctx context.Context, in *ExperimentArgs) (*Experiment, error) {
	d, c, err := a.experiment(ctx, in.Name)
	if err != nil {
		return nil, err
	}
	out := &Experiment{Name: in.Name, Status: string(c.Status), Definition: Document("null")}
	if d != nil {
		if out.Definition, err = documented(d.Design); err != nil {
			return nil, err
		}
	}
	out.Result, err = documented(c)
	return out, err
}

// documented is any value as JSON.
func documented(v any) (Document, error) {
	data, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		return nil, fmt.Errorf("encode %T: %w", v, err)
	}
	return data, nil
}

func (a *API) reportExperiment(ctx context.Context, in *ReportArgs) (*ExperimentReport, error) {
	_, c, err := a.experiment(ctx, in.Name)
	if err != nil {
		return nil, err
	}
	out := &ExperimentReport{Name: in.Name, Report: experiments.Report(c)}
	if in.Charts {
		out.Charts, err = a.draw(ctx, in.Name)
	}
	return out, err
}

// draw has the courses of an experiment drawn.
func (a *API) draw(ctx context.Context, name string) ([]ExperimentChart, error) {
	parts, err := askModel[[]experiments.Course](ctx, a.asker,
		question{Model: experiments.Name, Ask: experiments.AskCourse}, experiments.CourseArgs{Experiment: name})
	if err != nil {
		return nil, err
	}
	charts := []ExperimentChart{}
	for _, c := range slices.Concat(parts...) {
		charts = append(charts, ExperimentChart{c.Variant, string(chart.Sequence(c.Title(), c.Points)), c.Points})
	}
	return charts, nil
}

func (a *API) assign(ctx context.Context, in *AssignArgs) (*Assignment, error) {
	d, known, err := a.definition(ctx, in.Name)
	switch {
	case err != nil:
		return nil, err
	case !known:
		return nil, problem(NotFound, "there is no such experiment").hint("learnloop experiment list shows those there are")
	case d.Design.External:
		return nil, problem(Conflict, "somebody else assigns the units of this experiment")
	}
	out := &Assignment{Experiment: in.Name, UnitID: in.UnitID, Variant: events.ControlArm, Config: Document("null")}
	if is := events.Assign(in.Name, &d.Design, in.UnitID); d.Status == experiments.Running && is.Variant != "" {
		out.Variant, out.Enrolled, out.Propensity = is.Variant, true, is.Propensity
	}
	if config := d.Design.Config(out.Variant); len(config) > 0 {
		out.Config = Document(config)
	}
	return out, nil
}

func (a *API) listExperiments(ctx context.Context, _ *NoArgs) (*ExperimentList, error) {
	all, err := a.everyExperiment(ctx)
	if err != nil {
		return nil, err
	}
	out := &ExperimentList{Experiments: []ExperimentLine{}}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		c := all[name]
		out.Experiments = append(out.Experiments, ExperimentLine{
			Name: name, Status: string(c.Status), Metric: c.Metric, ControlN: c.ControlN, TreatmentN: c.TreatmentN,
			PValue: c.PValue, Recommendation: string(c.Recommendation), Decided: c.Decision != nil,
		})
	}
	return out, nil
}

// everyExperiment is what is told of all experiments that are defined or have records, by
// name, from one look at each bucket.
func (a *API) everyExperiment(ctx context.Context) (map[string]experiments.Context, error) {
	all := map[string]experiments.Context{}
	err := a.eachExperiment(ctx, a.contexts.Bucket(), func(data []byte) {
		if c, err := experiments.Read(data); err == nil { // else of another version
			all[c.ID] = c
		}
	})
	if err != nil {
		return nil, err
	}
	return all, a.eachExperiment(ctx, a.settings.Bucket(), func(data []byte) {
		var d experiments.Definition
		if json.Unmarshal(data, &d) != nil {
			return
		}
		c, known := all[d.Name]
		if !known {
			c = experiments.Empty(d)
		}
		c.Status = d.Status // the context is as of the last outcome
		all[d.Name] = c
	})
}

// eachExperiment reads what a bucket has of all experiments.
func (a *API) eachExperiment(ctx context.Context, bucket string, read func([]byte)) error {
	entries, err := bus.LastPerSubject(ctx, a.js, "KV_"+bucket, "$KV."+bucket+"."+experiments.KindExperiment+".>")
	if err != nil {
		return unreachable(fmt.Errorf("list experiments: %w", err))
	}
	for _, e := range entries {
		if len(e.Header["KV-Operation"]) == 0 {
			read(e.Data)
		}
	}
	return nil
}
