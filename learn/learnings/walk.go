package learnings

import "learnloop.dev/learn"

// level is a confidence in millionths, so that every machine adds it up alike.
type level int64

const (
	full level = 1_000_000

	// The documented walk (001, confidence algorithm).
	floor       level = 100_000 // what votes and time never go below
	helpfulStep level = 50_000
	badStep     level = -100_000
	unusedStep  level = -20_000
	unusedTime        = 30 * day // without use, before the first step and between steps

	// standard is the initial confidence of an entry that states none (001, schema).
	standard = full / 2
	// boundless is further than any walk goes.
	boundless level = 1 << 40
)

func levelOf(confidence *float64) level {
	if confidence == nil {
		return standard
	}
	c := *confidence
	if !(c > 0) {
		return 0
	}
	return level(float64(min(c, 1)*float64(full)) + 0.5)
}

func (l level) share() float64 { return float64(l) / float64(full) }

// step is one thing that moved the confidence of a learning: a vote, or somebody
// who set it.
type step struct {
	Set     bool  `json:"set,omitzero"`
	To      level `json:"to,omitzero"` // where it was set to
	Helpful bool  `json:"helpful,omitzero"`
	Bad     bool  `json:"bad,omitzero"`
}

// path is what a number of steps make of any confidence, one after the other: each
// is x → min(High, max(Low, x+By)), and so are several.
type path struct {
	Steps int64 `json:"steps"` // none: it leaves everything as it is
	Low   level `json:"low"`
	High  level `json:"high"`
	By    level `json:"by"`
	// Helpful and Bad count the votes since the confidence was set, and Base is
	// what it was set to, if it was.
	Helpful int64 `json:"helpful,omitzero"`
	Bad     int64 `json:"bad,omitzero"`
	Set     bool  `json:"set,omitzero"`
	Base    level `json:"base,omitzero"`
	// Last names the last step.
	Last string `json:"last"`
}

func pathOf(s step) path {
	p := path{Steps: 1, Low: -boundless, High: boundless}
	switch {
	case s.Set:
		p.Low, p.High, p.Set, p.Base = s.To, s.To, true, s.To
	case s.Helpful:
		p.High, p.By, p.Helpful = full, helpfulStep, 1
	case s.Bad:
		p.Low, p.By, p.Bad = floor, badStep, 1
	}
	return p
}

// then is one path after the other.
func (p path) then(next path) path {
	switch {
	case p.Steps == 0:
		return next
	case next.Steps == 0:
		return p
	}
	out := path{
		Steps: p.Steps + next.Steps,
		Low:   next.walk(p.Low),
		High:  next.walk(p.High),
		By:    p.By + next.By,
		Set:   p.Set || next.Set, Base: p.Base,
		Helpful: p.Helpful + next.Helpful, Bad: p.Bad + next.Bad,
		Last: next.Last,
	}
	if next.Set {
		out.Base, out.Helpful, out.Bad = next.Base, next.Helpful, next.Bad
	}
	return out
}

// walk is where a confidence ends.
func (p path) walk(from level) level {
	if p.Steps == 0 {
		return from
	}
	return min(p.High, max(p.Low, from+p.By))
}

// start is the confidence that votes are evidence beside: what it was set to
// last, or the initial one.
func (p path) start(initial level) level {
	if p.Set {
		return p.Base
	}
	return initial
}

// The rows of a learning's walk.
const (
	stepRows = "step/" // step, by time and name
	pathRow  = "path"  // path: all of the steps
	hourRows = "hour/" // path: those of about an hour, by its beginning
	weekRows = "week/" // path: those of about two weeks, by their beginning
)

// How many digits of a moment tell in which hour, and in which weeks, it lies.
const (
	hourDigits = 8 // 2^32 microseconds
	weekDigits = 6 // 2^40
)

// add puts a step at its place in the walk, or takes it out.
func (s step) add(rows learn.Rows, key learn.Key, name string, by int64) {
	row, all := learn.At[step](rows, key, stepRows+name), learn.At[path](rows, key, pathRow)
	hour, weeks := learn.At[path](rows, key, hourRows+name[:hourDigits]), learn.At[path](rows, key, weekRows+name[:weekDigits])
	if by < 0 {
		*row = step{}
	} else {
		*row = s
	}
	if by > 0 && name > all.Last {
		next := pathOf(s)
		next.Last = name
		*hour, *weeks, *all = hour.then(next), weeks.then(next), all.then(next)
		return
	}
	*hour = walked(rows, key, name[:hourDigits])
	*weeks = chained(rows, key, hourRows+name[:weekDigits])
	*all = chained(rows, key, weekRows)
}

// walked goes the steps of an hour again: one came late, or was taken back.
func walked(rows learn.Rows, key learn.Key, hour string) (all path) {
	for row, s := range learn.Scan[step](rows, key, stepRows+hour) {
		next := pathOf(s)
		next.Last = row[len(stepRows):]
		all = all.then(next)
	}
	return all
}

// chained is one path of some, one after the other.
func chained(rows learn.Rows, key learn.Key, prefix string) (all path) {
	for _, next := range learn.Scan[path](rows, key, prefix) {
		all = all.then(next)
	}
	return all
}

// StepOf is how far a vote moves the confidence of a learning.
func StepOf(helpful bool) float64 {
	if helpful {
		return helpfulStep.share()
	}
	return badStep.share()
}
