package conversations

import "math"

// effect is how much each trait moves the reaction, from −1 to 1: the coefficients of a
// ridge regression between standardised numbers, so that long answers do not get the
// praise for the examples in them, and few answers say little. Traits that never varied
// have none.
func (t *taste) effect() (beta [traits]float64) {
	n := float64(t.N)
	sq := spread(n, t.Q, t.QQ)
	if t.N == 0 || sq == 0 {
		return beta
	}
	var a [traits][traits + 1]float64
	var s [traits]float64
	for i := range traits {
		s[i] = spread(n, t.X[i], t.XX[i][i])
	}
	for i := range traits {
		a[i][i] = 1
		if s[i] == 0 {
			continue
		}
		a[i][i] += prior / n
		a[i][traits] = product(n, t.X[i], t.Q, t.XQ[i]) / (s[i] * sq)
		for j := range traits {
			if i != j && s[j] > 0 {
				a[i][j] = product(n, t.X[i], t.X[j], t.XX[i][j]) / (s[i] * s[j])
			}
		}
	}
	return solve(a)
}

// prior is how many answers without any effect stand beside those observed.
const prior = 10

// spread is the standard deviation behind a sum and a sum of squares.
func spread(n float64, sum, squares int64) float64 {
	v := product(n, sum, sum, squares)
	if v <= 0 {
		return 0
	}
	return math.Sqrt(v)
}

// product is the covariance behind two sums and the sum of their products.
func product(n float64, x, y, xy int64) float64 {
	return float64(xy)/n - float64(float64(x)/n*(float64(y)/n))
}

// solve eliminates; the ridge keeps every pivot away from zero.
func solve(a [traits][traits + 1]float64) (x [traits]float64) {
	for i := range traits {
		for k := i + 1; k < traits; k++ {
			f := a[k][i] / a[i][i]
			for j := i; j <= traits; j++ {
				a[k][j] -= float64(f * a[i][j])
			}
		}
	}
	for i := traits - 1; i >= 0; i-- {
		x[i] = a[i][traits]
		for j := i + 1; j < traits; j++ {
			x[i] -= float64(a[i][j] * x[j])
		}
		x[i] /= a[i][i]
	}
	return x
}

// sure reports whether an effect seen in n answers is one, and not chance. The more is
// known the stricter: looked at after every answer, a fixed bound is crossed again and
// again (ADR 0010).
func sure(beta float64, n int64) bool {
	const twice, left = 2, 5
	if n == 0 {
		return false
	}
	z := max(twice, math.Sqrt(2*math.Log(max(1, float64(n)/left))))
	return math.Abs(beta)*math.Sqrt(float64(n)) >= z
}
