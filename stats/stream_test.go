package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// voice is one that states confidences of its own making.
type voice struct{ shift, stretch float64 }

// states draws what a voice says and whether it turns out so: confidences sit near 1, as
// those of models do, and mean something else with each voice.
func (v voice) states(rnd *rand.Rand) (confidence float64, kept bool) {
	confidence = 1 - math.Pow(rnd.Float64(), 2)*.9
	logit := math.Log(confidence/(1-confidence+1e-9) + 1e-9)
	truth := 1 / (1 + math.Exp(-(v.shift + v.stretch*logit)))
	return confidence, rnd.Float64() < truth
}

// Each confidence is calibrated by what was seen before it, as rules are.
func TestAStreamOfStatedConfidencesIsCalibratedToTwoHundredths(t *testing.T) {
	for _, size := range []int{20_000, 70_000} {
		for run := range 5 {
			t.Run(fmt.Sprint(size, " of seed ", run), func(t *testing.T) {
				rnd, voices := streamOf(run, 30), make([]voice, 50)
				for i := range voices {
					voices[i] = voice{rnd.NormFloat64() - .8, .3 + .5*rnd.Float64()}
				}
				var c Calibrator
				var raw, calibrated Calibration
				for range size {
					who := rnd.IntN(len(voices))
					confidence, kept := voices[who].states(rnd)
					raw.Add(confidence, kept, 1)
					calibrated.Add(c.Calibrate(fmt.Sprint(who), confidence), kept, 1)
					c.Observe(fmt.Sprint(who), confidence, kept, 1)
				}
				before, _ := raw.Brier()
				after, _ := calibrated.Brier()
				gapBefore, _ := raw.ECE()
				gapAfter, _ := calibrated.ECE()
				t.Logf("ECE %.4f -> %.4f, Brier %.4f -> %.4f", gapBefore, gapAfter, before, after)
				if gapAfter > .02 || after >= before {
					t.Errorf("ECE %.4f, Brier %.4f of %.4f", gapAfter, after, before)
				}
			})
		}
	}
}
