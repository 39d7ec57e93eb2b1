package stats

import (
	"cmp"
	"math"
	"slices"
)

// Isotonic is a rate that never falls while the stated confidence rises: knots, and
// straight lines between them.
type Isotonic struct {
	X, Y []float64 // the knots, by rising X
}

// block is a stretch of confidences that share a rate.
type block struct{ low, high, sum, n float64 }

func (b block) rate() float64 { return b.sum / b.n }

// FitIsotonic is the rising rate that is nearest to what became of the samples, by
// squares (pool adjacent violators; Ayer and others 1955). Equal confidences are pooled
// first; false without samples.
func FitIsotonic(samples []Sample) (Isotonic, bool) {
	var blocks []block
	for _, s := range pooled(ordered(samples)) {
		for len(blocks) > 0 && blocks[len(blocks)-1].rate() >= s.rate() {
			last := blocks[len(blocks)-1]
			blocks = blocks[:len(blocks)-1]
			s = block{last.low, s.high, last.sum + s.sum, last.n + s.n}
		}
		blocks = append(blocks, s)
	}
	var fit Isotonic
	for _, b := range blocks {
		fit.knot(b.low, b.rate())
		if b.high > b.low {
			fit.knot(b.high, b.rate())
		}
	}
	return fit, len(blocks) > 0
}

// pooled are sorted samples with those of one confidence as one block.
func pooled(sorted []Sample) (blocks []block) {
	for _, s := range sorted {
		if n := len(blocks); n == 0 || blocks[n-1].low != s.Confidence {
			blocks = append(blocks, block{low: s.Confidence, high: s.Confidence})
		}
		last := &blocks[len(blocks)-1]
		last.sum += float64(outcome(s.Kept))
		last.n++
	}
	return blocks
}

func (f *Isotonic) knot(x, y float64) { f.X, f.Y = append(f.X, x), append(f.Y, y) }

// At is the rate at a confidence: between knots on the line that joins them, outside
// that of the nearest; NaN states nothing and has that of the first.
func (f Isotonic) At(p float64) float64 {
	i, found := slices.BinarySearchFunc(f.X, p, cmp.Compare[float64])
	switch {
	case len(f.X) == 0:
		return unit(p)
	case found:
		return f.Y[i]
	case i == 0:
		return f.Y[0]
	case i == len(f.X):
		return f.Y[i-1]
	}
	share := (p - f.X[i-1]) / (f.X[i] - f.X[i-1])
	return f.Y[i-1] + float64(share*(f.Y[i]-f.Y[i-1]))
}

// LogLoss is the mean of −ln of the confidence in what happened, 0 at best; undefined
// (false) without samples. Certainty counts as 1e-15 less: to be wrong then is not
// infinitely bad.
func LogLoss(samples []Sample) (float64, bool) {
	const certain = 1e-15
	sorted := ordered(samples)
	if len(sorted) == 0 {
		return 0, false
	}
	var loss float64
	for _, s := range sorted {
		p := s.Confidence
		if !s.Kept {
			p = 1 - p
		}
		loss -= math.Log(min(max(p, certain), 1-certain))
	}
	return loss / float64(len(sorted)), true
}

// BrierScore is the mean squared error of the confidences, 0 at best; undefined (false)
// without samples.
func BrierScore(samples []Sample) (float64, bool) {
	sorted := ordered(samples)
	if len(sorted) == 0 {
		return 0, false
	}
	var squares float64
	for _, s := range sorted {
		miss := s.Confidence - float64(outcome(s.Kept))
		squares += float64(miss * miss)
	}
	return squares / float64(len(sorted)), true
}

// Calibrator is the streaming calibration of confidences by key: what was kept of each
// key's bin, drawn toward that of all keys, itself drawn toward what was stated. Its
// zero value has seen nothing.
type Calibrator struct {
	all  Calibration
	keys map[string]*Calibration
}

// Observe takes in what became of a stated confidence; weight −1 takes it back.
func (c *Calibrator) Observe(key string, confidence float64, kept bool, weight int64) {
	if c.keys == nil {
		c.keys = map[string]*Calibration{}
	}
	own := c.keys[key]
	if own == nil {
		own = &Calibration{}
		c.keys[key] = own
	}
	own.Add(confidence, kept, weight)
	c.all.Add(confidence, kept, weight)
	if *own == (Calibration{}) {
		delete(c.keys, key)
	}
}

// Calibrate is the rate at which what a key states with a confidence is kept.
func (c *Calibrator) Calibrate(key string, confidence float64) float64 {
	return c.keys[key].Calibrate(confidence, &c.all)
}
