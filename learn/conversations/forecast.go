package conversations

import "learnloop.dev/learn"

// Forecast compares how answers were taken with what was to be expected of the person
// by the answers before: how far preferences can be trusted. Integers.
type Forecast struct {
	N       int64 `json:"n,omitzero"`     // answers somebody reacted to, of people with a style
	Right   int64 `json:"right,omitzero"` // liked or not, as expected
	Usual   int64 `json:"usual,omitzero"` // as the person usually does, whatever the answer is like
	Squares int64 `json:"squares,omitzero"`
}

func (f Forecast) plus(o Forecast) Forecast {
	return Forecast{f.N + o.N, f.Right + o.Right, f.Usual + o.Usual, f.Squares + o.Squares}
}

// foresee forecasts every reaction from those before it. Earlier is what was learned of
// the person from records that are gone.
func (all evidence) foresee(earlier taste) {
	t := earlier
	for _, x := range all {
		if x.Off.Personalization {
			continue
		}
		if is, ok := x.seen.reaction(); ok && x.Shape.Known && t.N >= enough {
			x.forecast = t.forecast(x.Shape.X, is)
		}
		t.take(x)
	}
}

// earlierOf is the taste that is left of records which are gone.
func earlierOf(rows learn.Rows, name string) (t taste) {
	for _, k := range sumsOf(rows, name) {
		t = t.plus(k.Taste)
	}
	return t
}

// forecast compares a reaction with the expected one.
func (t *taste) forecast(x [traits]int64, is float64) Forecast {
	const liked = float64(likedFrom) / 1000
	expected := t.expected(x)
	miss := expected - is
	f := Forecast{N: 1, Squares: int64(float64(miss*miss*million) + 0.5)}
	if (expected >= t.between()) == (is >= liked) {
		f.Right = 1
	}
	if (2*t.Liked >= t.N) == (is >= liked) {
		f.Usual = 1
	}
	return f
}

// between lies in the middle of how answers were taken that were liked and of how the
// others were: what is expected is drawn to the mean, and would seldom reach what is liked.
func (t *taste) between() float64 {
	others := t.N - t.Liked
	switch {
	case others == 0:
		return 0
	case t.Liked == 0:
		return 1
	case t.Loved == 0: // a sum that does not say
		return float64(likedFrom) / 1000
	}
	return (float64(t.Loved)/float64(t.Liked) + float64(t.Q-t.Loved)/float64(others)) / 2 / 1000
}

// expected is how an answer that measures so is probably taken, 0..1.
func (t *taste) expected(x [traits]int64) float64 {
	n, beta := float64(t.N), t.effect()
	mean, sq := float64(t.Q)/n, spread(n, t.Q, t.QQ)
	for i, v := range x {
		if s := spread(n, t.X[i], t.XX[i][i]); s > 0 {
			mean += float64(sq * beta[i] * (float64(v) - float64(t.X[i])/n) / s)
		}
	}
	return clamp(mean / 1000)
}
