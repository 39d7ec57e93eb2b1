package rules

import (
	"strings"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/privacy"
)

// The rows of a rule's patterns.
const (
	patternRows = "pattern/" // pattern, by its hash
	patternsRow = "patterns" // patternCount
	keptSet     = "kept"     // learn.Top of accepted patterns
	turnedSet   = "turned"   // learn.Top of rejected patterns
)

// A pattern is accepted from 7 in 10 on, rejected up to 3 in 10, both from
// three decisions on.
const (
	fewest    = 3
	keepsFrom = 7
	turnsUpTo = 3
)

// pattern is one (original, suggested) pair and what was decided about it.
// Records stored under different text modes show it differently.
type pattern struct {
	Tally  Tally `json:"tally"`
	Strict words `json:"strict,omitzero"`
	Masked words `json:"masked,omitzero"`
	Full   words `json:"full,omitzero"`
}

// words show a pattern in one text mode, as long as n records do.
type words struct {
	N         int64  `json:"n,omitzero"`
	Original  string `json:"original,omitzero"`
	Suggested string `json:"suggested,omitzero"`
}

// patternCount is how many patterns of a rule are accepted and rejected.
type patternCount struct {
	Accepted int64 `json:"accepted,omitzero"`
	Rejected int64 `json:"rejected,omitzero"`
}

func (d decision) countPattern() {
	if d.Data.Derived == nil || d.Data.Derived.Pattern == "" {
		return
	}
	var one Tally
	one.add(d.Data.Decision, 1)
	addPattern(d.rows, d.rule, sighting{d.Data.Derived, one}, d.by)
}

// sighting is a pattern as a record shows it, and what it says was decided.
type sighting struct {
	*events.FixDerived
	tally Tally
}

// addPattern adds a sighting to a pattern of a rule.
func addPattern(rows learn.Rows, rule learn.Key, more sighting, by int64) {
	hash := more.Pattern
	p := learn.At[pattern](rows, rule, patternRows+hash)
	was := *p
	p.Tally = p.Tally.plus(more.tally, by)
	p.show(more.FixDerived, by)
	accepted := rank(learn.TopOf(rows, rule, keptSet), hash, place{was.shown(), was.kept()}, place{p.shown(), p.kept()})
	rejected := rank(learn.TopOf(rows, rule, turnedSet), hash, place{was.shown(), was.turned()}, place{p.shown(), p.turned()})
	if accepted != 0 || rejected != 0 {
		n := learn.At[patternCount](rows, rule, patternsRow)
		n.Accepted += accepted
		n.Rejected += rejected
	}
}

// kept is the rank of an accepted pattern, 0 when it is none.
func (p *pattern) kept() int64 {
	if n := p.Tally.Decided(); n < fewest || 10*p.Tally.Kept() < keepsFrom*n {
		return 0
	}
	return p.Tally.Kept()
}

// turned is the rank of a rejected pattern, 0 when it is none.
func (p *pattern) turned() int64 {
	if n := p.Tally.Decided(); n < fewest || 10*p.Tally.Kept() > turnsUpTo*n {
		return 0
	}
	return p.Tally.Rejected
}

// place is where a pattern stands in a learn.Top: ties go by what is shown.
type place struct {
	shown words
	n     int64
}

// The kinds of patterns.
const (
	typeAccepted = "accepted"
	typeRejected = "rejected"
)

// kind is accepted, rejected, or neither: "".
func (p *pattern) kind() string {
	switch {
	case p.kept() > 0:
		return typeAccepted
	case p.turned() > 0:
		return typeRejected
	}
	return ""
}

const labelSep = "\x1f" // sorts before everything that is shown

func (p place) label(hash string) string {
	return p.shown.Original + labelSep + p.shown.Suggested + labelSep + hash
}

// hashOf is the pattern that a label of place stands for.
func hashOf(label string) string { return label[strings.LastIndex(label, labelSep)+1:] }

// rank moves a pattern and returns by how much the number of ranked ones grew.
func rank(top learn.Top, hash string, was, is place) int64 {
	switch {
	case was.n == is.n && (is.n == 0 || was.sameText(is)):
	case was.n > 0 && !was.sameText(is):
		top.Move(was.label(hash), was.n, 0)
		top.Move(is.label(hash), 0, is.n)
	default:
		top.Move(is.label(hash), was.n, is.n)
	}
	return min(is.n, 1) - min(was.n, 1)
}

func (p place) sameText(o place) bool {
	return p.shown.Original == o.shown.Original && p.shown.Suggested == o.shown.Suggested
}

func (p *pattern) show(d *events.FixDerived, by int64) {
	w := p.in(privacy.Mode(d.Mode))
	w.N += by
	w.Original, w.Suggested = d.Original, d.Suggested
	if w.N == 0 {
		*w = words{}
	}
}

func (p *pattern) in(mode privacy.Mode) *words {
	switch mode {
	case privacy.Strict:
		return &p.Strict
	case privacy.Full:
		return &p.Full
	default:
		return &p.Masked
	}
}

// shown is the most careful form there is.
func (p *pattern) shown() words {
	switch {
	case p.Strict.N > 0:
		return p.Strict
	case p.Masked.N > 0:
		return p.Masked
	}
	return p.Full
}

// decided is a pattern and its tally, as insights and statistics list it.
type decided struct {
	Hash      string `json:"hash"`
	Original  string `json:"original"`
	Suggested string `json:"suggested"`
	Tally     Tally  `json:"tally"`
	// Reasons are the most frequent remarks of those who rejected it.
	Reasons []Remark `json:"reasons,omitzero"`
}

// bestPatterns lists the k highest ranked patterns of a rule.
func bestPatterns(rows learn.Rows, key learn.Key, set string, k int) []decided {
	var best []decided
	for _, ranked := range learn.TopOf(rows, key, set).Best(k) {
		hash := hashOf(ranked.Label)
		p := learn.Peek[pattern](rows, key, patternRows+hash)
		if p.Tally == (Tally{}) {
			continue // a label that place did not make
		}
		w := p.shown()
		best = append(best, decided{hash, w.Original, w.Suggested, p.Tally, remarks(rows, key, whySet+"/"+hash, mostReasons)})
	}
	return best
}
