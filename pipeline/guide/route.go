package guide

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"learnloop.dev/kv"
	"learnloop.dev/learn/outcomes"
	"learnloop.dev/search"
)

// Ask asks which model should do a step.
type Ask struct {
	Request     string // names the question: asked again, the answer is the same
	Type        string // of the step
	PlannedTier int64
	Candidates  []outcomes.Candidate // none: those that are known, or two tiers
}

// Answer is a choice with its reasons.
type Answer struct {
	outcomes.Route
	DocumentedTier int64
	Like           string            // the known type whose runs were looked at, "" for the type itself
	Known          bool              // something is known of the type, or of one like it
	Defaults       outcomes.Defaults // how careful to be with the step
	Reason         string
}

// alike is how much of its own score a type's name has to have for another type to be
// taken for one like it.
const alike = 0.5

// mostCandidates is how many candidates one question may have.
const mostCandidates = 64

// Route chooses a model.
func (b *Board) Route(ask Ask) Answer {
	e, a := b.errand(ask)
	a.Route = e.Choose()
	a.Reason = a.reason(ask)
	return a
}

// errand is the question with what is known, and the answer as far as that goes.
func (b *Board) errand(ask Ask) (outcomes.Errand, Answer) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	known, like := b.lookup(ask.Type)
	a := Answer{DocumentedTier: ask.PlannedTier, Like: like, Known: known != nil, Defaults: outcomes.ColdStart()}
	var recent []outcomes.Period
	if known != nil {
		recent, a.Defaults = known.recent, known.defaults
		a.DocumentedTier = outcomes.DocumentedTier(ask.PlannedTier, known.retry)
	}
	candidates := ask.Candidates
	if len(candidates) == 0 {
		candidates = b.usual(recent)
	}
	e := outcomes.Errand{Request: ask.Request, PlannedTier: ask.PlannedTier, OfAll: b.runs.all.seen(b.runs.latest)}
	for _, p := range recent {
		e.OfType.Add(p, b.runs.latest)
		if failed, some := p.Below(); some {
			e.OfType.Add(failed, b.runs.latest)
		}
	}
	for _, c := range candidates {
		e.Standings = append(e.Standings, b.standing(c, recent))
	}
	return e, a
}

// lookup finds a type, or the known one whose name is most alike.
func (b *Board) lookup(id string) (known *typeKnown, like string) {
	if t := b.types[kv.Key(outcomes.KindTask, id)]; t != nil {
		return t, ""
	}
	found := b.typesFound.Search(search.Query{Text: id, Limit: 1})
	if len(found.Hits) == 0 || found.Own <= 0 || found.Hits[0].Text < alike*found.Own {
		return nil, ""
	}
	if t := b.types[found.Hits[0].ID]; t != nil {
		return t, t.id
	}
	return nil, ""
}

// standing is what is known of a candidate.
func (b *Board) standing(c outcomes.Candidate, recent []outcomes.Period) outcomes.Standing {
	s := outcomes.Standing{Candidate: c, Everywhere: b.runs.of(c).seen(b.runs.latest)}
	for _, p := range recent {
		if c.Matches(p.Model, p.Tier) {
			s.Here.Add(p, b.runs.latest)
		}
		if failed, some := p.Below(); some && failed.Tier == c.Tier {
			s.Here.Add(failed, b.runs.latest)
		}
	}
	if c.Model == "" {
		s.Seen = cmp.Or(busiest(recent, c.Tier), b.runs.busiest[c.Tier])
	}
	return s
}

// usual are the candidates when nobody names some: the models that did the step, at a
// cost that doubles with each tier, or the first two tiers.
func (b *Board) usual(recent []outcomes.Period) (list []outcomes.Candidate) {
	for _, p := range recent {
		c := outcomes.Candidate{Model: p.Model, Tier: p.Tier, Cost: outcomes.UsualCost(p.Tier)}
		if p.Model != "" && len(list) < mostCandidates && !slices.Contains(list, c) {
			list = append(list, c)
		}
	}
	if list == nil {
		return []outcomes.Candidate{{Tier: 1, Cost: outcomes.UsualCost(1)}, {Tier: 2, Cost: outcomes.UsualCost(2)}}
	}
	return list
}

// reason says in words why a candidate was chosen.
func (a Answer) reason(ask Ask) string {
	o := a.Options[a.Chosen]
	var why strings.Builder
	switch {
	case a.Explored:
		why.WriteString("chosen by chance, to learn how it does; ")
	case a.Blind:
		why.WriteString("nothing is known of any candidate, so the careful choice; ")
	case len(a.Options) == 1:
		why.WriteString("the only candidate; ")
	case !a.Known:
		why.WriteString("the step is not known, so by what the models do elsewhere; ")
	case a.Like != "":
		fmt.Fprintf(&why, "the step is not known, so by runs of %q; ", a.Like)
	}
	fmt.Fprintf(&why, "%s is expected to succeed in %.0f of 100 runs (95 %%: %.0f to %.0f, from %.0f recent runs)",
		o.String(), 100*o.Expected, 100*o.Bounds.Lower, 100*o.Bounds.Upper, o.Runs)
	fmt.Fprintf(&why, "; a solved step costs about %.3g from there on", o.CostPerSuccess)
	for i, other := range a.Options {
		if i != a.Chosen && len(a.Options) <= 4 {
			fmt.Fprintf(&why, ", from %s %.3g", other.String(), other.CostPerSuccess)
		}
	}
	if a.DocumentedTier > ask.PlannedTier {
		fmt.Fprintf(&why, "; the documented rule, which looks at retried runs alone, starts at tier %d", a.DocumentedTier)
	}
	return why.String()
}
