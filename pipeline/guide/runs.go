package guide

import (
	"learnloop.dev/learn/outcomes"
)

// doer is a model at a tier.
type doer struct {
	model string
	tier  int64
}

// book is what models did, added up in the ways in which candidates are asked for, so
// that a choice walks over its candidates and not over all models.
type book struct {
	models  map[doer]tally
	ofModel map[string]tally // at all tiers
	ofTier  map[int64]tally  // of all models
	below   map[int64]tally  // those that failed before a step was done above, of all models
	all     tally
	latest  int64            // the last fortnight of all
	busiest map[int64]string // the model with most runs at a tier, as of the last rank
}

func noRuns() book {
	return book{models: map[doer]tally{}, ofModel: map[string]tally{}, ofTier: map[int64]tally{}, below: map[int64]tally{}, all: tally{}}
}

// count adds fortnights of runs so often.
func (r *book) count(recent []outcomes.Period, by int64) {
	for _, p := range recent {
		r.add(p, by)
	}
	r.latest = r.all.latest()
}

func (r *book) add(p outcomes.Period, by int64) {
	into(r.models, doer{p.Model, p.Tier}, p, by)
	into(r.ofModel, p.Model, p, by)
	into(r.ofTier, p.Tier, p, by)
	r.all.add(p, by)
	if failed, some := p.Below(); some {
		into(r.below, failed.Tier, failed, by)
		r.all.add(failed, by)
	}
}

// into adds a fortnight to one of several tallies; what is empty goes.
func into[K comparable](tallies map[K]tally, at K, p outcomes.Period, by int64) {
	if tallies[at] == nil {
		tallies[at] = tally{}
	}
	tallies[at].add(p, by)
	if len(tallies[at]) == 0 {
		delete(tallies, at)
	}
}

// busiest is the model with most of some runs at a tier, of several the first by name.
func busiest(some []outcomes.Period, tier int64) string {
	r := noRuns()
	for _, p := range some {
		if p.Tier == tier {
			into(r.models, doer{p.Model, p.Tier}, p, 1)
		}
	}
	r.rank()
	return r.busiest[tier]
}

// rank finds the model with most runs at each tier, of several the first by name.
func (r *book) rank() {
	most := map[int64]int64{}
	r.busiest = map[int64]string{}
	for at, t := range r.models {
		n := t.sum()
		if at.model != "" && (n > most[at.tier] || n == most[at.tier] && at.model < r.busiest[at.tier]) {
			most[at.tier], r.busiest[at.tier] = n, at.model
		}
	}
}

// of are the runs that tell of a candidate, as it Matches: reports that do not say the
// tier, or the model, tell of all, and what was done above in the end of all models below.
func (r *book) of(c outcomes.Candidate) tally {
	switch {
	case c.Model == "" && c.Tier != 0:
		return r.ofTier[c.Tier].with(r.models[doer{}]).with(r.below[c.Tier])
	case c.Tier == 0:
		return r.ofModel[c.Model]
	}
	return r.models[doer{c.Model, c.Tier}].with(r.models[doer{c.Model, 0}]).with(r.below[c.Tier])
}
