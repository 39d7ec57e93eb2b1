// Package experiments decides between arms: it hears who was exposed to what and what
// came of it, and says when the difference is beyond doubt, however often one looks.
//
// Nothing is summed up as it comes: a sequential test hangs on the order of outcomes,
// and so its state is made of the records that count, in the order of event time,
// whenever it is asked for. What comes late, twice, or is taken back needs no care.
package experiments

import (
	"learnloop.dev/events"
	"learnloop.dev/learn"
)

// Name is the model's name, in subjects and in questions to it.
const Name = "experiments"

// The kinds of keys: an experiment, and what nobody is told of: its definitions and
// verdicts, which every partition hears, all experiments of the partition, and the time.
const (
	KindExperiment = "experiment"
	kindDesign     = "design"
	kindAll        = "experiments"
	kindClock      = "clock"
)

// Model learns from exposures and outcomes.
func Model() learn.Model {
	return learn.Define(learn.Spec[Insight]{
		Name:    Name,
		Version: 2,
		Group:   events.ByExperiment,
		Kinds:   []string{KindExperiment},
		Folds: []learn.Fold{
			learn.Sum(events.ExperimentExposed, expose),
			learn.Sum(events.ExperimentOutcome, measure),
			learn.On(events.ControlExperimentChanged, define, nil),
			learn.On(events.ControlExperimentDecided, decide, nil),
			learn.On(events.ControlTick, tick, nil),
		},
		Know:    know,
		Render:  render,
		Trace:   trace,
		Answers: answers(),
	})
}

// Key is where an experiment stands among the contexts.
func Key(name string) learn.Key { return learn.Key{Kind: KindExperiment, ID: name} }

func designKey(name string) learn.Key { return learn.Key{Kind: kindDesign, ID: name} }

func allKey() learn.Key { return learn.Key{Kind: kindAll} }

func clockKey() learn.Key { return learn.Key{Kind: kindClock} }

// The rows of an experiment, by time and record.
const (
	exposureRows = "exposure/" // placed
	outcomeRows  = "outcome/"  // measured
)

// placed is what a record says of a unit's arm.
type placed struct {
	Unit     string `json:"unit"`
	Variant  string `json:"variant,omitzero"` // as the producer says
	Derived  bool   `json:"derived,omitzero"` // from the raw unit, to what follows
	Assigned string `json:"assigned,omitzero"`
	Step     int64  `json:"step,omitzero"`
	At       moment `json:"at"`
}

// measured is one outcome.
type measured struct {
	placed
	Metric string  `json:"metric,omitzero"`
	Value  float64 `json:"value,omitzero"`
}

func placedOf(f *events.Head, unit events.ID, variant string, derived *events.Assigned) placed {
	p := placed{Unit: string(unit), Variant: variant, At: momentOf(f.Time)}
	if derived != nil {
		p.Derived, p.Assigned, p.Step = true, derived.Variant, derived.Step
	}
	return p
}

func expose(rows learn.Rows, f *events.Fact[events.Exposure], weight int64) {
	row := learn.At[placed](rows, Key(string(f.Data.Experiment)), exposureRows+momentOf(f.Time).order()+"/"+f.Record)
	*row = placed{}
	if weight > 0 {
		*row = placedOf(&f.Head, f.Data.UnitID, f.Data.Variant, f.Data.Assigned)
	}
	count(rows, f.Data.Experiment, f.Data.Variant != "", weight)
}

func measure(rows learn.Rows, f *events.Fact[events.Measurement], weight int64) {
	row := learn.At[measured](rows, Key(string(f.Data.Experiment)), outcomeRows+momentOf(f.Time).order()+"/"+f.Record)
	*row = measured{}
	if weight > 0 {
		*row = measured{placedOf(&f.Head, f.Data.UnitID, f.Data.Variant, f.Data.Assigned), f.Data.Metric, f.Data.Value}
	}
	count(rows, f.Data.Experiment, f.Data.Variant != "", weight)
}

// latestTick is the time of the last tick heard.
const latestTick = "tick"

// tick lets time pass: an experiment may have come to its end.
func tick(rows learn.Rows, f *events.Fact[events.Tick]) {
	now := learn.At[instant](rows, clockKey(), latestTick)
	at := momentOf(f.Time)
	if now.Is && at <= now.At {
		return
	}
	before := *now
	*now = instant{at, true}
	for name := range learn.Scan[heard](rows, allKey(), "") {
		if end, ends := versionsOf(rows, name).end(); ends && end <= at && (!before.Is || end > before.At) {
			learn.Touch(rows, Key(name))
		}
	}
}

// trace names the lines of an experiment's context that a record stands behind.
func trace(_ learn.Rows, _ learn.Key, r events.Recorded) []string {
	switch p := r.Payload().(type) {
	case *events.Exposure:
		return []string{"sample_ratio", "evidence"}
	case *events.Measurement:
		lines := []string{"recommendation", "p_value", "evidence"}
		if p.Metric != "" {
			lines = append(lines, "metrics/"+p.Metric)
		}
		return lines
	}
	return nil
}

// longestName is how much of a name a prompt quotes, in runes.
const longestName = 60

// quoted shows the name of an experiment or arm within a prompt as data: whoever reports
// an outcome may have made it up.
func quoted(name string) string { return learn.Quoted(name, longestName) }
