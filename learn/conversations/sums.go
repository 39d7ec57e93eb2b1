package conversations

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/inorder"
	"learnloop.dev/learn"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The rows of a person that stand for records which are gone, by day and record.
const (
	personRows = "p/" // summed: a known
	dayRows    = "d/" // summed: a Summary
)

// summed is a sum as it is kept: JSON.
type summed struct {
	Value string `json:"value"`
}

// keepPerson keeps what the records of a day said about a person.
func keepPerson(rows learn.Rows, f *events.Fact[events.PersonSummed], by int64) {
	keep(rows, personRows+f.Record, &f.Data.Sum, by)
}

// keepDay keeps what statistics counted of the records of a day.
func keepDay(rows learn.Rows, f *events.Fact[events.DaySummed], by int64) {
	keep(rows, dayRows+f.Record, &f.Data.Sum, by)
}

// keep stands a sum in for records that go, or takes it back.
func keep(rows learn.Rows, row string, s *events.Sum, by int64) {
	if s.Model != Name {
		return
	}
	at := learn.At[summed](rows, userKey(s.Of), row)
	*at = summed{}
	if by > 0 {
		*at = summed{string(s.Value)}
	}
	belong(rows, peopleKey(), s.Of, by)
}

// stored is a day on which records of a person were stored.
type stored struct {
	name string
	day  int64
}

// condense sums up what was stored before a midnight.
func condense(q learn.Question, before time.Time) (list []learn.Digest) {
	newest := newestOf(q.Records, before)
	order := inorder.Sorted(maps.Keys(newest), func(a, b stored) int {
		return cmp.Or(strings.Compare(a.name, b.name), cmp.Compare(a.day, b.day))
	})
	var all evidence // of the person at hand
	var whose string
	for _, at := range order {
		if all == nil || whose != at.name {
			all, whose = evidenceOf(q.Rows, at.name), at.name
			all.foresee(earlierOf(q.Rows, at.name))
		}
		person, counts := all.on(at.day).sums(wishesOf(q.Rows, at.name))
		of := func(value jsontext.Value) events.Sum {
			return events.Sum{Model: Name, Of: at.name, Day: date(at.day), Value: value}
		}
		list = append(list, learn.Digest{Newest: newest[at], Data: []events.Payload{
			&events.DaySummed{Sum: of(counts)}, &events.PersonSummed{Sum: of(person)},
		}})
	}
	return list
}

// newestOf finds the newest record of each person and day of storing.
func newestOf(records learn.Records, before time.Time) map[stored]events.Head {
	newest := map[stored]events.Head{}
	for _, kind := range heard() {
		for rec := range records.InLogOrder(learn.Select{Kind: kind}) {
			h := rec.Header()
			if !h.Recorded.Before(before) {
				continue
			}
			at := stored{h.Key, storedOn(h)}
			if known, ok := newest[at]; !ok || h.Recorded.After(known.Recorded) {
				newest[at] = *h
			}
		}
	}
	return newest
}

// heard are the kinds of evidence.
func heard() []events.Kind {
	return []events.Kind{events.ExchangeRecorded.Kind, events.FeedbackResponse.Kind, events.FeedbackEngagement.Kind}
}

// sums are what evidence comes to: what it says about the person, null when that was
// deleted, and what statistics count.
func (all evidence) sums(w wishes) (person, counts jsontext.Value) {
	s := Summary{Days: map[int64]Day{}, Delays: map[int64]int64{}}
	s.add(all)
	s.settle(mostSittings)
	k, ok := knownBy(all, w)
	if !ok {
		return jsontext.Value("null"), written(s)
	}
	k.settle(mostSittings)
	k.rankFaults()
	k.Faults = k.Faults[:min(len(k.Faults), mostPreferences)]
	k.Topics = k.Topics[:min(len(k.Topics), mostPreferences)]
	for i := range k.Topics {
		k.Topics[i].Recent = Sum{}
	}
	return written(k), written(s)
}

// written is a sum as JSON. It holds integers, texts and finite numbers: that cannot fail.
func written(v any) jsontext.Value {
	data, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		return jsontext.Value("null")
	}
	return data
}

// sumsOf are those about a person that can be read.
func sumsOf(rows learn.Rows, name string) (list []known) {
	for _, s := range learn.Scan[summed](rows, userKey(name), personRows) {
		var k *known
		if json.Unmarshal([]byte(s.Value), &k) == nil && k != nil {
			list = append(list, *k)
		}
	}
	return list
}

// addKept adds the counts of days whose records are gone.
func (s *Summary) addKept(rows learn.Rows, name string) {
	for _, kept := range learn.Scan[summed](rows, userKey(name), dayRows) {
		var day Summary
		if json.Unmarshal([]byte(kept.Value), &day) == nil {
			day.People = 0
			s.join(&day)
		}
	}
}

// cut takes out of a sum what the person deleted since, and reports whether anything is
// left. A sum is older than a wish when all of it is.
func (k *known) cut(w wishes) bool {
	old := func(t events.PreferenceType, key string) bool { return k.LastAt <= w.cut(t, key) }
	style, topics, faults := old(events.StylePreference, ""), old(events.TopicAffinity, ""), old(events.ErrorPattern, "")
	if style {
		k.Taste, k.Good = taste{}, nil
	}
	if topics {
		k.Interest, k.Topics = Sum{}, nil
	}
	if faults {
		k.Faults = nil
	}
	k.Topics = slices.DeleteFunc(k.Topics, func(t topicKnown) bool { return old(events.TopicAffinity, t.Topic) })
	k.Faults = slices.DeleteFunc(k.Faults, func(f fault) bool { return old(events.ErrorPattern, f.Type) })
	return !style || !topics || !faults
}

// plus is both together.
func (k known) plus(o known) known {
	if k.Exchanges+k.Explicit+k.Implicit == 0 {
		return o
	}
	sum := known{
		First: min(k.First, o.First), Last: max(k.Last, o.Last), LastAt: max(k.LastAt, o.LastAt),
		Exchanges: k.Exchanges + o.Exchanges, Sessions: k.Sessions + o.Sessions, Sittings: append(k.Sittings, o.Sittings...), Explicit: k.Explicit + o.Explicit,
		Implicit: k.Implicit + o.Implicit, Quality: k.Quality.plus(o.Quality), Taste: k.Taste.plus(o.Taste),
		Interest: k.Interest.plus(o.Interest), Hours: k.Hours.plus(o.Hours), Days: slices.Concat(k.Days, o.Days),
		Good: slices.Concat(k.Good, o.Good), Topics: joinTopics(k.Topics, o.Topics), Faults: joinFaults(k.Faults, o.Faults),
	}
	sum.rankDays()
	sum.rankGood()
	return sum
}

func (h hours) plus(o hours) hours {
	for i, n := range o.Counts {
		h.Counts[i] += n
	}
	h.Sessions, h.Micros = h.Sessions+o.Sessions, h.Micros+o.Micros
	return h
}

func joinTopics(a, b []topicKnown) []topicKnown {
	list := slices.Concat(a, b)
	inorder.Sort(list, func(x, y topicKnown) int { return strings.Compare(x.Topic, y.Topic) })
	var joined []topicKnown
	for _, t := range list {
		if last := len(joined) - 1; last >= 0 && joined[last].Topic == t.Topic {
			joined[last].Ever, joined[last].Recent = joined[last].Ever.plus(t.Ever), joined[last].Recent.plus(t.Recent)
			continue
		}
		joined = append(joined, t)
	}
	return joined
}

func joinFaults(a, b []fault) []fault {
	list := slices.Concat(a, b)
	inorder.Sort(list, func(x, y fault) int {
		return cmp.Or(strings.Compare(x.Type, y.Type), strings.Compare(x.Topic, y.Topic))
	})
	var joined []fault
	for _, f := range list {
		if last := len(joined) - 1; last >= 0 && joined[last].Type == f.Type && joined[last].Topic == f.Topic {
			joined[last].N += f.N
			all := slices.Concat(joined[last].Examples, f.Examples)
			inorder.Sort(all, func(x, y example) int { return cmp.Or(cmp.Compare(y.At, x.At), strings.Compare(y.ID, x.ID)) })
			joined[last].Examples = all[:min(len(all), mostExamples)]
			continue
		}
		joined = append(joined, f)
	}
	return joined
}

// rankTopics puts the topics first that are asked about most.
func (k *known) rankTopics() {
	inorder.Sort(k.Topics, func(a, b topicKnown) int {
		return cmp.Or(cmp.Compare(b.Ever.N, a.Ever.N), strings.Compare(a.Topic, b.Topic))
	})
}

// rankFaults puts the most frequent first.
func (k *known) rankFaults() {
	inorder.Sort(k.Faults, func(a, b fault) int {
		return cmp.Or(cmp.Compare(b.N, a.N), strings.Compare(a.Type, b.Type), strings.Compare(a.Topic, b.Topic))
	})
}

func (k *known) rankGood() {
	inorder.Sort(k.Good, func(a, b GoodAnswer) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.ExchangeID, b.ExchangeID))
	})
	k.Good = k.Good[:min(len(k.Good), mostGood)]
}

func (k *known) rankDays() {
	inorder.Sort(k.Days, func(a, b dayKnown) int { return cmp.Compare(a.Day, b.Day) })
	var joined []dayKnown
	for _, d := range k.Days {
		if last := len(joined) - 1; last >= 0 && joined[last].Day == d.Day {
			joined[last].N, joined[last].Overall = joined[last].N+d.N, joined[last].Overall.plus(d.Overall)
			continue
		}
		joined = append(joined, d)
	}
	k.Days = joined[max(0, len(joined)-mostDays):]
}

// shorten leaves of what is known what a context may tell.
func (k *known) shorten() {
	k.settle(0)
	k.rankTopics()
	k.Topics = k.Topics[:min(len(k.Topics), mostPreferences)]
	k.Faults = slices.DeleteFunc(k.Faults, func(f fault) bool { return f.N < often })
	k.rankFaults()
	k.Faults = slices.CompactFunc(k.Faults, func(a, b fault) bool { // the same exchanges, under another of their topics
		return a.Type == b.Type && slices.Equal(a.Examples, b.Examples)
	})
	k.Faults = k.Faults[:min(len(k.Faults), mostFaults)]
}
