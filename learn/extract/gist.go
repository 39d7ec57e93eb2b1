package extract

import (
	"hash/fnv"
	"slices"
	"strings"
	"unicode"

	"learnloop.dev/events"
)

// gist is what a learning says, as far as another can say the same or the opposite.
type gist struct{ title, observation, action part }

// part is what one of its texts says. Words are kept as hashes, in order, so that no
// text is.
type part struct {
	words, numbers []uint64
	// against and ends are which way the text goes: along or, with a negation,
	// against, and to which ends of axes.
	against bool
	ends    []side
}

// negations turn an action around.
var negations = wordSet(`not never no don't avoid without cannot can't shouldn't mustn't isn't doesn't won't`)

// axes are words that say the opposite of each other.
var axes = axesOf(`enable disable, add remove, increase decrease, raise lower, allow deny, allow forbid, accept reject, before after,
	open close, include exclude, more less, more fewer, keep drop, keep delete, pin unpin, synchronous asynchronous, sync async,
	lock unlock, encrypt decrypt, join split, merge split, push pull, first last, up down, on off, early late, start stop,
	eager lazy, ascending descending, public private, mutable immutable, optimistic pessimistic, serial parallel,
	together separately, show hide, upgrade downgrade, single multiple`)

// side is one end of an axis.
type side struct {
	axis   string
	second bool
}

func axesOf(text string) map[string][]side {
	all := map[string][]side{}
	for pair := range strings.SplitSeq(text, ",") {
		ends := strings.Fields(pair)
		for i, word := range ends {
			word = base(word)
			all[word] = append(all[word], side{strings.Join(ends, "/"), i == 1})
		}
	}
	return all
}

// gistOf reads what a learning says.
func gistOf(l *events.Learning) gist {
	return gist{partOf(l.Title), partOf(l.Observation), partOf(l.Action)}
}

// revised replaces what a revision names.
func (g gist) revised(r *events.Revision) gist {
	for _, change := range []struct {
		part *part
		text *string
	}{{&g.title, r.Title}, {&g.observation, r.Observation}, {&g.action, r.Action}} {
		if change.text != nil {
			*change.part = partOf(*change.text)
		}
	}
	return g
}

// about are the words of the situation.
func (g gist) about() []uint64 { return union(g.title.words, g.observation.words) }

// numbers are those that stand anywhere.
func (g gist) numbers() []uint64 {
	return union(g.title.numbers, g.observation.numbers, g.action.numbers)
}

// union is what stands in any of some sets, in order.
func union(sets ...[]uint64) []uint64 {
	all := slices.Concat(sets...)
	slices.Sort(all)
	return slices.Clip(slices.Compact(all))
}

func partOf(text string) part {
	var p part
	for _, w := range words(text) {
		lower, word := strings.ToLower(w), base(w)
		if negations[lower] {
			p.against = !p.against
		}
		p.ends = append(p.ends, axes[word]...)
		switch {
		case strings.ContainsFunc(lower, unicode.IsDigit):
			p.numbers = append(p.numbers, hash(lower))
		case !plain[lower] && !negations[lower] && len(axes[word]) == 0:
			p.words = append(p.words, hash(word))
		}
	}
	p.words, p.numbers = union(p.words), union(p.numbers)
	return p
}

// opposes reports whether two texts about the same lead to opposite ends.
func (p part) opposes(other part) bool {
	turned := p.against != other.against
	for _, mine := range p.ends {
		if slices.ContainsFunc(other.ends, func(theirs side) bool { return theirs.axis == mine.axis && theirs.second != mine.second }) {
			return !turned
		}
	}
	return turned
}

// hash is a word or an id as it is remembered.
func hash(word string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(word)) // never fails
	return h.Sum64()
}
