package rules

import (
	"math/rand/v2"
	"testing"
)

// TestARateThatHoversAtALimitLeavesThePromptAlone counts how often the prompt of
// a rule with one pattern changes over 2 000 decisions, from the tenth on, and
// how often it would if its words followed the rate.
func TestARateThatHoversAtALimitLeavesThePromptAlone(t *testing.T) {
	const walks = 10
	var all walk
	for _, rate := range []float64{0.15, 0.5, 0.85, 0.9, 0.95} {
		var at walk
		for seed := range uint64(walks) {
			at.go2000(rate, rand.New(rand.NewPCG(seed, 1)))
		}
		t.Logf("at %.2f: %.1f changes by bounds, %.1f by rates", rate, float64(at.byBounds)/walks, float64(at.byRates)/walks)
		if at.byBounds > at.byRates {
			t.Errorf("at %.2f bounds change the prompt more often than rates", rate)
		}
		all.byBounds += at.byBounds
		all.byRates += at.byRates
	}
	if 4*all.byBounds > all.byRates {
		t.Errorf("%d changes by bounds, %d by rates", all.byBounds, all.byRates)
	}
}

// walk counts the changes of a prompt.
type walk struct{ byBounds, byRates int }

func (w *walk) go2000(rate float64, chance *rand.Rand) {
	var tally Tally
	var bounds, rates string
	for tally.Total() < 2000 {
		if chance.Float64() < rate {
			tally.Accepted++
		} else {
			tally.Rejected++
		}
		if tally.Total() < enough {
			continue
		}
		w.byBounds += changed(&bounds, promptOf(tally))
		w.byRates += changed(&rates, ratedPrompt(tally))
	}
}

// changed is 1 when a text becomes another; the first is none.
func changed(text *string, is string) int {
	was := *text
	*text = is
	if was == is || was == "" {
		return 0
	}
	return 1
}

// promptOf is the prompt of a rule with one pattern.
func promptOf(t Tally) string {
	k, p := &ruleKnown{Tally: t}, pattern{Tally: t}
	d := []decided{{Original: "was done", Suggested: "did", Tally: t}}
	switch {
	case p.kept() > 0:
		k.Accepted = d
	case p.turned() > 0:
		k.Rejected = d
	}
	return contextOf("r", k).Prompt + "."
}

// ratedPrompt stands for a prompt that says rates in words for a tenth each and
// adds the documented notes.
func ratedPrompt(t Tally) string {
	rate, _ := t.acceptance().Rate()
	text := "."
	if rate <= 0.3 || rate >= 0.7 {
		text += string(rune('a' + int(rate*10+0.5)))
	}
	if note := documentedNote(t); note != nil {
		text += *note
	}
	return text
}
