package events

import (
	"testing"
	"time"
)

func TestASweeperTakesWhatItNamesAndNothingElse(t *testing.T) {
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	record := Head{Type: FeedbackFix.Kind.Type(), Time: noon.Add(-time.Hour), Recorded: noon, Record: "k", Group: ByRule, Key: "r", Person: "ann"}
	for name, c := range map[string]struct {
		fact  Sweeper
		after time.Duration // the control fact was stored so long after the record
		want  bool
	}{
		"all":                        {&DataCleared{All: true}, 1, true},
		"all, but stored before":     {&DataCleared{All: true}, 0, false},
		"no condition takes nothing": {&DataCleared{}, 1, false},
		"its kind":                   {&DataCleared{Kind: FeedbackFix.Kind}, 1, true},
		"another kind":               {&DataCleared{Kind: SampleCaptured.Kind, All: true}, 1, false},
		"its rule":                   {&DataCleared{Rules: []ID{"q", "r"}}, 1, true},
		"another rule":               {&DataCleared{Rules: []ID{"q"}}, 1, false},
		"from its time on":           {&DataCleared{From: record.Time}, 1, true},
		"up to its time":             {&DataCleared{To: record.Time}, 1, false},
		"a boundary behind it":       {&DataExpired{Before: noon.Add(1)}, 0, true},
		"no experiment's":            {&ExperimentExpired{Before: noon.Add(1), Experiment: "r"}, 0, false},
		"a boundary at it":           {&DataExpired{Before: noon}, 0, false},
		"at it, but a later record":  {&DataExpired{Before: noon, Record: "l"}, 0, true},
		"its person":                 {&SubjectForgotten{Subject: "ann", Before: noon.Add(1)}, 0, true},
		"another person":             {&SubjectForgotten{Subject: "ben", Before: noon.Add(1)}, 0, false},
		"stored later, but older":    {&SubjectForgotten{Subject: "ann", Before: noon}, 0, true},
		"younger":                    {&SubjectForgotten{Subject: "ann", Before: noon.Add(-time.Hour)}, 0, false},
	} {
		own := Head{Recorded: noon.Add(c.after), Group: Everywhere}
		if got := c.fact.Takes(&own, &record); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
		if c.fact.Takes(&Head{Recorded: noon.AddDate(1, 0, 0)}, &Head{Type: ControlTick.Kind.Type(), Group: Everywhere}) {
			t.Errorf("%s: it takes a control fact", name)
		}
	}
}

func TestTheBoundaryOfAnExperimentTakesItsRecordsOnly(t *testing.T) {
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		record Head
		want   bool
	}{
		"stored before it":     {Head{Recorded: noon.Add(-1), Group: ByExperiment, Key: "e"}, true},
		"stored at it":         {Head{Recorded: noon, Group: ByExperiment, Key: "e"}, false},
		"another experiment's": {Head{Recorded: noon.Add(-1), Group: ByExperiment, Key: "f"}, false},
		"of a rule so named":   {Head{Recorded: noon.Add(-1), Group: ByRule, Key: "e"}, false},
		"of all partitions":    {Head{Recorded: noon.Add(-1), Group: Everywhere, Key: "e"}, false},
	} {
		if got := (&ExperimentExpired{Experiment: "e", Before: noon}).Takes(nil, &c.record); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestWhatAPersonSetOrDeletedStaysUntilThePersonIsForgotten(t *testing.T) {
	noon := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	wish := Head{Type: ControlPreferenceCorrected.Kind.Type(), Group: ByPerson, Person: "ann", Time: noon, Recorded: noon}
	later := Head{Recorded: noon.Add(time.Hour), Group: Everywhere}
	for want, facts := range map[bool][]Sweeper{
		false: {&DataCleared{All: true}, &DataExpired{Before: later.Recorded}},
		true:  {&SubjectForgotten{Subject: "ann", Before: later.Recorded}},
	} {
		for _, fact := range facts {
			if got := fact.Takes(&later, &wish); got != want {
				t.Errorf("%T takes it: %v", fact, got)
			}
		}
	}
}
