package events

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
)

func TestTheVocabularyIsSortedByName(t *testing.T) {
	if !slices.IsSortedFunc(vocabulary, func(a, b Spec) int { return strings.Compare(string(a.Name()), string(b.Name())) }) {
		t.Error("Lookup would miss kinds")
	}
	for s := range All() {
		if found, ok := Lookup(s.Name()); !ok || found != s {
			t.Errorf("Lookup(%q) = %v, %v", s.Name(), found, ok)
		}
		if k, ok := KindOf(s.Name().Type()); !ok || k != s.Name() {
			t.Errorf("KindOf(%q) = %v, %v", s.Name().Type(), k, ok)
		}
		if s.Name().Control() != (s.Origin() == "all") {
			t.Errorf("%s comes from %s", s.Name(), s.Origin())
		}
	}
	if _, ok := Lookup("feedback.fax"); ok {
		t.Error("found a kind that is none")
	}
}

func TestEveryKindOfTheSpecificationIsThere(t *testing.T) {
	want := strings.Fields(`feedback.fix feedback.response feedback.engagement feedback.learning exchange.recorded
		sample.captured discovery.observed task.output learning.created learning.proposed learning.reviewed
		learning.revised learning.archived learning.superseded injection.recorded task.finished task.corrected
		route.chosen template.added experiment.exposed experiment.outcome control.settings.changed
		control.experiment.changed control.experiment.decided control.data.cleared control.data.imported
		control.data.reset control.data.expired control.pattern.deleted control.preference.corrected
		control.prior control.subject.forgotten control.experiment.expired control.clock.tick control.day.summed control.person.summed`)
	var got []string
	for s := range All() {
		got = append(got, string(s.Name()))
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestIdentitySaysWhichReportsAreTheSame(t *testing.T) {
	for _, c := range []struct {
		payload Payload
		want    []string // nil: the envelope's source and id
	}{
		{&FixFeedback{FeedbackID: "f"}, []string{"f"}},
		{&FixFeedback{RuleID: "r"}, nil},
		{&ResponseFeedback{ExchangeID: "e"}, nil},
		{&Engagement{ExchangeID: "e"}, nil},
		{&Exchange{ExchangeID: "e"}, []string{"e"}},
		{&Sample{SampleID: "s"}, []string{"s"}},
		{&Discovery{DiscoveryID: "d"}, []string{"d"}},
		{&Discovery{SourceTaskID: "t"}, nil},
		{&AgentOutput{TaskID: "t"}, nil},
		{&Vote{LearningID: "l", TaskID: "t"}, []string{"l", "t"}},
		{&Injection{InjectionID: "i", TaskID: "t"}, []string{"i"}},
		{&Injection{TaskID: "t"}, nil},
		{&Learning{ID: "l"}, []string{"l"}},
		{&Proposal{ID: "l"}, []string{"l"}},
		{&Revision{ID: "l"}, nil},
		{&Review{ID: "l"}, nil},
		{&Task{TaskID: "t"}, []string{"t"}},
		{&TaskCorrection{TaskID: "t"}, nil},
		{&RouteChoice{RequestID: "r"}, []string{"r"}},
		{&Exposure{Experiment: "x", UnitID: "u"}, nil},
		{&Measurement{Experiment: "x", UnitID: "u", Metric: "m"}, []string{"x", "u", "m"}},
		{&Tick{Date: "2026-03-02"}, []string{"2026-03-02"}},
		{&SettingsChanged{Key: "privacy"}, nil},
	} {
		if diff := cmp.Diff(c.want, c.payload.Identity()); diff != "" {
			t.Errorf("%T (-want +got):\n%s", c.payload, diff)
		}
	}
}

func TestPartsAddressTheJoinGroups(t *testing.T) {
	for _, c := range []struct {
		payload Payload
		want    []Part // without Data
	}{
		{&FixFeedback{RuleID: "r"}, []Part{{Group: ByRule, Key: "r", Kind: "feedback.fix"}}},
		{&ResponseFeedback{ExchangeID: "e", UserID: "u", SessionID: "s"}, []Part{{Group: ByPerson, Key: "u", Kind: "feedback.response"}}},
		{&ResponseFeedback{ExchangeID: "e", SessionID: "s"}, []Part{{Group: ByPerson, Key: "s", Kind: "feedback.response"}}},
		{&ResponseFeedback{ExchangeID: "e"}, []Part{{Group: ByPerson, Exchange: "e", Kind: "feedback.response"}}},
		{&Engagement{ExchangeID: "e", SessionID: "s"}, []Part{{Group: ByPerson, Key: "s", Kind: "feedback.engagement"}}},
		{&Exchange{ExchangeID: "e", SessionID: "s", UserID: "u"}, []Part{{Group: ByPerson, Key: "u", Kind: "exchange.recorded"}}},
		{&Sample{SampleFamily: "f"}, []Part{{Group: ByFamily, Key: "f", Kind: "sample.captured"}}},
		{&Measurement{Experiment: "x"}, []Part{{Group: ByExperiment, Key: "x", Kind: "experiment.outcome"}}},
		{&Discovery{}, []Part{{Group: Learnings, Kind: "discovery.observed"}}},
		{&Succession{}, []Part{{Group: Learnings, Kind: "learning.superseded"}}},
		{&Template{}, []Part{{Group: Outcomes, Kind: "template.added"}}},
		{&Task{TaskID: "t"}, []Part{{Group: Outcomes, Kind: "task.finished"}, {Group: Learnings, Kind: "task.finished"}}},
		{&DataCleared{}, []Part{{Group: Everywhere, Kind: "control.data.cleared"}}},
	} {
		got := c.payload.Parts()
		for i := range got {
			got[i].Data = nil
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%T (-want +got):\n%s", c.payload, diff)
		}
	}
}

func TestEveryKindGoesToAGroupWithItsOwnPayload(t *testing.T) {
	for s := range All() {
		p := s.NewPayload()
		parts := p.Parts()
		if len(parts) == 0 || parts[0].Kind != s.Name() || parts[0].Data != p {
			t.Errorf("%s goes to %+v", s.Name(), parts)
		}
		_, theirs := p.(interface{ Sums() *Sum })
		theirs = theirs || s.Name() == ControlPreferenceCorrected.Kind || s.Name() == ControlImported.Kind
		if !theirs && s.Name().Control() != (parts[0].Group == Everywhere) {
			t.Errorf("%s goes to %s", s.Name(), parts[0].Group)
		}
	}
}

func TestTheResultOfATaskHoldsNoneOfItsTexts(t *testing.T) {
	at := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	task := &Task{TaskID: "t", Goal: "secret", Status: Failed, Subtasks: []Subtask{{ID: "secret"}}, UserID: "u", Moment: Moment{at}}
	data, err := json.Marshal(task.Parts()[1].Data)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"task_id":"t","goal":"","status":"failed","subtasks":[],"user_id":"u","timestamp":"2026-03-02T00:00:00Z"}`
	if string(data) != want {
		t.Errorf("result %s, want %s", data, want)
	}
}

func TestTimestampsCountAsEventTimeForEveryKind(t *testing.T) {
	at := time.Date(2026, 3, 2, 9, 15, 0, 0, time.UTC)
	for s := range All() {
		p := s.NewPayload()
		if !p.When().IsZero() {
			t.Errorf("%s has a time without a timestamp", s.Name())
		}
		if err := json.Unmarshal([]byte(`{"timestamp":"2026-03-02T09:15:00Z"}`), p); err != nil || !p.When().Equal(at) {
			t.Errorf("%s: %v, %v", s.Name(), p.When(), err)
		}
	}
}
