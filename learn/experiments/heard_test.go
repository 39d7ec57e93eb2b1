package experiments_test

import (
	"fmt"
	"strings"
	"testing"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/learn/experiments"
	"learnloop.dev/learn/learntest"
)

// made is a trial in one partition that heard a control outcome of each of so many experiments.
func made(t *testing.T, names int) *trial {
	t.Helper()
	tr := begin(t)
	tr.Partitions = 1
	for i := range names {
		tr.outcome(i, fmt.Sprintf("made-up-%03d", i), "control")
	}
	return tr
}

func (tr *trial) outcome(minute int, name, variant string) {
	tr.Helper()
	tr.hear(events.ExperimentOutcome.Kind, minute, events.Measurement{Experiment: events.ID(name), UnitID: "u", Value: 1, Variant: variant})
}

// told are the names of experiments that have a context.
func (tr *trial) told() (names []string) {
	tr.Helper()
	all, err := tr.Contexts()
	if err != nil {
		tr.Fatal(err)
	}
	for key := range all {
		if name, is := strings.CutPrefix(key, learn.Contexts+" experiment."); is {
			names = append(names, name)
		}
	}
	return names
}

func TestNamesThatNobodyDefinedMakeNoMoreThanAHundredContexts(t *testing.T) {
	tr := made(t, 130)
	if n := len(tr.told()); n != 100 {
		t.Fatalf("%d contexts", n)
	}
	tr.outcome(200, "a name before them", "control")
	if n := len(tr.told()); n != 100 {
		t.Errorf("%d contexts with one more", n)
	}
	tr.context("a name before them")
	tr.Withdraw("1") // made-up-000
	if n := len(tr.told()); n != 100 {
		t.Errorf("%d contexts when one went", n)
	}
	late := boost()
	late.External = true
	tr.hear(events.ControlExperimentChanged.Kind, 300, events.ExperimentChanged{
		Experiment: "made-up-129", Change: events.ExperimentStarted, Definition: late,
	})
	tr.outcome(301, "made-up-129", "control")
	if tr.context("made-up-129").Status != experiments.Running || len(tr.told()) != 101 {
		t.Errorf("%d contexts with one that is defined", len(tr.told()))
	}
}

func TestWhatNamesNoVariantOfAnExperimentThatNobodyDefinedIsOnlyCounted(t *testing.T) {
	tr := begin(t)
	tr.outcome(1, "nowhere", "")
	tr.outcome(2, "somewhere", "control")
	if told := tr.told(); len(told) != 1 || told[0] != "somewhere" {
		t.Errorf("told of %q", told)
	}
	parts, err := learntest.Ask[experiments.Heard](tr.Loop, experiments.Model(), experiments.AskHeard, experiments.CourseArgs{Experiment: "nowhere"})
	var all experiments.Heard
	for _, part := range parts {
		all.Records, all.Named = all.Records+part.Records, all.Named+part.Named
	}
	if err != nil || all != (experiments.Heard{Records: 1}) {
		t.Errorf("%+v: %v", all, err)
	}
}
