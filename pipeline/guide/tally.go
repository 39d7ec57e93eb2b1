package guide

import (
	"maps"
	"slices"

	"learnloop.dev/learn/outcomes"
)

// tally counts runs by fortnight, in whole numbers: in whatever order they come and go,
// it is the same.
type tally map[int64]outcomes.Period

// add counts a fortnight of runs so often.
func (t tally) add(p outcomes.Period, by int64) {
	sum := outcomes.Period{
		Fortnight: p.Fortnight, Runs: t[p.Fortnight].Runs + by*p.Runs, Successes: t[p.Fortnight].Successes + by*p.Successes,
	}
	if sum.Runs == 0 && sum.Successes == 0 {
		delete(t, p.Fortnight)
		return
	}
	t[p.Fortnight] = sum
}

// with are the runs of two tallies together.
func (t tally) with(o tally) tally {
	switch {
	case len(t) == 0:
		return o
	case len(o) == 0:
		return t
	}
	sum := maps.Clone(t)
	for _, p := range o {
		sum.add(p, 1)
	}
	return sum
}

// sum is how many runs there are.
func (t tally) sum() (n int64) {
	for _, p := range t {
		n += p.Runs
	}
	return n
}

// latest is the last fortnight with a run, 0 without any.
func (t tally) latest() (last int64) {
	for fortnight := range t {
		last = max(last, fortnight)
	}
	return last
}

// seen weighs the runs by their age in a fortnight, the oldest first: the sum of
// fractions hangs on their order.
func (t tally) seen(from int64) (e outcomes.Experience) {
	for _, fortnight := range slices.Sorted(maps.Keys(t)) {
		e.Add(t[fortnight], from)
	}
	return e
}
