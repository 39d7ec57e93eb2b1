package conversations

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"
)

const trialRows = "t/" // trial, by exchange

// trial says that the score of an exchange is for an experiment.
type trial struct {
	Exchange   string  `json:"exchange"`
	Experiment string  `json:"experiment"`
	Metric     string  `json:"metric"`
	Unit       string  `json:"unit"`
	Variant    string  `json:"variant,omitzero"`
	Propensity float64 `json:"propensity,omitzero"`
	Step       int64   `json:"step,omitzero"`
	Outcome    string  `json:"outcome"` // its record
	Partition  int64   `json:"partition,omitzero"`

	// Of the exchange: what the outcome follows from.
	Record string `json:"record"`
	Person string `json:"person,omitzero"`
	At     int64  `json:"at"`     // Unix microseconds of event time
	Stored int64  `json:"stored"` // likewise, by ingest
}

// enlist keeps for which experiments an exchange is scored, or takes that back.
func enlist(rows learn.Rows, f *events.Fact[events.Exchange], by int64) {
	if f.Data.Features == nil {
		return
	}
	for _, t := range f.Data.Features.Trials {
		row := learn.At[trial](rows, userKey(f.Key), trialRows+rowOf(f.Data.ExchangeID, &f.Head)+"/"+t.Record)
		*row = trial{}
		if by > 0 {
			*row = trialOf(f, t)
		}
	}
}

func trialOf(f *events.Fact[events.Exchange], t events.Trial) trial {
	return trial{
		Exchange: string(f.Data.ExchangeID), Experiment: string(t.Experiment), Metric: t.Metric, Unit: string(t.UnitID),
		Variant: t.Assigned.Variant, Propensity: t.Assigned.Propensity, Step: t.Assigned.Step,
		Outcome: t.Record, Partition: int64(t.Partition),
		Record: f.Record, Person: f.Person, At: f.Time.UnixMicro(), Stored: f.Recorded.UnixMicro(),
	}
}

// unit is what a unit of an experiment comes to: its exchanges together are one outcome.
type unit struct {
	first trial // of its scored exchanges
	n     int
	sum   float64
}

// conclude tells experiments how the answers to a person were, unit by unit.
func conclude(rows learn.Rows, key learn.Key) (list []learn.Conclusion) {
	units := unitsOf(rows, key.ID)
	for _, outcome := range slices.Sorted(maps.Keys(units)) {
		list = append(list, units[outcome].concluded())
	}
	return list
}

// unitsOf are the units that have a score, by the record of their outcomes. For most
// people there is no experiment, and nothing is worked out.
func unitsOf(rows learn.Rows, name string) map[string]*unit {
	var all map[string]*exchange
	units := map[string]*unit{}
	for _, t := range learn.Scan[trial](rows, userKey(name), trialRows) {
		if all == nil {
			all = evidenceOf(rows, name).byID()
		}
		x := all[t.Exchange]
		if x == nil {
			continue
		}
		if value := x.metric(t.Metric); value != nil {
			if units[t.Outcome] == nil {
				units[t.Outcome] = &unit{first: t}
			}
			units[t.Outcome].take(t, *value)
		}
	}
	return units
}

func (all evidence) byID() map[string]*exchange {
	by := make(map[string]*exchange, len(all))
	for _, x := range all {
		by[x.ID] = x
	}
	return by
}

// metric is a score of an answer, nil while there is none.
func (x *exchange) metric(name string) *float64 {
	switch {
	case x.Off.Scoring:
		return nil
	case name == events.QualityMetric:
		return x.score.Overall
	case name == events.EngagementMetric:
		return x.score.Engagement
	}
	return nil
}

func (u *unit) take(t trial, value float64) {
	u.n, u.sum = u.n+1, u.sum+value
	if cmp.Or(cmp.Compare(t.At, u.first.At), strings.Compare(t.Record, u.first.Record)) < 0 {
		u.first = t
	}
}

// concluded is the mean as the unit's one outcome, as old as the first exchange of it: so
// it keeps its place in the test when it changes.
func (u *unit) concluded() learn.Conclusion {
	t := u.first
	m := &events.Measurement{
		Experiment: events.ID(t.Experiment), UnitID: events.ID(t.Unit), Metric: t.Metric, Value: u.sum / float64(u.n),
		Assigned: &events.Assigned{Variant: t.Variant, Propensity: t.Propensity, Step: t.Step},
	}
	return learn.Conclusion{
		Record: t.Outcome, Partition: int(t.Partition), Part: m.Parts()[0],
		Cause: events.Head{
			Record: t.Record, Person: t.Person, Time: time.UnixMicro(t.At).UTC(), Recorded: time.UnixMicro(t.Stored).UTC(),
		},
	}
}
