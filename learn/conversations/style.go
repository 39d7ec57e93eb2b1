package conversations

import (
	"math/bits"

	"learnloop.dev/events"
)

// The traits of style, in the order of their numbers.
const (
	lengthTrait = iota
	depthTrait
	formatTrait
	examplesTrait
	traits // how many there are
)

// measure is what an answer measures in each trait: the logarithm of its length, its
// share of demanding words, whether it lists, and how many examples it gives, each in
// thousandths.
func measure(s *events.TextShape) [traits]int64 {
	const most, thousand = 2, 1000
	var x [traits]int64
	x[lengthTrait] = log2(s.Characters)
	x[depthTrait] = int64(s.Terms)
	if s.ListItems >= most {
		x[formatTrait] = thousand
	}
	x[examplesTrait] = min(s.Examples+s.CodeBlocks, most) * thousand / most
	return x
}

// log2 is the logarithm in thousandths, linear between the powers of two: the same on
// every processor.
func log2(n int64) int64 {
	const thousand = 1000
	if n <= 0 {
		return 0
	}
	whole := int64(bits.Len64(uint64(n)) - 1)
	return whole*thousand + (n-1<<whole)*thousand>>whole
}

// exp2 undoes log2.
func exp2(milli int64) int64 {
	const thousand = 1000
	whole := milli / thousand
	return 1<<whole + (milli%thousand)<<whole/thousand
}

// taste adds up what answers measured and how they were taken. Integers.
type taste struct {
	N  int64                 `json:"n,omitzero"`
	X  [traits]int64         `json:"x,omitzero"`
	XX [traits][traits]int64 `json:"xx,omitzero"`
	Q  int64                 `json:"q,omitzero"` // reaction, in thousandths
	QQ int64                 `json:"qq,omitzero"`
	XQ [traits]int64         `json:"xq,omitzero"`

	Liked int64         `json:"liked,omitzero"` // answers that were taken well
	Good  [traits]int64 `json:"good,omitzero"`  // what those measured
	Loved int64         `json:"loved,omitzero"` // the reactions to them, in thousandths
}

// likedFrom is the reaction, in thousandths, from which on an answer was taken well.
const likedFrom = 600

// take adds an answer, when somebody reacted to it.
func (t *taste) take(x *exchange) {
	r, ok := x.seen.reaction()
	if !ok || !x.Shape.Known {
		return
	}
	q := int64(float64(r*1000) + 0.5)
	t.N, t.Q, t.QQ = t.N+1, t.Q+q, t.QQ+q*q
	for i, a := range x.Shape.X {
		t.X[i] += a
		t.XQ[i] += a * q
		for j, b := range x.Shape.X {
			t.XX[i][j] += a * b
		}
	}
	if q >= likedFrom {
		t.Liked++
		t.Loved += q
		for i, a := range x.Shape.X {
			t.Good[i] += a
		}
	}
}

// plus is both together.
func (t taste) plus(o taste) taste {
	t.N, t.Q, t.QQ, t.Liked = t.N+o.N, t.Q+o.Q, t.QQ+o.QQ, t.Liked+o.Liked
	t.Loved += o.Loved
	for i := range traits {
		t.X[i], t.XQ[i], t.Good[i] = t.X[i]+o.X[i], t.XQ[i]+o.XQ[i], t.Good[i]+o.Good[i]
		for j := range traits {
			t.XX[i][j] += o.XX[i][j]
		}
	}
	return t
}
