package conversations

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/inorder"
	"learnloop.dev/learn"
)

// How much is told of a person.
const (
	mostPreferences = 500 // topics that are kept apart (003)
	mostListed      = 20  // topics in a context
	mostFaults      = 10
	mostExamples    = 5 // exchange ids of an error pattern
	mostGood        = 5
	mostAnomalies   = 5
	mostDays        = 90 // that anomalies are looked for among
)

// known is what is known of a person: sums, so that the injector does the wording.
type known struct {
	First     int64 `json:"first"` // day since 1970
	Last      int64 `json:"last"`
	LastAt    int64 `json:"last_at"` // Unix microseconds
	Exchanges int64 `json:"exchanges"`
	Sessions  int64 `json:"sessions"`
	Explicit  int64 `json:"explicit"`
	Implicit  int64 `json:"implicit"`
	Quality   Sum   `json:"quality"`

	// Sittings are sessions beside those counted: what is summed up may go on.
	Sittings []sitting `json:"sittings,omitzero"`

	Taste    taste        `json:"taste"`
	Interest Sum          `json:"interest"` // in all topics together
	Topics   []topicKnown `json:"topics,omitzero"`
	Faults   []fault      `json:"faults,omitzero"`
	Hours    hours        `json:"hours"`
	Days     []dayKnown   `json:"days,omitzero"`
	Good     []GoodAnswer `json:"good,omitzero"`
	Set      []setting    `json:"set,omitzero"`
}

// topicKnown is how a person engaged with a topic: ever, and in the last thirty days.
type topicKnown struct {
	Topic  string `json:"topic"`
	Ever   Sum    `json:"ever"`
	Recent Sum    `json:"recent,omitzero"`
}

// fault is what went wrong: how often, and where.
type fault struct {
	Type     string    `json:"type"`
	Topic    string    `json:"topic,omitzero"`
	N        int64     `json:"n"`
	Examples []example `json:"examples"` // the newest first
}

// example is an exchange in which something went wrong.
type example struct {
	ID string `json:"id"`
	At int64  `json:"at"` // Unix microseconds
}

// hours are when exchanges were, by hours of UTC.
type hours struct {
	Counts   [24]int64 `json:"counts"`
	Sessions int64     `json:"sessions"` // of more than one exchange
	Micros   int64     `json:"micros"`   // that those lasted
}

// dayKnown is a day as anomalies are told by.
type dayKnown struct {
	Day     int64 `json:"day"`
	N       int64 `json:"n"`
	Overall Sum   `json:"overall"`
}

// setting is what a person set or deleted by hand; deleted has no value.
type setting struct {
	Type  events.PreferenceType `json:"type"`
	Key   string                `json:"key"`
	Value string                `json:"value,omitzero"` // JSON
}

// know condenses the evidence of a person; where none is left, what the person set is
// known all the same.
func know(rows learn.Rows, key learn.Key) (known, bool) {
	w := wishesOf(rows, key.ID)
	k, ok := knownBy(evidenceOf(rows, key.ID), w)
	for _, s := range sumsOf(rows, key.ID) {
		if s.cut(w) {
			k, ok = k.plus(s), true
		}
	}
	if !ok && !w.set() {
		return known{}, false
	}
	k.Set = w.settings()
	k.shorten()
	return k, true
}

// knownBy is what evidence says, as far as the person lets it.
func knownBy(all evidence, w wishes) (known, bool) {
	all = all.personal()
	styled := all.since(w.cut(events.StylePreference, ""))
	liked := all.since(w.cut(events.TopicAffinity, ""))
	failed := all.since(w.cut(events.ErrorPattern, ""))
	if len(styled)+len(liked)+len(failed) == 0 {
		return known{}, false
	}
	k := known{First: dayOf(all[0].At), Last: dayOf(all[len(all)-1].At), LastAt: all[len(all)-1].At}
	k.count(all)
	for _, x := range styled {
		k.Taste.take(x)
	}
	k.like(liked, w)
	k.fail(failed, w)
	k.praise(styled)
	k.live(all)
	return k, true
}

// set reports whether the person set anything.
func (all wishes) set() bool {
	for _, w := range all.last {
		if w.Value != "" {
			return true
		}
	}
	return false
}

func (all wishes) settings() (list []setting) {
	for _, w := range all.last {
		list = append(list, setting{w.Type, w.Key, w.Value})
	}
	inorder.Sort(list, func(a, b setting) int {
		return cmp.Or(cmp.Compare(a.Type, b.Type), strings.Compare(a.Key, b.Key))
	})
	return list
}

func (k *known) count(all evidence) {
	for _, x := range all {
		if x.recorded {
			k.Exchanges++
		}
		k.Explicit += int64(len(x.signs))
		k.Implicit += int64(len(x.deeds))
		k.Quality.may(x.score.Overall)
	}
	k.Sittings = all.sittings()
}

// recently is how far back the trend of a topic looks.
const recently = int64(30 * 24 * time.Hour / time.Microsecond)

// like adds up how the person engages with topics.
func (k *known) like(all evidence, w wishes) {
	by := map[string]*topicKnown{}
	for _, x := range all {
		interest, ok := x.seen.interest()
		if !ok {
			continue
		}
		k.Interest.take(interest)
		for _, topic := range x.topics() {
			if x.At <= w.cut(events.TopicAffinity, topic) {
				continue
			}
			t, ok := by[topic]
			if !ok {
				t = &topicKnown{Topic: topic}
				by[topic] = t
			}
			t.Ever.take(interest)
			if x.At > all[len(all)-1].At-recently {
				t.Recent.take(interest)
			}
		}
	}
	for _, t := range by {
		k.Topics = append(k.Topics, *t)
	}
	k.rankTopics()
}

// praise lists the answers that went best.
func (k *known) praise(all evidence) {
	const good, observed = 0.75, 0.5
	for _, x := range all {
		s := x.score
		if x.recorded && s.Overall != nil && *s.Overall >= good && s.Confidence >= observed {
			k.Good = append(k.Good, GoodAnswer{x.ID, *s.Overall, slices.Clone(x.topics())})
		}
	}
	k.rankGood()
}

// live adds up when the person asks.
func (k *known) live(all evidence) {
	for _, x := range all {
		if x.recorded {
			k.Hours.Counts[time.UnixMicro(x.At).UTC().Hour()]++
		}
	}
	days := all.days()
	for day, d := range days {
		k.Days = append(k.Days, dayKnown{day, d.Exchanges, d.Overall})
	}
	k.rankDays()
}
