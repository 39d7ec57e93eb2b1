package events

import (
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// ExperimentChanged replaces the definition of an experiment, whole.
type ExperimentChanged struct {
	Experiment ID               `json:"experiment" privacy:"id"`
	Change     ExperimentStep   `json:"change" privacy:"enum"`
	Definition ExperimentDesign `json:"definition"`
	Actor      string           `json:"actor,omitzero" privacy:"id"`
	Moment
}

// ExperimentStep is what an operator did with an experiment.
type ExperimentStep string

// The steps in an experiment's life.
const (
	ExperimentCreated  ExperimentStep = "created"
	ExperimentStarted  ExperimentStep = "started"
	ExperimentWidened  ExperimentStep = "widened"
	ExperimentStopped  ExperimentStep = "stopped"
	ExperimentArchived ExperimentStep = "archived"
)

// ExperimentDesign says what is compared, on whom, by which metrics (003, ABTest).
type ExperimentDesign struct {
	Description          string         `json:"description,omitzero" privacy:"text"`
	ControlConfig        jsontext.Value `json:"control_config,omitzero" privacy:"open"`
	TreatmentConfig      jsontext.Value `json:"treatment_config,omitzero" privacy:"open"`
	TreatmentPercentage  float64        `json:"treatment_percentage"`        // 0..100
	ControlPercentage    *float64       `json:"control_percentage,omitzero"` // 0..100; default: what treatments leave
	Treatments           []Treatment    `json:"treatments,omitzero"`         // beside the first
	Ranges               []ArmRange     `json:"ranges,omitzero"`             // which units are whose, in the order of Arms within a step
	StartDate            time.Time      `json:"start_date,omitzero"`
	EndDate              time.Time      `json:"end_date,omitzero"`
	PrimaryMetric        Metric         `json:"primary_metric"`
	SecondaryMetrics     []Metric       `json:"secondary_metrics,omitzero"`
	Guardrails           []Metric       `json:"guardrails,omitzero"`             // treatment must not make them worse
	SmallestUsefulEffect *float64       `json:"smallest_useful_effect,omitzero"` // on the primary metric, in its unit, above 0
	MinSampleSize        int64          `json:"min_sample_size,omitzero"`        // default 100
	ConfidenceLevel      float64        `json:"confidence_level,omitzero"`       // default 0.95
	External             bool           `json:"external,omitzero"`               // somebody else assigns
	IsActive             bool           `json:"is_active,omitzero"`
}

// Metric is what the definition says of a metric; no name is the primary one's.
func (d *ExperimentDesign) Metric(name string) Metric {
	if name == "" || name == d.PrimaryMetric.Name {
		return d.PrimaryMetric
	}
	for _, m := range slices.Concat(d.Guardrails, d.SecondaryMetrics) {
		if m.Name == name {
			return m
		}
	}
	return Metric{Name: name}
}

// Names reports whether the definition measures a metric.
func (d *ExperimentDesign) Names(metric string) bool {
	is := func(m Metric) bool { return m.Name == metric }
	return is(d.PrimaryMetric) || slices.ContainsFunc(d.SecondaryMetrics, is) || slices.ContainsFunc(d.Guardrails, is)
}

// Treatment is one more treatment that is compared with the same control.
type Treatment struct {
	Name       string         `json:"name" privacy:"id"` // "treatment_b"
	Percentage float64        `json:"percentage"`        // 0..100
	Config     jsontext.Value `json:"config,omitzero" privacy:"open"`
}

// ArmRange is a part [From, To) of the buckets, in millionths, that belongs to an arm
// since a step: 0 is the start, every widening another one.
type ArmRange struct {
	Variant string `json:"variant" privacy:"id"`
	From    int64  `json:"from"`
	To      int64  `json:"to"`
	Step    int64  `json:"step,omitzero"`
}

// Metric is what an experiment measures, and which way is better.
type Metric struct {
	Name      string    `json:"name" privacy:"id"`
	Direction Direction `json:"direction,omitzero" privacy:"enum"` // default: higher is better
	Min       *float64  `json:"min,omitzero"`                      // least value there can be
	Max       *float64  `json:"max,omitzero"`                      // greatest
}

// Holds reports whether a value of the metric can be.
func (m Metric) Holds(value float64) bool {
	return (m.Min == nil || value >= *m.Min) && (m.Max == nil || value <= *m.Max)
}

// Direction says which values of a metric are better.
type Direction string

// The directions of a metric.
const (
	HigherIsBetter Direction = "higher_is_better"
	LowerIsBetter  Direction = "lower_is_better"
)

// Identity is the envelope's source and id.
func (*ExperimentChanged) Identity() []string { return nil }

// Parts addresses every partition.
func (c *ExperimentChanged) Parts() []Part { return everywhere(ControlExperimentChanged.Kind, c) }

// Person is nobody.
func (*ExperimentChanged) Person() string { return "" }

// ExperimentDecided is the verdict about an experiment; it sticks.
type ExperimentDecided struct {
	Experiment     ID             `json:"experiment" privacy:"id"`
	Metric         string         `json:"metric" privacy:"id"`
	Recommendation Recommendation `json:"recommendation" privacy:"enum"`
	PValue         float64        `json:"p_value"`              // always-valid
	EffectSize     *float64       `json:"effect_size,omitzero"` // relative; nil when the control mean is 0
	ControlN       int64          `json:"control_n"`
	TreatmentN     int64          `json:"treatment_n"`
	Variant        string         `json:"variant,omitzero" privacy:"id"` // the treatment it is about; default: the only one
	ControlMean    *float64       `json:"control_mean,omitzero"`
	TreatmentMean  *float64       `json:"treatment_mean,omitzero"`
	Reason         string         `json:"reason,omitzero" privacy:"text"`
	Moment
}

// Recommendation is what an experiment advises.
type Recommendation string

// The recommendations of source document 003.
const (
	AdoptTreatment Recommendation = "adopt_treatment"
	KeepControl    Recommendation = "keep_control"
	ContinueTest   Recommendation = "continue_test"
)

// Identity is the experiment and the metric: one verdict for each.
func (d *ExperimentDecided) Identity() []string { return []string{string(d.Experiment), d.Metric} }

// Parts addresses every partition.
func (d *ExperimentDecided) Parts() []Part { return everywhere(ControlExperimentDecided.Kind, d) }

// Person is nobody.
func (*ExperimentDecided) Person() string { return "" }

// ExperimentExpired is the retention boundary of one experiment: its exposures and
// outcomes stored before it are taken out, and older ones have no effect for ever. It is
// a kind of its own, because who does not know whose records go must not take out all.
type ExperimentExpired struct {
	Experiment ID        `json:"experiment" privacy:"id"`
	Before     time.Time `json:"before"`
	Moment
}

// Identity is the envelope's source and id.
func (*ExperimentExpired) Identity() []string { return nil }

// Parts addresses every partition.
func (x *ExperimentExpired) Parts() []Part { return everywhere(ControlExperimentExpired.Kind, x) }

// Person is nobody.
func (*ExperimentExpired) Person() string { return "" }
