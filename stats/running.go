package stats

import "math"

// Running keeps the strongest evidence that there was so far against the
// hypothesis that nothing differs. It depends on the order in which evidence came.
type Running struct {
	Peak float64 `json:"peak,omitzero"` // highest log e-value, at least 0
}

// Hear takes in the present log e-value.
func (r *Running) Hear(log float64) {
	if log > r.Peak {
		r.Peak = log
	}
}

// P is the always-valid p-value: however often one looks, and whenever one
// stops, it lies below α with probability α at most if nothing differs.
func (r Running) P() float64 { return PValue(r.Peak) }

// PValue is the always-valid p-value of one log e-value: min(1, 1/e).
func PValue(log float64) float64 {
	if !(log > 0) {
		return 1
	}
	return math.Exp(-log)
}
