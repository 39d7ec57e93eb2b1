package conversations

import (
	"math"
	"testing"

	"learnloop.dev/events"
)

func TestRelevanceIsScaledBetweenBesideThePointAndToIt(t *testing.T) {
	for cosine, want := range map[float64]float64{-1: 0, 0.5: 0, 0.6: 0.25, 0.7: 0.5, 0.9: 1, 1: 1} {
		if got := relevance(cosine); math.Abs(got-want) > 1e-9 {
			t.Errorf("a cosine of %v gives %v, want %v", cosine, got, want)
		}
	}
}

func TestEngagementWeighsTheSignsThereAre(t *testing.T) {
	const second = 1_000_000
	for name, c := range map[string]struct {
		deed deed
		mean float64
		want float64
		none bool
	}{
		"all signs": {deed{Delay: micros{true, 5 * second}, FollowUp: events.Continuation, Length: length{true, 100}},
			10 * second, 0.4 + 0.4 + 0.1, false},
		"half again as slow":       {deed{Delay: micros{true, 15 * second}}, 10 * second, 0.5, false},
		"twice as slow":            {deed{Delay: micros{true, 20 * second}}, 10 * second, 0, false},
		"an average of zero":       {deed{Delay: micros{true, 0}, FollowUp: events.End}, 0, 0.2, false},
		"only a time, of zero":     {deed{Delay: micros{true, 0}}, 0, 0, true},
		"a long message alone":     {deed{Length: length{true, 900}}, 0, 1, false},
		"clarification":            {deed{FollowUp: events.Clarification}, 0, 0.6, false},
		"a new topic, no message":  {deed{FollowUp: events.NewTopic, Length: length{true, 0}}, 0, 0.16 / 0.6, false},
		"nothing is known of what": {deed{}, 10, 0, true},
	} {
		got, ok := engagement(c.deed, c.mean)
		if ok == c.none || math.Abs(got-c.want) > 1e-6 {
			t.Errorf("%s: %v %v, want %v", name, got, ok, c.want)
		}
	}
}

func TestAScoreIsOverThePartsThatWereObserved(t *testing.T) {
	all := Observed{Relevance: new(1.0), Helpfulness: new(0.1), Engagement: new(0.5), Clarity: new(0.8), Accuracy: new(1.0)}
	s := UsualWeights().Of(all)
	if want := 0.3 + 0.025 + 0.1 + 0.12 + 0.1; math.Abs(*s.Overall-want) > 1e-9 || s.Confidence != 1 || math.Abs(s.Neutral-want) > 1e-9 {
		t.Errorf("all parts: %v, %v, %v, want %v", *s.Overall, s.Neutral, s.Confidence, want)
	}
	s = UsualWeights().Of(Observed{Helpfulness: new(0.9)})
	if *s.Overall != 0.9 || s.Confidence != 0.25 || math.Abs(s.Neutral-(0.225+0.375)) > 1e-9 {
		t.Errorf("helpfulness alone: %v, %v, %v", *s.Overall, s.Neutral, s.Confidence)
	}
	if s = UsualWeights().Of(Observed{}); s.Overall != nil || s.Confidence != 0 || s.Neutral != 0.5 || s.Version != ScoringVersion {
		t.Errorf("nothing: %+v", s)
	}
	if s = (Weights{}).Of(all); s.Overall != nil || s.Confidence != 0 {
		t.Errorf("weighed by nothing: %+v", s)
	}
}

func TestEachCorrectionTakesHalfOfTheAccuracy(t *testing.T) {
	for corrections, want := range map[int64]float64{0: 1, 1: 0.5, 2: 0, 5: 0} {
		if got := accuracy(corrections, true); *got != want {
			t.Errorf("%d corrections give %v, want %v", corrections, *got, want)
		}
	}
	if accuracy(0, false) != nil {
		t.Error("observed though nobody went on")
	}
	if got := accuracy(1, false); got == nil || *got != 0.5 {
		t.Errorf("a correction is evidence by itself: %v", got)
	}
}

func TestClarityIsTheMeanOfItsParts(t *testing.T) {
	if got := clarity(&events.Clarity{Sentences: 800, Paragraphs: 600, Fences: 1000}); got != 800 {
		t.Errorf("%d, want 800", got)
	}
	if got := clarity(&events.Clarity{Sentences: 800, Paragraphs: 600, Fences: 1000, Structure: new(events.Milli(0))}); got != 600 {
		t.Errorf("%d, want 600", got)
	}
}

func TestLengthsAreComparedByTheirLogarithmInIntegers(t *testing.T) {
	for n, want := range map[int64]int64{-1: 0, 0: 0, 1: 0, 2: 1000, 3: 1500, 1024: 10000, 1 << 40: 40000} {
		if got := log2(n); got != want {
			t.Errorf("log2(%d) = %d, want %d", n, got, want)
		}
	}
	for _, n := range []int64{1, 7, 100, 12345} {
		if back := exp2(log2(n)); math.Abs(float64(back-n)) > 0.01*float64(n)+1 {
			t.Errorf("%d came back as %d", n, back)
		}
	}
}
