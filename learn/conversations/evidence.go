package conversations

import (
	"cmp"
	"slices"
	"strings"

	"learnloop.dev/events"
	"learnloop.dev/inorder"
	"learnloop.dev/learn"
)

// exchange is all evidence about one answer.
type exchange struct {
	told
	recorded bool
	signs    []sign // the latest first
	deeds    []deed // the latest first

	// derived is what the session shows of an exchange nobody reported a deed of.
	derived deed
	// rephrased says that the next question was this one again, in other words.
	rephrased bool
	late      bool    // it came more than ten minutes behind others of its session
	mean      float64 // delay in the session, microseconds; 0 without any
	seen      Observed
	score     Score
	forecast  Forecast
}

// evidence is that of a person, in the order of event time.
type evidence []*exchange

// evidenceOf joins what is kept of a person and reads the sessions.
func evidenceOf(rows learn.Rows, name string) evidence {
	const slab = 64 // exchanges that are made at a time
	key, records := userKey(name), learn.Peek[member](rows, peopleKey(), learn.People+events.Token(name)).Records
	by, free := make(map[string]*exchange, records/2), []exchange(nil)
	var all evidence
	of := func(id string) *exchange {
		x, ok := by[id]
		if !ok {
			if len(free) == 0 {
				free = make([]exchange, min(slab, max(1, records)))
			}
			x, free = &free[0], free[1:]
			x.ID, by[id] = id, x
			all = append(all, x)
		}
		return x
	}
	for _, t := range learn.Scan[told](rows, key, exchangeRows) {
		x := of(t.ID)
		x.told, x.recorded = t, true
	}
	for _, s := range learn.Scan[sign](rows, key, signRows) {
		x := of(s.ID)
		x.signs = append(x.signs, s)
	}
	for _, d := range learn.Scan[deed](rows, key, deedRows) {
		x := of(d.ID)
		x.deeds = append(x.deeds, d)
	}
	return all.ordered()
}

// ordered is evidence by time, with the sessions read.
func (all evidence) ordered() evidence {
	for _, x := range all {
		x.settle()
	}
	all.sort()
	all.readSessions()
	all.judge()
	return all
}

// judge scores every exchange.
func (all evidence) judge() {
	for _, x := range all {
		own, scored := x.without(impersonal), x.without(unscored)
		x.seen = own.observed()
		if parts := x.seen; x.Off.Scoring {
			x.score = UsualWeights().Of(Observed{})
		} else {
			if own != scored { // else the same was seen
				parts = scored.observed()
			}
			x.score = x.weights().Of(parts)
		}
	}
}

func unscored(o off) bool { return o.Scoring }

func impersonal(o off) bool { return o.Personalization }

// without leaves out what was said about an answer while a switch was off.
func (x *exchange) without(barred func(off) bool) *exchange {
	bySign := func(s sign) bool { return barred(s.Off) }
	byDeed := func(d deed) bool { return barred(d.Off) }
	if !slices.ContainsFunc(x.signs, bySign) && !slices.ContainsFunc(x.deeds, byDeed) && !barred(x.derived.Off) {
		return x
	}
	rest := *x
	rest.signs, rest.deeds = slices.DeleteFunc(slices.Clone(x.signs), bySign), slices.DeleteFunc(slices.Clone(x.deeds), byDeed)
	if barred(x.derived.Off) {
		rest.derived, rest.rephrased = deed{}, false
	}
	return &rest
}

// weights are those of the parts of the score: the usual ones, unless an arm of an
// experiment has others.
func (t *told) weights() Weights {
	if t.Weights == (events.ScoreWeights{}) {
		return UsualWeights()
	}
	w := t.Weights
	return Weights{
		Relevance: w.Relevance.Float(), Helpfulness: w.Helpfulness.Float(), Engagement: w.Engagement.Float(),
		Clarity: w.Clarity.Float(), Accuracy: w.Accuracy.Float(),
	}
}

// on leaves of evidence what was stored on a day. What sessions show stays: the next
// question may have been stored on another.
func (all evidence) on(day int64) evidence {
	var some evidence
	for _, x := range all {
		own := exchange{told: x.told, recorded: x.recorded && dayOf(x.Stored) == day, mean: x.mean}
		for _, s := range x.signs {
			if dayOf(s.Stored) == day {
				own.signs = append(own.signs, s)
			}
		}
		for _, d := range x.deeds {
			if dayOf(d.Stored) == day {
				own.deeds = append(own.deeds, d)
			}
		}
		switch {
		case own.recorded:
			own.derived, own.rephrased, own.late, own.forecast = x.derived, x.rephrased, x.late, x.forecast
		case len(own.signs)+len(own.deeds) == 0:
			continue
		default:
			own.told = told{ID: x.ID, Off: x.Off}
			own.settle()
		}
		some = append(some, &own)
	}
	some.sort()
	some.judge()
	return some
}

// sort puts evidence into the order of event time.
func (all evidence) sort() {
	inorder.Sort(all, func(a, b *exchange) int {
		return cmp.Or(cmp.Compare(a.At, b.At), strings.Compare(a.ID, b.ID))
	})
}

// settle puts the latest evidence first. Rows come by record, which breaks ties. An
// exchange that never came is as old as the first that was said about it.
func (x *exchange) settle() {
	inorder.Sort(x.signs, func(a, b sign) int { return cmp.Compare(b.At, a.At) })
	inorder.Sort(x.deeds, func(a, b deed) int { return cmp.Compare(b.At, a.At) })
	if x.recorded {
		return
	}
	x.At = 1<<63 - 1
	for _, s := range x.signs {
		x.At, x.Session = min(x.At, s.At), cmp.Or(x.Session, s.Session)
	}
	for _, d := range x.deeds {
		x.At, x.Session = min(x.At, d.At), cmp.Or(x.Session, d.Session)
	}
}

// deed is what the person did next: as it was reported, else as the session shows it.
func (x *exchange) deed() deed {
	if len(x.deeds) > 0 {
		return x.deeds[0]
	}
	return x.derived
}

// sign is the last explicit sign; a question that was asked again in other words is one
// where there is no other. It is empty when there is none.
func (x *exchange) sign() events.ResponseSign {
	switch {
	case len(x.signs) > 0:
		return x.signs[0].Type
	case x.rephrased:
		return events.Regenerate
	}
	return ""
}

// observed are the parts of the score that there is evidence of.
func (x *exchange) observed() Observed {
	o := Observed{Helpfulness: helpfulness(x.sign())}
	d := x.deed()
	if e, ok := engagement(d, x.mean); ok {
		o.Engagement = &e
	}
	if x.Similar.Known {
		o.Relevance = new(relevance(float64(x.Similar.Value) / 1000))
	}
	if x.Clear.Known {
		o.Clarity = new(float64(x.Clear.Value) / 1000)
	}
	o.Accuracy = accuracy(x.Corrections, d.FollowUp != "")
	return o
}

// topics are those of the question, the weightiest first.
func (x *exchange) topics() []string {
	n := slices.Index(x.Topics[:], "")
	if n < 0 {
		n = len(x.Topics)
	}
	return x.Topics[:n]
}

// personal is the evidence that preferences may follow from.
func (all evidence) personal() evidence {
	rest := make(evidence, 0, len(all))
	for _, x := range all {
		own := x.without(impersonal)
		if !x.Off.Personalization && (own.recorded || len(own.signs)+len(own.deeds) > 0) {
			rest = append(rest, own)
		}
	}
	return rest
}

// since leaves out what is as old as a time, or older.
func (all evidence) since(at int64) evidence {
	first, _ := slices.BinarySearchFunc(all, at, func(x *exchange, at int64) int {
		if x.At <= at {
			return -1
		}
		return 1
	})
	return all[first:]
}
