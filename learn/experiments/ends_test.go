package experiments_test

import (
	"iter"
	"maps"
	"testing"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/learn/experiments"
	"learnloop.dev/learn/learntest"
)

// end asks when the experiment was over.
func (tr *trial) end() (experiments.End, bool) {
	tr.Helper()
	tr.Refresh()
	parts, err := learntest.Ask[map[events.ID]experiments.End](tr.Loop, experiments.Model(), experiments.AskEnds, nil)
	if err != nil {
		tr.Fatal(err)
	}
	all := map[events.ID]experiments.End{}
	for _, part := range parts {
		maps.Copy(all, part)
	}
	end, over := all["boost"]
	return end, over
}

func TestAnExperimentIsOverWhenItWasStoppedOrAtItsEndDate(t *testing.T) {
	tr, d := begin(t), boost()
	d.EndDate = time.Time{}
	tr.define(0, events.ExperimentStarted, d)
	tr.run(&d, span{1, 20}, .4, .7)
	if end, over := tr.end(); over {
		t.Errorf("while it runs: %+v", end)
	}
	d.EndDate = at(300)
	tr.define(30, events.ExperimentWidened, d)
	if end, over := tr.end(); !over || !end.Over.Equal(at(300)) || !end.Stored.Equal(at(1)) {
		t.Errorf("with an end date: %+v", end)
	}
	tr.define(40, events.ExperimentStopped, d)
	tr.define(50, events.ExperimentArchived, d)
	end, over := tr.end()
	if !over || !end.Over.Equal(at(40)) {
		t.Errorf("when it was stopped: %+v", end)
	}
	if end.Before(at(40)) || !end.Before(at(41)) {
		t.Error("it is over before it was stopped, or never")
	}
}

func TestAnExperimentThatNobodyDeclaredIsOverWithItsLastRecord(t *testing.T) {
	tr, d := begin(t), boost()
	tr.run(&d, span{1, 20}, .4, .7)
	if end, over := tr.end(); !over || !end.Over.Equal(at(19)) || !end.Stored.Equal(at(1)) {
		t.Errorf("%+v", end)
	}
}

func TestAnExperimentIsNotOverBeforeItsLateOutcomesAreStored(t *testing.T) {
	tr, d := begin(t), boost()
	d.EndDate = time.Time{}
	tr.define(0, events.ExperimentStarted, d)
	tr.run(&d, span{1, 20}, .4, .7)
	tr.define(30, events.ExperimentStopped, d)
	hear := func(id string, happened, stored int) {
		e := event(events.ExperimentOutcome.Kind, id, happened, events.Measurement{Experiment: "boost", UnitID: events.ID(id), Value: 1})
		e.Received = at(stored)
		if err := tr.Hear(e); err != nil {
			t.Fatal(err)
		}
	}
	hear("late", 25, 90)
	if end, over := tr.end(); !over || !end.Over.Equal(at(90)) || !end.Stored.Equal(at(1)) {
		t.Errorf("with an outcome that was stored late: %+v", end)
	}
	hear("after", 31, 200)
	if end, _ := tr.end(); !end.Over.Equal(at(90)) {
		t.Errorf("what happened after the stop keeps it: %+v", end)
	}
}

// counted counts how often records are read.
type counted struct {
	learn.Records
	times int
}

// InLogOrder reads them.
func (c *counted) InLogOrder(s learn.Select) iter.Seq[events.Recorded] {
	c.times++
	return c.Records.InLogOrder(s)
}

func TestTheEndsOfManyExperimentsAreFoundInOneReading(t *testing.T) {
	tr := made(t, 50)
	tr.Refresh()
	p, m := tr.Open()[0], experiments.Model()
	records := &counted{Records: p}
	ends, err := m.Answers[experiments.AskEnds](learn.Question{Rows: m.Open(p.Table), Records: records})
	if err != nil {
		t.Fatal(err)
	}
	if all, is := ends.(map[events.ID]experiments.End); !is || len(all) != 50 || records.times != 2 { // exposures, and outcomes
		t.Errorf("%d ends in %d readings", len(all), records.times)
	}
}
