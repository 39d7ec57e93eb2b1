package stats

import (
	"cmp"
	"math"

	"learnloop.dev/inorder"
)

// Sample is one stated confidence, 0..1, and what became of it.
type Sample struct {
	Confidence float64
	Kept       bool
}

// ECEByWidth is the expected calibration error of samples over equally wide
// bins of confidence; undefined (false) without samples or bins.
func ECEByWidth(samples []Sample, bins int) (float64, bool) {
	sorted := ordered(samples)
	if len(sorted) == 0 || bins < 1 {
		return 0, false
	}
	return ece(sorted, func(i int) int { return Bin(sorted[i].Confidence, bins) }), true
}

// ECEByMass is the expected calibration error of samples over bins of equally
// many; samples of one confidence share the bin of the first of them.
func ECEByMass(samples []Sample, bins int) (float64, bool) {
	sorted := ordered(samples)
	if len(sorted) == 0 || bins < 1 {
		return 0, false
	}
	bins = min(bins, len(sorted))
	first := 0
	return ece(sorted, func(i int) int {
		if sorted[i].Confidence > sorted[first].Confidence {
			first = i
		}
		return first * bins / len(sorted)
	}), true
}

// ece adds up how far confidence and outcome lie apart in each bin, per
// sample. Bins rise with sorted samples, so one pass is enough.
func ece(sorted []Sample, bin func(i int) int) float64 {
	var gaps, gap float64
	current := 0
	for i, s := range sorted {
		if b := bin(i); b != current {
			gaps += math.Abs(gap)
			current, gap = b, 0
		}
		gap += s.Confidence
		if s.Kept {
			gap--
		}
	}
	return (gaps + math.Abs(gap)) / float64(len(sorted))
}

// ordered is a copy sorted by confidence, then outcome, clamped and without
// NaN: sums over it do not depend on the order of samples.
func ordered(samples []Sample) []Sample {
	var sorted []Sample
	for _, s := range samples {
		if !math.IsNaN(s.Confidence) {
			sorted = append(sorted, Sample{unit(s.Confidence), s.Kept})
		}
	}
	inorder.Sort(sorted, func(a, b Sample) int {
		return cmp.Or(cmp.Compare(a.Confidence, b.Confidence), cmp.Compare(outcome(a.Kept), outcome(b.Kept)))
	})
	return sorted
}
