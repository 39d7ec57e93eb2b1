package outcomes_test

import (
	"math"
	"math/rand/v2"
)

// world is a made-up set of types with two tiers.
type world struct {
	low, high []float64 // success by type
	tasks     []int     // by type
}

// newWorld has types that differ widely, and a high tier that is better.
func newWorld(rng *rand.Rand, types int) world {
	var w world
	for range types {
		p := 0.25 + 0.7*rng.Float64()
		w.add(p, p+(1-p)*(0.3+0.6*rng.Float64()), 246)
	}
	return w
}

func (w *world) add(low, high float64, tasks int) {
	w.low, w.high, w.tasks = append(w.low, low), append(w.high, min(high, 1)), append(w.tasks, tasks)
}

// sizes are how many questions the subjects of a well-known exam have: 14 042 of 57.
func sizes() []int {
	return []int{
		100, 135, 152, 100, 265, 144, 100, 100, 100, 173, 102, 100, 235, 114, 145, 378, 126, 100, 310, 203, 100, 165, 198, 193, 390, 270, 238,
		151, 545, 216, 204, 237, 223, 131, 121, 108, 163, 112, 103, 234, 100, 783, 346, 895, 306, 311, 324, 282, 1534, 272, 612, 110, 245, 201,
		100, 166, 171,
	}
}

// exam has subjects of those sizes, in which a small model does as well as one of some
// years ago, and a large one better.
func exam(rng *rand.Rand) (w world) {
	for _, n := range sizes() {
		p := 1 / (1 + math.Exp(-0.85-0.8*rng.NormFloat64()))
		w.add(p, p+(1-p)*(0.2+0.5*rng.Float64()), n)
	}
	return w
}

// spread has a small model anywhere, and a large one that may be no better.
func spread(rng *rand.Rand) (w world) {
	for _, n := range sizes() {
		p := 0.25 + 0.7*rng.Float64()
		w.add(p, p+0.4*rng.Float64(), n)
	}
	return w
}

// odd has subjects in which the small model is hopeless, as good as the large one, or
// better, and half of all with a hundred tasks.
func odd(rng *rand.Rand) (w world) {
	for i := range 57 {
		p, n := 0.25+0.7*rng.Float64(), 100
		if i%2 == 1 {
			n = 400
		}
		switch i % 5 {
		case 0:
			w.add(0.08*rng.Float64(), 0.5+0.4*rng.Float64(), n)
		case 1:
			w.add(p, p, n)
		case 2:
			w.add(p, p*(0.5+0.45*rng.Float64()), n)
		case 3:
			w.add(0.55+0.2*rng.Float64(), 0.95, n)
		default:
			w.add(p, p+0.4*rng.Float64(), n)
		}
	}
	return w
}

// order is the type of each task: subject after subject, or all among each other.
func (w world) order(rng *rand.Rand, mixed bool) (kinds []int) {
	for kind, n := range w.tasks {
		for range n {
			kinds = append(kinds, kind)
		}
	}
	if mixed {
		rng.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
	}
	return kinds
}

// cost is what solving a step costs on average: a run of the low tier costs 1; when it
// fails it is tried again in vain, and then solved above.
func (w world) cost(kind int, low bool, dear float64) float64 {
	if !low {
		return dear
	}
	return 1 + (1-w.low[kind])*(1+dear)
}

// best is what it costs from where it is best to start.
func (w world) best(kind int, dear float64) float64 {
	return min(w.cost(kind, true, dear), w.cost(kind, false, dear))
}
