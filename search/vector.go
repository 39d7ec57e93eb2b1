package search

import "math"

// Vector is the meaning of a text as an embedder sees it, in coarse numbers.
// Vectors of different embedders are never compared.
type Vector struct {
	Embedder string // its id
	Values   []int8
}

// Quantize makes a vector of an embedder's numbers. Only their proportions count.
func Quantize(embedder string, numbers []float32) Vector {
	most := 0.
	for _, n := range numbers {
		if size := math.Abs(float64(n)); size > most && !math.IsInf(size, 0) {
			most = size
		}
	}
	v := Vector{Embedder: embedder, Values: make([]int8, len(numbers))}
	if most == 0 {
		return v
	}
	for i, n := range numbers {
		scaled := math.Round(float64(n) / most * math.MaxInt8)
		if !math.IsNaN(scaled) {
			v.Values[i] = int8(min(max(scaled, -math.MaxInt8), math.MaxInt8))
		}
	}
	return v
}

// Cosine returns how alike two vectors are, -1 to 1. It is not ok where they cannot be compared: they are of
// different embedders or lengths, or one is empty or zero.
func (v Vector) Cosine(w Vector) (cosine float64, ok bool) {
	if v.Embedder != w.Embedder || len(v.Values) != len(w.Values) {
		return 0, false
	}
	var dot, vv, ww int64
	for i, x := range v.Values {
		y := w.Values[i]
		dot += int64(x) * int64(y)
		vv += int64(x) * int64(x)
		ww += int64(y) * int64(y)
	}
	if vv == 0 || ww == 0 {
		return 0, false
	}
	return float64(dot) / math.Sqrt(float64(vv)) / math.Sqrt(float64(ww)), true
}
