package stats

// Moments are count, mean and sum of squared deviations of real outcomes.
type Moments struct {
	N    int64   `json:"n,omitzero"`
	Mean float64 `json:"mean,omitzero"`
	M2   float64 `json:"m2,omitzero"`
}

// Add takes in one outcome (Welford 1962).
func (m *Moments) Add(y float64) {
	m.N++
	delta := y - m.Mean
	m.Mean += delta / float64(m.N)
	m.M2 += float64(delta * (y - m.Mean))
}

// Merge adds all that other has seen (Chan, Golub and LeVeque 1979).
func (m *Moments) Merge(other Moments) {
	n := m.N + other.N
	if n == 0 {
		return
	}
	delta, share := other.Mean-m.Mean, float64(other.N)/float64(n)
	m.M2 += other.M2 + float64(delta*delta*float64(m.N)*share)
	m.Mean += float64(delta * share)
	m.N = n
}

// Variance is the population variance, 0 without outcomes.
func (m Moments) Variance() float64 {
	if m.N == 0 {
		return 0
	}
	return m.M2 / float64(m.N)
}

// Moments are those of outcomes that are 1 or 0.
func (s Share) Moments() Moments {
	x, n := counts(s.X, s.N)
	if n == 0 {
		return Moments{}
	}
	return Moments{n, float64(x) / float64(n), float64(x) * (float64(n-x) / float64(n))}
}
