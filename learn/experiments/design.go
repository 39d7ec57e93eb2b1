package experiments

import (
	"cmp"
	"slices"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/inorder"
	"learnloop.dev/learn"

	"github.com/go-json-experiment/json"
)

// Status is where an experiment stands in its life.
type Status string

// The statuses. Undeclared is one that only its outcomes tell of: somebody else assigns.
const (
	Undeclared Status = "undeclared"
	Draft      Status = "draft"
	Running    Status = "running"
	Stopped    Status = "stopped"
	Archived   Status = "archived"
)

// What a definition leaves out.
const (
	DefaultMetric     = "outcome_score" // of undeclared experiments (003, ab_tests)
	defaultSample     = 100
	defaultConfidence = 0.95
)

// The rows of what every partition hears of an experiment.
const (
	versionRows = "version/" // version, by record
	verdictRows = "verdict/" // verdict, by record
)

// version is a definition, in force from a time on.
type version struct {
	At     moment                `json:"at"`
	Change events.ExperimentStep `json:"change"`
	Design string                `json:"design"` // JSON
}

// verdict is a decision that was made.
type verdict struct {
	At      moment `json:"at"`
	Decided string `json:"decided"` // JSON
}

func define(rows learn.Rows, f *events.Fact[events.ExperimentChanged]) {
	data, err := json.Marshal(f.Data.Definition, json.Deterministic(true))
	if err != nil {
		return // of what was read as JSON: never
	}
	name := string(f.Data.Experiment)
	makesRoom := learn.Peek[heard](rows, allKey(), name).Named > 0 && !declared(rows, name)
	*learn.At[version](rows, designKey(name), versionRows+f.Record) = version{momentOf(f.Time), f.Data.Change, string(data)}
	if makesRoom {
		shift(rows)
	}
	tell(rows, name)
}

func decide(rows learn.Rows, f *events.Fact[events.ExperimentDecided]) {
	data, err := json.Marshal(f.Data, json.Deterministic(true))
	if err != nil {
		return // of what was read as JSON: never
	}
	name := string(f.Data.Experiment)
	*learn.At[verdict](rows, designKey(name), verdictRows+f.Record) = verdict{momentOf(f.Time), string(data)}
	tell(rows, name)
}

// tell has what is known of an experiment published anew, where there is anything.
func tell(rows learn.Rows, name string) {
	if records(rows, name) > 0 {
		learn.Touch(rows, Key(name))
	}
}

// edition is a version that was read.
type edition struct {
	at     moment
	change events.ExperimentStep
	design events.ExperimentDesign
}

// history are the versions of a definition, by time.
type history []edition

func versionsOf(rows learn.Rows, name string) (h history) {
	for _, v := range learn.Scan[version](rows, designKey(name), versionRows) {
		e := edition{at: v.At, change: v.Change}
		if json.Unmarshal([]byte(v.Design), &e.design) == nil {
			h = append(h, e)
		}
	}
	inorder.Sort(h, func(a, b edition) int { return cmp.Compare(a.at, b.at) })
	return h
}

// last is the definition that is in force, nil for an undeclared experiment.
func (h history) last() *edition {
	if len(h) == 0 {
		return nil
	}
	return &h[len(h)-1]
}

// at is the definition that is in force at a time, nil before the first.
func (h history) at(m moment) *edition {
	i, _ := slices.BinarySearchFunc(h, m+1, func(e edition, m moment) int { return cmp.Compare(e.at, m) })
	if i == 0 {
		return nil
	}
	return &h[i-1]
}

// first is the first definition that was active, else the first.
func (h history) first() *edition {
	return &h[max(slices.IndexFunc(h, func(e edition) bool { return e.design.IsActive }), 0)]
}

// end is when an experiment is over at the latest, false when nobody says.
func (h history) end() (moment, bool) {
	if e := h.last(); e != nil && !e.design.EndDate.IsZero() {
		return momentOf(e.design.EndDate), true
	}
	return 0, false
}

// over is when an experiment came to its end, or will by its definition, false when nobody says.
func (h history) over() (moment, bool) {
	first := len(h)
	for first > 0 && (h[first-1].change == events.ExperimentStopped || h[first-1].change == events.ExperimentArchived) {
		first--
	}
	end, dated := h.end()
	if first == len(h) {
		return end, dated
	}
	if stopped := h[first].at; !dated || stopped < end {
		return stopped, true
	}
	return end, true
}

func (h history) status() Status {
	e := h.last()
	switch {
	case e == nil:
		return Undeclared
	case e.change == events.ExperimentArchived:
		return Archived
	case e.change == events.ExperimentStopped:
		return Stopped
	case e.design.IsActive:
		return Running
	}
	return Draft
}

// Declared is what an experiment is compared by: its definition with nothing left out.
func Declared(d events.ExperimentDesign) events.ExperimentDesign {
	if d.PrimaryMetric.Name == "" {
		d.PrimaryMetric.Name = DefaultMetric
	}
	d.MinSampleSize = cmp.Or(d.MinSampleSize, defaultSample)
	if !(d.ConfidenceLevel > 0 && d.ConfidenceLevel < 1) {
		d.ConfidenceLevel = defaultConfidence
	}
	return d
}

// inForce is the definition that is in force at a time: what others assigned may be older
// than its definition. Nil before the first of what we assign.
func (h history) inForce(m moment) *edition {
	e := h.at(m)
	if last := h.last(); e == nil && last != nil && last.design.External {
		return h.first()
	}
	return e
}

// covers is why an outcome or exposure at a time does not count, empty when it does.
func (h history) covers(at moment) Exclusion {
	e := h.inForce(at)
	switch {
	case e == nil && len(h) > 0:
		return Early
	case e == nil:
		return Counted
	case e.change == events.ExperimentStopped || e.change == events.ExperimentArchived:
		return AfterStop
	case !e.design.IsActive, before(at, e.design.StartDate):
		return Early
	case !e.design.EndDate.IsZero() && at >= momentOf(e.design.EndDate):
		return Late
	}
	return Counted
}

func before(at moment, start time.Time) bool { return !start.IsZero() && at < momentOf(start) }
