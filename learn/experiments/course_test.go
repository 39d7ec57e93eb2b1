package experiments_test

import (
	"fmt"
	"slices"
	"testing"

	"learnloop.dev/chart"
	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/learn/experiments"
	"learnloop.dev/learn/learntest"

	"github.com/go-json-experiment/json/jsontext"
)

// measuredLoop heard an experiment that somebody else assigns, outcome by outcome.
func measuredLoop(tb testing.TB, outcomes int) *learntest.Loop {
	tb.Helper()
	l := &learntest.Loop{Models: []learn.Model{experiments.Model()}}
	for i := range outcomes {
		o := events.Measurement{Experiment: "x", UnitID: events.ID(fmt.Sprint("u", i)), Value: float64(i * 7 % 3 % 2)}
		o.Variant = [2]string{"control", "treatment"}[i%2]
		if err := l.Hear(event(events.ExperimentOutcome.Kind, fmt.Sprint(i), i, o)); err != nil {
			tb.Fatal(err)
		}
	}
	l.Refresh()
	return l
}

func TestACourseEndsWhereTheContextStands(t *testing.T) {
	l := measuredLoop(t, 1000)
	parts, err := learntest.Ask[[]experiments.Course](l, experiments.Model(), experiments.AskCourse, experiments.CourseArgs{Experiment: "x"})
	if err != nil {
		t.Fatal(err)
	}
	courses := slices.Concat(parts...)
	if len(courses) != 1 || courses[0].Title() != "outcome_score: treatment minus control" {
		t.Fatalf("%+v", courses)
	}
	points := courses[0].Points
	if n := len(points); n < 30 || n > 70 || points[n-1].N != 1000 || !slices.IsSortedFunc(points, func(a, b chart.Point) int { return int(a.N - b.N) }) {
		t.Fatalf("%d points, the last %+v", n, points[n-1])
	}
	in, known := experiments.Model().Know(l.Open()[0].Table, experiments.Key("x"))
	if !known {
		t.Fatal("nothing is known")
	}
	data, err := experiments.Model().Render(experiments.Key("x"), []jsontext.Value{in})
	if err != nil {
		t.Fatal(err)
	}
	c, err := experiments.Read(data)
	last := points[len(points)-1]
	const five = "%.5f %.5f %.5f"
	around := c.ConfidenceInterval
	if err != nil || fmt.Sprintf(five, *c.Difference, around.Lower, around.Upper) != fmt.Sprintf(five, last.Value, last.Lower, last.Upper) {
		t.Errorf("the context has %v in %+v, the course ends at %+v: %v", *c.Difference, c.ConfidenceInterval, last, err)
	}
}

// A report of ten thousand outcomes: what is known, its words and its chart (003: two seconds).
func BenchmarkReportOfTenThousandOutcomes(b *testing.B) {
	l, m := measuredLoop(b, 10_000), experiments.Model()
	p := l.Open()[0]
	for b.Loop() {
		in, _ := m.Know(p.Table, experiments.Key("x"))
		data, err := m.Render(experiments.Key("x"), []jsontext.Value{in})
		if err != nil {
			b.Fatal(err)
		}
		c, err := experiments.Read(data)
		if err != nil {
			b.Fatal(err)
		}
		experiments.Report(c)
		courses, err := m.Answers[experiments.AskCourse](learn.Question{Rows: m.Open(p.Table), Records: p, Args: jsontext.Value(`{"experiment":"x"}`)})
		if err != nil {
			b.Fatal(err)
		}
		for _, c := range courses.([]experiments.Course) {
			chart.Sequence(c.Title(), c.Points)
		}
	}
}
