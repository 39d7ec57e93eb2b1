package rules

import "learnloop.dev/stats"

// calibratedBins lists what stated confidences are worth, bin by bin where
// somebody knows anything. The rule's bins are drawn to the global ones and
// those to the stated confidence.
func calibratedBins(k *ruleKnown) []CalibratedBin {
	bins := []CalibratedBin{}
	for bin := range stats.Bins {
		n := k.Confidence.N[bin]
		if n == 0 && k.Global.N[bin] == 0 {
			continue
		}
		bins = append(bins, CalibratedBin{
			From:     stats.Round(float64(bin)/stats.Bins, digits),
			To:       stats.Round(float64(bin+1)/stats.Bins, digits),
			Count:    n,
			Adjusted: stats.Round(k.Confidence.Calibrate(stated(k, bin), &k.Global), digits),
		})
	}
	return bins
}

// pull is how many decisions the more general rate counts for, as in
// stats.Calibration.
const pull = 10

// baseline is what a stated confidence of the rule is worth on average: its
// acceptance, drawn to what the global bins make of the confidences it states.
// The second result is how far that lies above their mean. Without any stated
// confidence the baseline is the acceptance alone, from Beta(1, 1).
func baseline(k *ruleKnown) (worth, adjustment *float64) {
	var mean, general float64
	var kept int64
	n := k.Confidence.Count()
	for bin, in := range k.Confidence.N {
		share := float64(in) / float64(max(n, 1))
		mean += float64(share * stated(k, bin))
		general += float64(share * k.Global.Calibrate(stated(k, bin), nil))
		kept += k.Confidence.Kept[bin]
	}
	switch {
	case n > 0:
		x := (float64(kept) + float64(pull*general)) / float64(n+pull)
		return rounded(x, true), rounded(x-mean, true)
	case k.Tally.Decided() >= enough:
		return rounded(stats.BetaOf(k.Tally.Kept(), k.Tally.Decided()).Mean(), true), nil
	}
	return nil, nil
}

// stated is the mean stated confidence of a bin, its middle where the rule has none.
func stated(k *ruleKnown, bin int) float64 {
	middle := (float64(bin) + 0.5) / stats.Bins
	mean, known := stats.Share{X: k.Confidence.Sum[bin], N: k.Confidence.N[bin] * confidenceUnit}.Rate()
	if !known {
		return middle
	}
	return min(max(mean, float64(bin)/stats.Bins), middle+0.5/stats.Bins) // rounding may have crossed the edge
}

// confidenceUnit is how many units of stats.Calibration.Sum make a confidence of 1.
const confidenceUnit = 100_000
