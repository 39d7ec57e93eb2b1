package experiments

import (
	"learnloop.dev/chart"
	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/stats"
)

// AskCourse asks how the difference of an experiment went: CourseArgs → []Course, of the
// partition that has its records.
const AskCourse = "course"

// CourseArgs name an experiment.
type CourseArgs struct {
	Experiment string `json:"experiment"`
}

// Course is the difference of a treatment and control in the primary metric, as it stood
// after some of the outcomes.
type Course struct {
	Metric  string        `json:"metric"`
	Variant string        `json:"variant"`
	Points  []chart.Point `json:"points"`
}

// stations is how many points a course has at most.
const stations = 60

func answerCourse(q learn.Question) (any, error) {
	args, err := learn.ReadArgs[CourseArgs](q, "which experiment is meant")
	if err != nil {
		return nil, err
	}
	courses := []Course{}
	if records(q.Rows, args.Experiment) == 0 {
		return courses, nil
	}
	s := open(q.Rows, args.Experiment)
	s.gather(q.Rows, Key(args.Experiment))
	in := Insight{Status: s.status}
	if e := s.last(); e != nil {
		in.Design = &e.design
	}
	pairs := s.pairs()
	w := watch{every: max(1, len(s.outcomes)/stations)}
	for _, p := range pairs {
		in.Pairs = append(in.Pairs, *p)
	}
	w.terms = in.terms()
	w.terms.design.PrimaryMetric.Name = s.primary(w.terms)
	for _, p := range pairs {
		w.courses = append(w.courses, Course{Metric: w.terms.design.PrimaryMetric.Name, Variant: p.Treatment, Points: []chart.Point{}})
	}
	s.watch = &w
	s.compare(pairs, &in)
	for i, p := range pairs {
		w.look(i, p)
	}
	return w.courses, nil
}

// primary is the metric that decides: where nobody declared one, that of the context.
func (s *study) primary(t terms) string {
	if s.status != Undeclared {
		return t.design.PrimaryMetric.Name
	}
	in := Insight{Pairs: []Pair{{Metrics: map[string]*stats.Evidence{}}}}
	for _, m := range s.outcomes {
		name := m.Metric
		if name == "" {
			name = DefaultMetric
		}
		in.Pairs[0].Metrics[name] = nil
	}
	return in.primary()
}

// watch notes how a comparison goes.
type watch struct {
	terms   terms
	every   int // outcomes of a pair
	courses []Course
	seen    map[int]int
}

// saw counts an outcome of the primary metric.
func (w *watch) saw(i int, p *Pair, metric string) {
	if w == nil || metric != w.courses[i].Metric {
		return
	}
	if w.seen == nil {
		w.seen = map[int]int{}
	}
	if w.seen[i]++; w.seen[i]%w.every == 0 {
		w.look(i, p)
	}
}

// look notes where a pair stands, once something bounds the difference.
func (w *watch) look(i int, p *Pair) {
	e := p.of(w.courses[i].Metric)
	in, out := e.Values.Treatment, e.Values.Control
	c := &w.courses[i]
	if n := in.N + out.N; len(c.Points) == 0 || c.Points[len(c.Points)-1].N < n {
		if around, known := e.Difference(w.terms.confidence); known {
			c.Points = append(c.Points, chart.Point{N: n, Value: in.Mean - out.Mean, Lower: around.Lower, Upper: around.Upper})
		}
	}
}

// Title says what a course is of.
func (c Course) Title() string {
	return c.Metric + ": " + c.Variant + " minus " + events.ControlArm
}
