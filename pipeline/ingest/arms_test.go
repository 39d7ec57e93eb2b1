package ingest

import (
	"testing"
	"time"

	"learnloop.dev/events"
)

func TestOnlyExperimentsThatRunHaveArms(t *testing.T) {
	day := func(n int) time.Time { return now.AddDate(0, 0, n) }
	g := laboratory(t)
	for name, is := range map[string]events.ExperimentDesign{
		"running":  {IsActive: true, StartDate: day(-1), EndDate: day(1)},
		"draft":    {},
		"external": {IsActive: true, External: true},
		"early":    {IsActive: true, StartDate: day(1)},
		"over":     {IsActive: true, EndDate: now},
	} {
		is.TreatmentPercentage, is.TreatmentConfig = 100, []byte(`{"topic_boost":0}`)
		g.Designs.know(now, &events.ExperimentChanged{Experiment: events.ID(name), Definition: is})
	}
	arms := g.Designs.Arms("unit", now)
	if len(arms) != 1 || arms[0].Experiment != "running" || arms[0].Variant != events.TreatmentArm || string(arms[0].Config) != `{"topic_boost":0}` {
		t.Errorf("%+v", arms)
	}
}
