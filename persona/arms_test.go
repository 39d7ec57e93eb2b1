package persona_test

import (
	"testing"

	"learnloop.dev/events"
	"learnloop.dev/persona"

	"github.com/go-json-experiment/json/jsontext"
)

func TestArmsSetTheTermsThatTheyNameAndSaySo(t *testing.T) {
	arms := []events.Enrolment{
		{Experiment: "a", Variant: "control", Config: jsontext.Value(`{"length_weight":0,"prompt":"v2"}`)},
		{Experiment: "b", Variant: "treatment", Config: jsontext.Value(`{"topic_boost":"much"}`)},
		{Experiment: "c", Variant: "treatment"},
	}
	terms, says := persona.Usual().Under(arms)
	if want := (persona.Terms{LengthWeight: 0, TopicBoost: 0.2}); terms != want {
		t.Errorf("%+v, want %+v", terms, want)
	}
	if len(says) != 1 || says[0] != `length_weight is 0: control of experiment "a"` {
		t.Errorf("says %q", says)
	}
}
