package api

import (
	"slices"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn/portable"
	"learnloop.dev/learn/rules"
)

// cargo is an export that was read, and what becomes of it.
type cargo struct {
	head     portable.Summary
	rules    []portable.Rule
	patterns map[portable.Key][]portable.Pattern // by rule and source
	groups   []portable.Key                      // of the patterns, in order
	own      string                              // the name of this installation
	held     map[string]rules.Held               // by rule
	actor    string
	facts    []*events.DataImported
	told     Importing
}

// names are the rules the export is about.
func (c *cargo) names() (list []string) {
	for _, r := range c.rules {
		list = append(list, string(r.RuleID))
	}
	for _, at := range c.groups {
		list = append(list, at.Rule)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// ours reports whether counts of this installation are among those of the export.
func (c *cargo) ours() bool {
	return slices.ContainsFunc(c.rules, func(r portable.Rule) bool { return r.Source == c.own }) ||
		slices.ContainsFunc(c.groups, func(at portable.Key) bool { return at.Source == c.own })
}

// plan makes facts of what is new, and says what they change.
func (c *cargo) plan(actor string) *Importing {
	c.actor = actor
	c.told = Importing{
		Source: c.head.Source, Own: c.head.Source == c.own, ExportedAt: c.head.ExportedAt,
		Patterns: c.head.Patterns, Rules: c.head.Rules,
	}
	for i := range c.rules {
		c.planRule(&c.rules[i])
	}
	for _, at := range c.groups {
		c.planPatterns(c.patterns[at])
	}
	return &c.told
}

// holding is what was imported of a rule and a source before.
func (c *cargo) holding(p portable.Place) rules.Holding {
	for _, h := range c.held[string(p.RuleID)].Sources {
		if h.Origin == p.Source {
			return h
		}
	}
	return rules.Holding{Origin: p.Source}
}

// planRule plans the counts of a rule. Of our own those are left out that are here.
func (c *cargo) planRule(r *portable.Rule) {
	counts, was, at := r.ImportedRule, c.holding(r.Place), r.Exported(&c.head.Header)
	if r.Source == c.own {
		counts = rules.Remaining(counts, c.held[string(r.RuleID)].Own)
	}
	switch {
	case was.CountsAt.After(at):
		c.told.Older++
		return
	case was.CountsAt.Equal(at), was.CountsAt.IsZero() && len(counts.Cells) == 0:
		c.told.Unchanged++
		return
	case was.CountsAt.IsZero():
		c.told.New++
	default:
		c.told.Replaced++
	}
	for _, cell := range counts.Cells {
		c.told.Decisions += cell.Accepted + cell.Modified + cell.Rejected + cell.Skipped
	}
	f := c.fact(r.Place, at, 0)
	f.Counts = &counts
	if r.Patterns == 0 && c.head.Options.IncludePatterns && !was.PatternsAt.After(at) {
		c.empty(r.Place, at, 1, was.Chunks)
	}
}

// chunkOfPatterns is how many patterns lie in one fact: so many fit, however long.
const chunkOfPatterns = 64

// planPatterns plans the patterns of a rule and a source, in chunks. Those that there
// were more of before go.
func (c *cargo) planPatterns(list []portable.Pattern) {
	place := list[0].Place
	was, at := c.holding(place), place.Exported(&c.head.Header)
	left := c.remaining(place, list)
	chunks := int64((len(left) + chunkOfPatterns - 1) / chunkOfPatterns)
	if was.PatternsAt.After(at) || was.PatternsAt.Equal(at) && was.Chunks == chunks {
		return
	}
	n := int64(0)
	for some := range slices.Chunk(left, chunkOfPatterns) {
		n++
		c.fact(place, at, n).Patterns = some
	}
	c.empty(place, at, n+1, was.Chunks)
}

// remaining are the patterns of a rule and a source, without what of our own is here.
func (c *cargo) remaining(place portable.Place, list []portable.Pattern) (left []events.ImportedPattern) {
	here := c.held[string(place.RuleID)].Patterns
	for _, p := range list {
		in := p.ImportedPattern
		if t, some := here[in.Pattern]; some && place.Source == c.own {
			in.Accepted, in.Modified, in.Rejected = max(0, in.Accepted-t.Accepted), max(0, in.Modified-t.Modified), max(0, in.Rejected-t.Rejected)
		}
		if in.Accepted+in.Modified+in.Rejected > 0 {
			left = append(left, in)
		}
	}
	return left
}

// empty plans chunks without anything in them, which replace others.
func (c *cargo) empty(place portable.Place, at time.Time, first, last int64) {
	for n := first; n <= last; n++ {
		c.fact(place, at, n)
	}
}

func (c *cargo) fact(place portable.Place, at time.Time, chunk int64) *events.DataImported {
	f := &events.DataImported{
		Origin: place.Source, RuleID: place.RuleID, Version: c.head.Version, Checksum: c.head.Checksum, Chunk: chunk, Actor: c.actor,
		Moment: events.Moment{Timestamp: at},
	}
	c.facts = append(c.facts, f)
	return f
}
