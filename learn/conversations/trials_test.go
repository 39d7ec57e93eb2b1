package conversations

import (
	"fmt"
	"testing"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"
)

// tried is an exchange of a session that is a unit of an experiment on a metric.
func tried(id, session, metric string, minute int) *events.Fact[events.Exchange] {
	at := time.Date(2026, 1, 1, 12, minute, 0, 0, time.UTC)
	head := events.Head{ID: id, Record: id, Time: at, Recorded: at, Group: events.ByPerson, Key: "ann", Person: "index", Type: events.ExchangeRecorded.Kind.Type()}
	f := &events.ExchangeFeatures{Relevance: new(events.Milli(700)), Trials: []events.Trial{{
		Experiment: "x", Metric: metric, UnitID: events.ID("unit-" + session), Assigned: events.Assigned{Variant: "control", Propensity: 0.5},
		Record: "outcome/" + session + metric, Partition: 3,
	}}}
	return &events.Fact[events.Exchange]{Head: head, Data: events.Exchange{ExchangeID: events.ID(id), SessionID: events.ID(session), Features: f}}
}

// reacted is a sign about an exchange.
func reacted(id string, sign events.ResponseSign) events.Recorded {
	at := time.Date(2026, 1, 1, 13, 0, 0, 0, time.UTC)
	head := events.Head{ID: id, Record: "sign/" + id, Time: at, Recorded: at, Group: events.ByPerson, Key: "ann", Type: events.FeedbackResponse.Kind.Type()}
	return events.FeedbackResponse.Fact(head, &events.ResponseFeedback{ExchangeID: events.ID(id), FeedbackType: sign})
}

// concluded are the values by unit, after checking what all conclusions have in common.
func concluded(t *testing.T, table *learn.Memory) map[string]string {
	t.Helper()
	table.Commit()
	values := map[string]string{}
	for _, c := range Model().Conclude(table, userKey("ann")) {
		m, ok := c.Part.Data.(*events.Measurement)
		if !ok || c.Partition != 3 || c.Cause.Person != "index" || c.Part.Kind != events.ExperimentOutcome.Kind || m.Assigned.Variant != "control" {
			t.Errorf("%+v", c)
			continue
		}
		values[string(m.UnitID)] = fmt.Sprintf("%.3f from %s", m.Value, c.Cause.Record)
	}
	return values
}

func TestASessionIsOneOutcomeThatChangesWithItsScores(t *testing.T) {
	table, m := new(learn.Memory), Model()
	first, second := tried("b", "s", events.QualityMetric, 1), tried("a", "s", events.QualityMetric, 2)
	for _, f := range []events.Recorded{second, first, tried("c", "s2", events.QualityMetric, 3)} {
		m.Apply(table, f)
	}
	if got := fmt.Sprint(concluded(t, table)); got != "map[unit-s:0.600 from b unit-s2:0.500 from c]" {
		t.Errorf("by relevance and the next question: %s", got)
	}
	m.Apply(table, reacted("a", events.ThumbsUp))
	rated := fmt.Sprint(concluded(t, table))
	if rated == "map[unit-s:0.600 from b unit-s2:0.500 from c]" {
		t.Errorf("a vote changes nothing: %s", rated)
	}
	m.Retract(table, reacted("a", events.ThumbsUp))
	m.Retract(table, first)
	if got := fmt.Sprint(concluded(t, table)); got != "map[unit-s:0.500 from a unit-s2:0.500 from c]" {
		t.Errorf("taken back: %s", got)
	}
}

func TestEngagementIsAnOutcomeOnceThereIsAny(t *testing.T) {
	table, m := new(learn.Memory), Model()
	m.Apply(table, tried("a", "s", events.EngagementMetric, 1))
	if got := concluded(t, table); len(got) > 0 {
		t.Errorf("nobody did anything: %v", got)
	}
	at := time.Date(2026, 1, 1, 12, 2, 0, 0, time.UTC)
	head := events.Head{ID: "e", Record: "e", Time: at, Recorded: at, Group: events.ByPerson, Key: "ann", Type: events.FeedbackEngagement.Kind.Type()}
	m.Apply(table, events.FeedbackEngagement.Fact(head, &events.Engagement{ExchangeID: "a", FollowUpType: events.Continuation}))
	if got := concluded(t, table); len(got) != 1 {
		t.Errorf("%v", got)
	}
}

func TestWithoutScoringNothingIsAnOutcome(t *testing.T) {
	table, f := new(learn.Memory), tried("a", "s", events.QualityMetric, 1)
	f.Data.Features.Unscored = true
	Model().Apply(table, f)
	if got := concluded(t, table); len(got) > 0 {
		t.Errorf("%v", got)
	}
}

func TestAnArmMayWeighThePartsOfAScoreOtherwise(t *testing.T) {
	weighed := func(w *events.ScoreWeights) Score {
		m, table := Model(), new(learn.Memory)
		x := tried("x", "s", events.QualityMetric, 0)
		x.Data.Features.Weights = w
		m.Apply(table, x)
		m.Apply(table, reacted("x", events.ThumbsUp))
		return *evidenceOf(m.Open(table), x.Key)[0].shown().Quality
	}
	usual, other := weighed(nil), weighed(&events.ScoreWeights{Helpfulness: 900, Relevance: 100})
	if usual.Weights != nil || other.Weights == nil || other.Weights.Helpfulness != 0.9 || *usual.Overall >= *other.Overall {
		t.Errorf("usual %v, other %v by %+v", *usual.Overall, *other.Overall, other.Weights)
	}
}
