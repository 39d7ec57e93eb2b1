package low

type reading struct{ at, weight float64 }

func (r reading) sum(x float64, n int) float64 {
	x -= (r.at * r.weight)                             // breaks: fusion
	y := float64(x*r.at) + 2*3.0 + float64(n*n+1)*r.at // breaks: fusion
	return y - -(x * r.at)                             // breaks: fusion
}
