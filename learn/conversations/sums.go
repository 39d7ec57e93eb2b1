package conversations

import (
	"cmp"
	"slices"
	"strings"

	"learnloop.dev/events"
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

// Sums are what a person's records of one day come to that were stored on it: when the
// records go they stand for them.
type Sums struct {
	Of     string         `json:"of"`     // whose they are, the stored name
	Day    string         `json:"day"`    // YYYY-MM-DD (UTC), on which the records were stored
	Person jsontext.Value `json:"person"` // what they say about the person; null when that was deleted
	Counts jsontext.Value `json:"counts"` // what the statistics count
}

// SumsArgs ask for the sums of records that were stored before a day.
type SumsArgs struct {
	Before string `json:"before"` // YYYY-MM-DD (UTC)
	Limit  int    `json:"limit"`  // how many sums at most; 0 is no limit
}

func answerSums(q learn.Question) (any, error) {
	args, err := learn.ReadArgs[SumsArgs](q, "up to which day sums are meant")
	if err != nil {
		return nil, err
	}
	list := []Sums{}
	for _, m := range learn.Scan[member](q.Rows, peopleKey(), learn.People) {
		for _, day := range storedDays(q.Rows, m.Name) {
			if args.Limit > 0 && len(list) >= args.Limit {
				return list, nil
			}
			if date(day) < args.Before {
				list = append(list, sumsOn(q.Rows, m.Name, day))
			}
		}
	}
	return list, nil
}

// storedDays are those on which evidence of a person was stored, in order.
func storedDays(rows learn.Rows, name string) []int64 {
	var days []int64
	evidenceOn(rows, name, func(stored int64) bool {
		days = append(days, stored)
		return false
	})
	slices.Sort(days)
	return slices.Compact(days)
}

func sumsOn(rows learn.Rows, name string, day int64) Sums {
	all := evidenceOn(rows, name, func(stored int64) bool { return stored == day })
	s := Summary{Days: map[int64]Day{}, Delays: map[int64]int64{}}
	s.add(all)
	sums := Sums{Of: name, Day: date(day), Person: jsontext.Value("null"), Counts: written(s)}
	if k, ok := knownBy(all, wishesOf(rows, name)); ok {
		k.rankFaults()
		k.Faults = k.Faults[:min(len(k.Faults), mostPreferences)]
		k.Topics = k.Topics[:min(len(k.Topics), mostPreferences)]
		for i := range k.Topics {
			k.Topics[i].Recent = Sum{}
		}
		sums.Person = written(k)
	}
	return sums
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
			*s = MergeSummaries(*s, day)
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
		Exchanges: k.Exchanges + o.Exchanges, Sessions: k.Sessions + o.Sessions, Explicit: k.Explicit + o.Explicit,
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
	slices.SortStableFunc(list, func(x, y topicKnown) int { return strings.Compare(x.Topic, y.Topic) })
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
	slices.SortStableFunc(list, func(x, y fault) int {
		return cmp.Or(strings.Compare(x.Type, y.Type), strings.Compare(x.Topic, y.Topic))
	})
	var joined []fault
	for _, f := range list {
		if last := len(joined) - 1; last >= 0 && joined[last].Type == f.Type && joined[last].Topic == f.Topic {
			joined[last].N += f.N
			all := slices.Concat(joined[last].Examples, f.Examples)
			joined[last].Examples = all[:min(len(all), mostExamples)]
			continue
		}
		joined = append(joined, f)
	}
	return joined
}

// rankTopics puts the topics first that are asked about most.
func (k *known) rankTopics() {
	slices.SortFunc(k.Topics, func(a, b topicKnown) int {
		return cmp.Or(cmp.Compare(b.Ever.N, a.Ever.N), strings.Compare(a.Topic, b.Topic))
	})
}

// rankFaults puts the most frequent first.
func (k *known) rankFaults() {
	slices.SortFunc(k.Faults, func(a, b fault) int {
		return cmp.Or(cmp.Compare(b.N, a.N), strings.Compare(a.Type, b.Type), strings.Compare(a.Topic, b.Topic))
	})
}

func (k *known) rankGood() {
	slices.SortStableFunc(k.Good, func(a, b GoodAnswer) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.ExchangeID, b.ExchangeID))
	})
	k.Good = k.Good[:min(len(k.Good), mostGood)]
}

func (k *known) rankDays() {
	slices.SortStableFunc(k.Days, func(a, b dayKnown) int { return cmp.Compare(a.Day, b.Day) })
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
	k.rankTopics()
	k.Topics = k.Topics[:min(len(k.Topics), mostPreferences)]
	k.Faults = slices.DeleteFunc(k.Faults, func(f fault) bool { return f.N < often })
	k.rankFaults()
	k.Faults = slices.CompactFunc(k.Faults, func(a, b fault) bool { // the same exchanges, under another of their topics
		return a.Type == b.Type && slices.Equal(a.Examples, b.Examples)
	})
	k.Faults = k.Faults[:min(len(k.Faults), mostFaults)]
}
