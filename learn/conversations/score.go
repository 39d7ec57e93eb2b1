package conversations

import (
	"cmp"

	"learnloop.dev/events"
	"learnloop.dev/stats"
)

// ScoringVersion names the algorithm of scores; it rises when the same evidence gives
// another score.
const ScoringVersion = "1"

// Weights are those of the five parts of a score.
type Weights struct {
	Relevance   float64 `json:"relevance"`
	Helpfulness float64 `json:"helpfulness"`
	Engagement  float64 `json:"engagement"`
	Clarity     float64 `json:"clarity"`
	Accuracy    float64 `json:"accuracy"`
}

// UsualWeights are those of source document 003.
func UsualWeights() Weights {
	return Weights{Relevance: 0.30, Helpfulness: 0.25, Engagement: 0.20, Clarity: 0.15, Accuracy: 0.10}
}

// Observed are the parts of a score that there is evidence of, 0..1; others are nil.
type Observed struct {
	Relevance   *float64 `json:"relevance_score"`
	Helpfulness *float64 `json:"helpfulness_score"`
	Engagement  *float64 `json:"engagement_score"`
	Clarity     *float64 `json:"clarity_score"`
	Accuracy    *float64 `json:"accuracy_score"`
}

// Score says how good an answer was (003, QualityScore).
type Score struct {
	Observed
	// Overall is the weighted mean of the parts observed, null when none is.
	Overall *float64 `json:"overall_score"`
	// Neutral is the documented variant: parts without evidence count as 0.5.
	Neutral float64 `json:"neutral_score"`
	// Confidence is the weight of the parts observed, of all.
	Confidence float64 `json:"confidence"`
	Version    string  `json:"scoring_version"`
	// Weights are those that were used, where an arm of an experiment has others than the usual ones.
	Weights *Weights `json:"weights,omitzero"`
}

// unknown is what a part without evidence counts in the neutral variant.
const unknown = 0.5

// Of weighs what was observed. Weights need not add up to one.
func (w Weights) Of(o Observed) Score {
	var sum, seen, neutral, all float64
	for _, p := range [...]struct {
		part   *float64
		weight float64
	}{
		{o.Relevance, w.Relevance}, {o.Helpfulness, w.Helpfulness}, {o.Engagement, w.Engagement},
		{o.Clarity, w.Clarity}, {o.Accuracy, w.Accuracy},
	} {
		all += p.weight
		if p.part == nil {
			neutral += float64(unknown * p.weight)
			continue
		}
		seen += p.weight
		sum += float64(*p.part * p.weight)
	}
	s := Score{Observed: o, Version: ScoringVersion}
	if seen > 0 {
		s.Overall = new(digits(sum / seen))
	}
	if all > 0 {
		s.Neutral, s.Confidence = digits((sum+neutral)/all), digits(seen/all)
	}
	return s
}

// scoreDigits is how far scores are written out.
const scoreDigits = 6

func digits(x float64) float64 { return stats.Round(x, scoreDigits) }

// The cosine below which an answer is beside the point, and above which it is to it (003).
const (
	beside = 0.5
	toIt   = 0.9
)

// relevance scales the cosine of question and answer.
func relevance(cosine float64) float64 {
	return digits(clamp((cosine - beside) / (toIt - beside)))
}

// helpfulness is what an explicit sign says, nil when it is none.
func helpfulness(s events.ResponseSign) *float64 {
	switch s {
	case events.ThumbsUp:
		return new(1.0)
	case events.Copied:
		return new(0.9)
	case events.Regenerate:
		return new(0.3)
	case events.ThumbsDown:
		return new(0.1)
	}
	return nil
}

// What the signs of engagement weigh (003).
const (
	delayWeight    = 0.4
	followUpWeight = 0.4
	lengthWeight   = 0.2
	longMessage    = 200 // characters of a message that is fully engaged
)

// engagement is what somebody did after an answer, over the signs there are; the delay
// says something beside the session's mean alone. False when there is no sign.
func engagement(d deed, mean float64) (float64, bool) {
	var sum, seen float64
	add := func(x, weight float64) { sum, seen = sum+float64(x*weight), seen+weight }
	if d.Delay.Known && mean > 0 {
		add(clamp(2-float64(d.Delay.Value)/mean), delayWeight)
	}
	if x, ok := followUp(d.FollowUp); ok {
		add(x, followUpWeight)
	}
	if d.Length.Known {
		add(min(1, float64(d.Length.Value)/longMessage), lengthWeight)
	}
	if seen == 0 {
		return 0, false
	}
	return digits(sum / seen), true
}

func followUp(f events.FollowUp) (float64, bool) {
	switch f {
	case events.Continuation:
		return 1, true
	case events.Clarification:
		return 0.6, true
	case events.NewTopic:
		return 0.4, true
	case events.End:
		return 0.2, true
	}
	return 0, false
}

// perCorrection is what each correction takes from the accuracy.
const perCorrection = 0.5

// accuracy is observed once somebody went on, or corrected something.
func accuracy(corrections int64, wentOn bool) *float64 {
	if corrections <= 0 && !wentOn {
		return nil
	}
	return new(max(0, 1-float64(perCorrection*float64(corrections))))
}

// clarity is the mean of its parts in thousandths; a short answer has no structure to
// look for.
func clarity(c *events.Clarity) int64 {
	sum, n := int64(c.Sentences+c.Paragraphs+c.Fences), int64(3)
	if c.Structure != nil {
		sum, n = sum+int64(*c.Structure), n+1
	}
	return (2*sum + n) / (2 * n) // halves up
}

func clamp(x float64) float64 { return min(max(x, 0), 1) }

// reaction is what the person made of an answer, and nothing that the answer shows by
// itself: helpfulness and engagement by their weights.
func (o Observed) reaction() (float64, bool) {
	r := Weights{Helpfulness: UsualWeights().Helpfulness, Engagement: UsualWeights().Engagement}.Of(o)
	if r.Overall == nil {
		return 0, false
	}
	return *r.Overall, true
}

// interest is how much a person engages with a topic: by what was done next, else by
// what was said.
func (o Observed) interest() (float64, bool) {
	x := cmp.Or(o.Engagement, o.Helpfulness)
	if x == nil {
		return 0, false
	}
	return *x, true
}
