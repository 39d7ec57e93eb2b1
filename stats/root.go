package stats

import "math"

type point struct{ x, y float64 }

// root is where f, positive before and negative after, crosses zero between lo
// and hi, within 1e-13 (Ridders 1979). A function that does not cross ends at
// the end nearest to crossing.
func root(f func(float64) float64, lo, hi float64) float64 {
	const (
		near   = 1e-13
		enough = 100 // every step at least halves the range
	)
	at := func(x float64) point { return point{x, f(x)} }
	before, after := at(lo), at(hi)
	if before.y <= 0 {
		return lo
	}
	if after.y >= 0 {
		return hi
	}
	last := lo
	for range enough {
		mid := at(before.x + (after.x-before.x)/2)
		bend := math.Sqrt(float64(mid.y*mid.y) - float64(before.y*after.y))
		guess := at(mid.x + float64((mid.x-before.x)*(mid.y/bend)))
		if guess.y == 0 || math.Abs(guess.x-last) <= near {
			return guess.x
		}
		before, after = narrow(before, after, mid)
		before, after = narrow(before, after, guess)
		last = guess.x
	}
	return last
}

func narrow(before, after, p point) (point, point) {
	switch {
	case p.y > 0 && p.x > before.x:
		return p, after
	case p.y <= 0 && p.x < after.x:
		return before, p
	}
	return before, after
}
