package stats

import "math"

// Bins is how many equal bins of the stated confidence a Calibration keeps.
const Bins = 13

const (
	perConfidence = 100_000                       // Sum counts confidences in 1e-5
	perSquare     = perConfidence * perConfidence // Squares counts squared errors in 1e-10

	confident = 0.8 // from here a stated confidence predicts "kept"
	towards   = 10  // decisions that the more general rate counts for
)

// Calibration compares stated confidences with what became of them, in
// integers: any order of Add and Merge gives the same value, what is taken
// back leaves no trace, and values compare with ==. It is exact up to 9e8
// decisions.
type Calibration struct {
	N       [Bins]int64 `json:"n,omitzero"`
	Kept    [Bins]int64 `json:"kept,omitzero"`
	Sum     [Bins]int64 `json:"sum,omitzero"`            // of confidences, in 1e-5
	Squares int64       `json:"squares,string,omitzero"` // of errors, in 1e-10; outgrows a canonical JSON number
	Hits    int64       `json:"hits,omitzero"`           // decisions with (confidence ≥ 0.8) == kept
}

// Bin is the index of p among equal bins of 0..1: min(⌊p·bins⌋, bins−1).
func Bin(p float64, bins int) int {
	if bins < 1 {
		return 0
	}
	return min(int(unit(p)*float64(bins)), bins-1)
}

// Add counts a decision about a suggestion of the stated confidence, weight
// times; weight −1 takes it back. Confidence is clamped to 0..1; NaN states
// none and is not counted.
func (c *Calibration) Add(confidence float64, kept bool, weight int64) {
	if math.IsNaN(confidence) {
		return
	}
	bin, stated := Bin(confidence, Bins), quantised(confidence)
	c.N[bin] += weight
	c.Kept[bin] += weight * outcome(kept)
	c.Sum[bin] += weight * stated
	miss := outcome(kept)*perConfidence - stated
	c.Squares += weight * miss * miss
	if (confidence >= confident) == kept {
		c.Hits += weight
	}
}

// Merge adds all that other has counted, sign times: 1 joins, −1 takes apart.
func (c *Calibration) Merge(other Calibration, sign int64) {
	for bin := range Bins {
		c.N[bin] += sign * other.N[bin]
		c.Kept[bin] += sign * other.Kept[bin]
		c.Sum[bin] += sign * other.Sum[bin]
	}
	c.Squares += sign * other.Squares
	c.Hits += sign * other.Hits
}

// Count is the number of decisions that stated a confidence.
func (c *Calibration) Count() int64 {
	var n int64
	for _, in := range c.N {
		n += in
	}
	return n
}

// Calibrate is the rate at which suggestions of confidence p are kept: that of
// c's bin, drawn toward the bin of global, itself drawn toward p, each with
// the weight of ten decisions. Either may be nil.
func (c *Calibration) Calibrate(p float64, global *Calibration) float64 {
	bin := Bin(p, Bins)
	return c.shrink(bin, global.shrink(bin, unit(p)))
}

func (c *Calibration) shrink(bin int, general float64) float64 {
	if c == nil {
		return general
	}
	kept, n := counts(c.Kept[bin], c.N[bin])
	return (float64(kept) + float64(towards*general)) / (float64(n) + towards)
}

// Brier is the mean squared error of the stated confidences, 0 at best.
func (c *Calibration) Brier() (float64, bool) {
	return c.per(float64(c.Squares) / perSquare)
}

// ECE is the expected calibration error over the bins, 0 at best: the distance
// of mean confidence and kept rate, weighted by decisions.
func (c *Calibration) ECE() (float64, bool) {
	var gaps int64
	for bin := range Bins {
		gap := c.Sum[bin] - c.Kept[bin]*perConfidence
		gaps += max(gap, -gap)
	}
	return c.per(float64(gaps) / perConfidence)
}

// ConfidenceAccuracy is the share of decisions with (confidence ≥ 0.8) == kept,
// as the rule feedback document defines it.
func (c *Calibration) ConfidenceAccuracy() (float64, bool) {
	return Share{c.Hits, c.Count()}.Rate()
}

// per is a total per decision, undefined without any.
func (c *Calibration) per(total float64) (float64, bool) {
	n := c.Count()
	if n <= 0 {
		return 0, false
	}
	return total / float64(n), true
}

// outcome is 1 for kept, 0 for not.
func outcome(kept bool) int64 {
	if kept {
		return 1
	}
	return 0
}

// quantised is a confidence in units of 1e-5.
func quantised(confidence float64) int64 {
	return int64(math.Round(unit(confidence) * perConfidence))
}
