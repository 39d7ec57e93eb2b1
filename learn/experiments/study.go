package experiments

import (
	"cmp"
	"slices"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/stats"

	"github.com/go-json-experiment/json"
)

// Insight is what is known about one experiment.
type Insight struct {
	Design   *events.ExperimentDesign  `json:"design,omitzero"` // nil: nobody declared it
	Status   Status                    `json:"status"`
	Over     bool                      `json:"over,omitzero"`  // the end date is reached
	Pairs    []Pair                    `json:"pairs,omitzero"` // by treatment
	Excluded map[Exclusion]int64       `json:"excluded,omitzero"`
	Exposed  map[string]int64          `json:"exposed,omitzero"` // units by arm
	Decided  *events.ExperimentDecided `json:"decided,omitzero"`
	Records  int64                     `json:"records"`
	First    *moment                   `json:"first,omitzero"` // of the outcomes that count
	Last     *moment                   `json:"last,omitzero"`
}

// Pair is one treatment and the control it is compared with.
type Pair struct {
	Treatment string                     `json:"treatment"`
	Metrics   map[string]*stats.Evidence `json:"metrics"`
	Ratio     stats.RatioEvidence        `json:"ratio"`
}

// of is the evidence on a metric, of nothing where there is none.
func (p *Pair) of(metric string) stats.Evidence {
	if e := p.Metrics[metric]; e != nil {
		return *e
	}
	return stats.Evidence{}
}

// study makes an insight of the records of an experiment.
type study struct {
	history
	design   events.ExperimentDesign // with nothing left out
	layout   []events.ArmRange
	status   Status
	arms     map[string]met // by unit
	excluded map[Exclusion]int64

	exposures []placed   // by time
	outcomes  []measured // likewise
	metrics   map[string]events.Metric
	chances   map[arrival]float64
	watch     *watch // nil: nobody looks how it goes
}

// met is how a unit was met.
type met struct {
	arm   string // empty: it was seen in two
	since moment
}

// arrival is what the chance of a unit hangs on.
type arrival struct {
	treatment string
	step      int64
	edition   *edition // when the unit was met, where somebody else assigns
}

// know looks through all records of an experiment, false when there are none.
func know(rows learn.Rows, key learn.Key) (Insight, bool) {
	if key.Kind != KindExperiment || !told(rows, key.ID) {
		return Insight{}, false
	}
	s := open(rows, key.ID)
	s.gather(rows, key)
	in := Insight{Status: s.status, Records: records(rows, key.ID), Decided: decided(rows, key.ID)}
	if e := s.last(); e != nil {
		in.Design = &e.design
	}
	pairs := s.pairs()
	s.compare(pairs, &in)
	s.expose(pairs, &in)
	for _, p := range pairs {
		in.Pairs = append(in.Pairs, *p)
	}
	in.Over, in.Excluded = s.over(rows, in.Last), s.excluded
	return in, true
}

func open(rows learn.Rows, name string) *study {
	s := &study{
		history: versionsOf(rows, name), arms: make(map[string]met, records(rows, name)), excluded: map[Exclusion]int64{},
		metrics: map[string]events.Metric{}, chances: map[arrival]float64{},
	}
	s.status = s.history.status()
	if e := s.last(); e != nil {
		s.design = e.design
		s.layout = e.design.Layout()
	}
	s.design = Declared(s.design)
	return s
}

// gather reads the records, and finds out which arm each unit is in.
func (s *study) gather(rows learn.Rows, key learn.Key) {
	for _, p := range learn.Scan[placed](rows, key, exposureRows) {
		s.exposures = append(s.exposures, p)
		s.place(p)
	}
	for _, m := range learn.Scan[measured](rows, key, outcomeRows) {
		s.outcomes = append(s.outcomes, m)
		s.place(m.placed)
	}
}

func (s *study) place(p placed) {
	arm, why := s.armOf(p)
	if why != Counted {
		return
	}
	was, seen := s.arms[p.Unit]
	switch {
	case !seen:
		was = met{arm, p.At}
	case was.arm != arm:
		was.arm = ""
	}
	was.since = min(was.since, p.At)
	s.arms[p.Unit] = was
}

// pairs are the treatments, each with its control: those of the definition, or those
// that were seen.
func (s *study) pairs() (pairs []*Pair) {
	arms := s.design.Arms()
	if s.status == Undeclared {
		arms = nil
		for _, m := range s.arms {
			arms = append(arms, m.arm)
		}
		slices.Sort(arms)
	}
	for _, arm := range slices.Compact(arms) {
		if arm != events.ControlArm && arm != "" {
			pairs = append(pairs, &Pair{Treatment: arm, Metrics: map[string]*stats.Evidence{}})
		}
	}
	return pairs
}

// compare takes in the outcomes that count, in the order of their times.
func (s *study) compare(pairs []*Pair, in *Insight) {
	type once struct{ unit, metric string }
	seen := make(map[once]bool, len(s.outcomes))
	for _, m := range s.outcomes {
		arm, why := s.armOf(m.placed)
		metric := cmp.Or(m.Metric, s.design.PrimaryMetric.Name)
		switch {
		case why != Counted:
		case s.arms[m.Unit].arm == "":
			why = BothArms
		case seen[once{m.Unit, metric}]:
			why = Repeated
		case !s.metric(metric).Holds(m.Value):
			why = OutOfRange
		}
		if why != Counted {
			s.excluded[why]++
			continue
		}
		seen[once{m.Unit, metric}] = true
		if in.First == nil {
			in.First = &m.At
		}
		in.Last = &m.At
		s.observe(pairs, arm, metric, m)
	}
}

// observe takes an outcome in where its arm is compared.
func (s *study) observe(pairs []*Pair, arm, metric string, m measured) {
	for i, p := range pairs {
		if arm == p.Treatment || arm == events.ControlArm {
			e := p.Metrics[metric]
			if e == nil {
				e = &stats.Evidence{}
				p.Metrics[metric] = e
			}
			if !e.Planned() {
				e.Level = s.level(m.At)
			}
			e.Observe(arm == p.Treatment, m.Value, s.chance(p.Treatment, m.placed))
			s.watch.saw(i, p, metric)
		}
	}
}

// level is what p-values have to be below, by the definition that is in force: its treatments
// share the error. What a test was planned for stays, whatever is defined later.
func (s *study) level(at moment) float64 {
	d, treatments := s.design, 1
	if e := s.inForce(at); e != nil {
		d, treatments = Declared(e.design), 1+len(e.design.Treatments)
	}
	return (1 - d.ConfidenceLevel) / float64(treatments)
}

// metric is what the definition says of one.
func (s *study) metric(name string) events.Metric {
	m, known := s.metrics[name]
	if !known {
		m = s.design.Metric(name)
		s.metrics[name] = m
	}
	return m
}

// expose counts the units of each arm as they were met first: by exposures, or where
// nobody tells of those, by outcomes.
func (s *study) expose(pairs []*Pair, in *Insight) {
	in.Exposed = map[string]int64{}
	met := make(map[string]bool, len(s.arms))
	take := func(p placed, exclude bool) {
		arm, why := s.armOf(p)
		if why == Counted && s.arms[p.Unit].arm == "" {
			why = BothArms
		}
		if why != Counted {
			if exclude && (why != Unknown || len(pairs) > 0) { // who was shown what nobody knows says nothing
				s.excluded[why]++
			}
			return
		}
		if met[p.Unit] {
			return
		}
		met[p.Unit] = true
		in.Exposed[arm]++
		for _, pair := range pairs {
			if arm == pair.Treatment || arm == events.ControlArm {
				pair.Ratio.Observe(arm == pair.Treatment, s.chance(pair.Treatment, p))
			}
		}
	}
	for _, p := range s.exposures {
		take(p, true)
	}
	if len(met) > 0 {
		return
	}
	for _, m := range s.outcomes {
		take(m.placed, false)
	}
}

// over reports whether the end date is reached: by the clock, or by an event.
func (s *study) over(rows learn.Rows, last *moment) bool {
	end, ends := s.end()
	if !ends {
		return false
	}
	now := learn.Peek[instant](rows, clockKey(), latestTick)
	return now.Is && now.At >= end || last != nil && *last >= end || s.excluded[Late] > 0
}

// decided is the verdict that was given first, nil while there is none.
func decided(rows learn.Rows, name string) *events.ExperimentDecided {
	var first *verdict
	for _, v := range learn.Scan[verdict](rows, designKey(name), verdictRows) {
		if first == nil || v.At < first.At {
			first = &v
		}
	}
	if first == nil {
		return nil
	}
	d := new(events.ExperimentDecided)
	if json.Unmarshal([]byte(first.Decided), d) != nil {
		return nil
	}
	if d.Timestamp.IsZero() {
		d.Timestamp = first.At.time()
	}
	return d
}
