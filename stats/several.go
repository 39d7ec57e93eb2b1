package stats

import (
	"cmp"
	"math"
	"slices"

	"learnloop.dev/inorder"
)

// EBH says which of several hypotheses are rejected by their log e-values so
// that the expected share of false ones among them is at most alpha, however
// the e-values depend on each other (Wang and Ramdas 2022).
func EBH(logs []float64, alpha float64) []bool {
	order := ranked(len(logs), func(i, j int) int { return cmp.Compare(logs[j], logs[i]) })
	bar := math.Inf(1)
	for k, i := range order {
		need := math.Log(float64(len(logs)) / (alpha * float64(k+1)))
		if logs[i] >= need {
			bar = need
		}
	}
	rejected := make([]bool, len(logs))
	for i, log := range logs {
		rejected[i] = log >= bar
	}
	return rejected
}

// Holm adjusts fixed-sample p-values: those at most α are rejected with a
// probability of α at most that any of them is false (Holm 1979).
func Holm(p []float64) []float64 {
	adjusted := make([]float64, len(p))
	var highest float64
	for k, i := range ranked(len(p), func(i, j int) int { return cmp.Compare(p[i], p[j]) }) {
		highest = max(highest, min(1, p[i]*float64(len(p)-k)))
		adjusted[i] = highest
	}
	return adjusted
}

// BH adjusts fixed-sample p-values of independent tests: among those at most α
// the expected share of false ones is at most α (Benjamini and Hochberg 1995).
func BH(p []float64) []float64 {
	adjusted := make([]float64, len(p))
	lowest := 1.0
	order := ranked(len(p), func(i, j int) int { return cmp.Compare(p[i], p[j]) })
	for k, i := range slices.Backward(order) {
		lowest = min(lowest, p[i]*float64(len(p))/float64(k+1))
		adjusted[i] = lowest
	}
	return adjusted
}

// ranked are the indexes below n in an order, equal ones as they stand.
func ranked(n int, compare func(i, j int) int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	inorder.Sort(order, compare)
	return order
}
