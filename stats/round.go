package stats

import "math"

// Round is x to a number of decimal digits (0..15), halves away from zero and
// never −0, for canonical output. It rounds the number held, not the one
// written: 1.005 is held as a little less and becomes 1.00. What has no such
// digits, infinities and NaN included, comes back unchanged.
func Round(x float64, digits int) float64 {
	const whole = 1 << 52 // from here on a float64 has no fraction
	scale := math.Pow10(min(max(digits, 0), 15))
	size := math.Abs(x)
	scaled := size * scale
	if !(scaled < whole) {
		return x
	}
	floor, fraction := math.Modf(scaled)
	lost := math.FMA(size, scale, -scaled) // what scaling rounded away, exactly
	if fraction > 0.5 || fraction == 0.5 && lost >= 0 {
		floor++
	}
	if floor == 0 {
		return 0
	}
	return math.Copysign(floor/scale, x)
}
