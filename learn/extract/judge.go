package extract

import (
	"fmt"
	"math"
	"slices"

	"learnloop.dev/events"
)

// Finding is what a learning is to those that are known.
type Finding int

// The findings.
const (
	New       Finding = iota // nothing like it is known
	Same                     // one that the loop made says the same: it gets more evidence
	Opposite                 // one that the loop made says the opposite: it is superseded
	Doubtful                 // one that the loop may not change says the same or the opposite: a person decides
	Undecided                // one that waits for a person says the same
	Unwanted                 // one that a person rejected says the same
)

// Verdict is a finding, about which learning, and why in words of our own.
type Verdict struct {
	Finding Finding
	Of      events.ID
	// Contradicts says of a doubtful one that it says the opposite.
	Contradicts bool
	Reason      string
}

// How alike two learnings are: the weight of the words that they share in that of
// all their words. Measured on the discoveries of recorded tasks: different ones
// stay below .6, rewordings by one word are above .75.
const (
	sameSituation = 0.75
	likeSituation = 0.6 // enough when the actions are opposite
	sameAction    = 0.5
)

// Judge compares a learning with those that are known.
func (m *Memory) Judge(l *events.Learning) Verdict {
	mine := gistOf(l)
	about := mine.about()
	var best *entry
	alike, against := 0.0, false
	for e := range m.near(about) {
		if e.id == l.ID || e.standing == superseded {
			continue
		}
		like := m.overlap(about, e.gist.about())
		if like < likeSituation || m.overlap(mine.action.words, e.gist.action.words) < sameAction {
			continue
		}
		opposite := mine.action.opposes(e.gist.action)
		if !opposite && (like < sameSituation || !slices.Equal(mine.numbers(), e.gist.numbers())) {
			continue
		}
		if best == nil || like > alike || like == alike && e.id < best.id {
			best, alike, against = e, like, opposite
		}
	}
	if best == nil {
		return Verdict{}
	}
	return best.verdict(alike, against)
}

// near are the learnings that share a word with what one is about.
func (m *Memory) near(about []uint64) map[*entry]bool {
	found := map[*entry]bool{}
	for _, w := range about {
		if len(m.words[w]) > len(m.entries)/10+50 {
			continue // a word of many tells nobody apart
		}
		for _, e := range m.words[w] {
			found[e] = true
		}
	}
	return found
}

// overlap is the weight of what two sets share in that of all; 1 for two empty sets.
func (m *Memory) overlap(a, b []uint64) float64 {
	shared, all := 0.0, 0.0
	for _, w := range union(a, b) {
		weight := m.weight(w)
		all += weight
		_, inA := slices.BinarySearch(a, w)
		_, inB := slices.BinarySearch(b, w)
		if inA && inB {
			shared += weight
		}
	}
	if all == 0 {
		return 1
	}
	return shared / all
}

// weight is what a word says: the more, the fewer learnings are about it.
func (m *Memory) weight(word uint64) float64 {
	return math.Log(2 + float64(len(m.entries))/float64(1+len(m.words[word])))
}

// verdict says what follows from being like an entry.
func (e *entry) verdict(alike float64, against bool) Verdict {
	v := Verdict{Of: e.id, Contradicts: against}
	says := "the same as"
	if against {
		says = "the opposite of"
	}
	v.Reason = fmt.Sprintf("says %s %s: %.0f %% of the words of the situation are alike", says, e.id, 100*alike)
	switch {
	case e.standing == proposed:
		v.Finding = Undecided
	case e.standing == rejected:
		v.Finding = Unwanted
	case e.standing == archived:
		v.Finding = Doubtful
		v.Reason += ", and it was archived"
	case !e.extracted():
		v.Finding = Doubtful
		v.Reason += ", which somebody wrote"
	case against:
		v.Finding = Opposite
	default:
		v.Finding = Same
	}
	if against && (e.standing == proposed || e.standing == rejected || e.standing == archived) {
		return Verdict{} // what does not count contradicts nothing
	}
	return v
}
