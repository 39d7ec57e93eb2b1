package stats

import (
	"math"
	"strconv"
)

const tenths = 10

// Reliability is the table behind a reliability diagram: ten equal bins of the
// stated confidence, in integers like Calibration.
type Reliability struct {
	N    [tenths]int64 `json:"n,omitzero"`
	Kept [tenths]int64 `json:"kept,omitzero"`
	Sum  [tenths]int64 `json:"sum,omitzero"` // of confidences, in 1e-5
}

// ReliabilityBin is one line of the table.
type ReliabilityBin struct {
	Range          string  // of the stated confidence, as "0.5-0.6"
	N              int64   // decisions
	MeanConfidence float64 // stated
	Kept           float64 // share of decisions
}

// Add counts a decision as Calibration.Add does.
func (r *Reliability) Add(confidence float64, kept bool, weight int64) {
	if math.IsNaN(confidence) {
		return
	}
	bin := Bin(confidence, tenths)
	r.N[bin] += weight
	r.Kept[bin] += weight * outcome(kept)
	r.Sum[bin] += weight * quantised(confidence)
}

// Merge adds all that other has counted, sign times: 1 joins, −1 takes apart.
func (r *Reliability) Merge(other Reliability, sign int64) {
	for bin := range tenths {
		r.N[bin] += sign * other.N[bin]
		r.Kept[bin] += sign * other.Kept[bin]
		r.Sum[bin] += sign * other.Sum[bin]
	}
}

// Bins lists the bins that hold decisions, by rising confidence.
func (r *Reliability) Bins() []ReliabilityBin {
	var bins []ReliabilityBin
	for bin, n := range r.N {
		rate, known := Share{r.Kept[bin], n}.Rate()
		if !known {
			continue
		}
		mean, _ := Share{r.Sum[bin], n * perConfidence}.Rate()
		bins = append(bins, ReliabilityBin{tenth(bin), n, mean, rate})
	}
	return bins
}

func tenth(bin int) string {
	if bin == tenths-1 {
		return "0.9-1.0"
	}
	return "0." + strconv.Itoa(bin) + "-0." + strconv.Itoa(bin+1)
}
