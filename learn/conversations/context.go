package conversations

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"learnloop.dev/events"
	"learnloop.dev/inorder"
	"learnloop.dev/learn"
	"learnloop.dev/stats"

	"github.com/go-json-experiment/json"
)

// What makes a preference.
const (
	enough = 10 // answers somebody reacted to, before there is a style (003)
	full   = 50 // of them, for a confidence of 1 (003)
	few    = 3  // samples of a topic (003)

	// Personal is the confidence above which answers are made personal (003).
	Personal = 0.3
)

// render makes the context of a person: all evidence lies in one partition.
func render(key learn.Key, parts []known) (any, bool) {
	if len(parts) == 0 {
		return nil, false
	}
	return preferences(key.ID, &parts[0]), true
}

// Empty is the context of somebody nothing is known about.
func Empty(id string) Preferences {
	return preferences(id, &known{})
}

func preferences(id string, k *known) Preferences {
	p := Preferences{
		Kind: KindUser, ID: id, Schema: schemaUser, SampleSize: k.Taste.N,
		Style: k.style(), Topics: k.topics(), ErrorPatterns: k.patterns(), TimeOfDay: k.timeOfDay(),
		Anomalies: k.anomalies(), GoodAnswers: append([]GoodAnswer{}, k.Good...), Corrected: []string{},
		Evidence: Evidence{
			First: date(k.First), Last: date(k.Last), Exchanges: k.Exchanges, Sessions: k.Sessions,
			Explicit: k.Explicit, Implicit: k.Implicit,
		},
	}
	p.Confidence = p.Style.Confidence
	if k.LastAt == 0 {
		p.Evidence.First, p.Evidence.Last = "", ""
	}
	if q, ok := k.Quality.mean(); ok {
		p.Evidence.Quality = new(digits(q))
	}
	for _, s := range k.Set {
		p.Corrected = append(p.Corrected, string(s.Type)+"/"+s.Key)
	}
	p.Advice = p.advice(k)
	p.Prompt = Say(p.Advice)
	return p
}

// The names of style preferences, as people correct them.
const (
	lengthName   = "length_preference"
	depthName    = "depth_preference"
	formatName   = "preferred_format"
	examplesName = "examples_preference"
)

// style reads the taste; up to ten answers nothing is said.
func (k *known) style() Style {
	var beta [traits]float64
	s := Style{SampleSize: k.Taste.N}
	if k.Taste.N >= enough {
		beta = k.Taste.effect()
		s.Confidence = min(1, float64(k.Taste.N)/full)
	}
	s.Length = k.trait(lengthTrait, beta, lengthName)
	s.Depth = k.trait(depthTrait, beta, depthName)
	s.Format = k.trait(formatTrait, beta, formatName)
	s.Examples = k.trait(examplesTrait, beta, examplesName)
	s.LengthPreference, s.DepthPreference, s.ExamplesPreference = s.Length.Value, s.Depth.Value, s.Examples.Value
	s.PreferredFormat = formatOf(s.Format.Value)
	if set := k.set(events.StylePreference, formatName); set != nil && set.Value != "" {
		var name string
		if json.Unmarshal([]byte(set.Value), &name) == nil && slices.Contains(formats, name) {
			s.PreferredFormat = name
		}
	}
	return s
}

// The formats that people like.
const (
	formatProse    = "prose"
	formatBalanced = "balanced"
	formatLists    = "lists"
)

// formats are the names that a person may set; two say more about length than form (003).
var formats = []string{formatProse, formatBalanced, formatLists, "concise", "detailed"}

// The ends of a preference from which on it is spoken of (003).
const (
	lowEnd  = 0.3
	highEnd = 0.7
	much    = 0.6 // of depth and examples; little is as far on the other side
)

func formatOf(value float64) string {
	switch {
	case value < lowEnd:
		return formatProse
	case value > highEnd:
		return formatLists
	}
	return formatBalanced
}

// traitDigits is how far values are written out: enough to see, too little to flutter.
const traitDigits = 2

func (k *known) trait(i int, beta [traits]float64, name string) Trait {
	t := Trait{Value: stats.Round(clamp(0.5+float64(beta[i]/2*steep)), traitDigits), SampleSize: k.Taste.N}
	if k.Taste.N >= enough {
		t.Confidence = min(1, float64(k.Taste.N)/full)
		t.Typical = k.Taste.typical(i)
	}
	set := k.set(events.StylePreference, name)
	switch {
	case set == nil:
	case set.Value == "":
		t.Value, t.Corrected = 0.5, true
	default:
		if x, ok := set.number(); ok {
			t.Value, t.Confidence, t.Corrected = stats.Round(x, traitDigits), 1, true
		}
	}
	return t
}

// steep is how far a value leaves the middle with an effect: one of a third is an end, which is the most that
// a trait comes to where a person likes several.
const steep = 3

// typical is what answers that were taken well measure in a trait.
func (t *taste) typical(i int) *float64 {
	if t.Liked < few {
		return nil
	}
	mean := t.Good[i] / t.Liked
	const perWord, thousand = 6, 1000
	switch i {
	case lengthTrait: // words
		return new(float64(exp2(mean) / perWord))
	case depthTrait: // thousandths of words
		return new(float64(mean))
	case examplesTrait:
		return new(stats.Round(float64(2*mean)/thousand, 1))
	}
	return new(stats.Round(float64(mean)/thousand, traitDigits))
}

// set is what the person set a preference to, nil when nothing.
func (k *known) set(t events.PreferenceType, key string) *setting {
	i := slices.IndexFunc(k.Set, func(s setting) bool { return s.Type == t && s.Key == key })
	if i < 0 {
		return nil
	}
	return &k.Set[i]
}

// number is a value of 0..1.
func (s *setting) number() (x float64, ok bool) {
	if json.Unmarshal([]byte(s.Value), &x) == nil {
		return clamp(x), true
	}
	switch strings.Trim(s.Value, `"`) {
	case formatLists:
		return 1, true
	case formatProse:
		return 0, true
	case formatBalanced, "concise", "detailed":
		return unknown, true
	}
	return 0, false
}

// shrink is how many samples of the person's mean engagement stand beside those of a topic.
const shrink = 5

// topics are those with enough samples, the best first.
func (k *known) topics() []Topic {
	list := []Topic{}
	mean, _ := k.Interest.mean()
	for _, t := range k.Topics {
		if set := k.set(events.TopicAffinity, t.Topic); t.Ever.N >= few && (set == nil || set.Value == "") {
			list = append(list, Topic{
				Topic: t.Topic, Affinity: stats.Round(shrunk(t.Ever, mean), traitDigits), Samples: t.Ever.N, Trend: t.trend(mean),
			})
		}
	}
	for _, s := range k.Set {
		if x, ok := s.number(); s.Type == events.TopicAffinity && ok {
			list = append(list, Topic{Topic: s.Key, Affinity: stats.Round(x, traitDigits), Samples: k.samples(s.Key), Corrected: true})
		}
	}
	inorder.Sort(list, func(a, b Topic) int {
		return cmp.Or(cmp.Compare(b.Affinity, a.Affinity), cmp.Compare(b.Samples, a.Samples), strings.Compare(a.Topic, b.Topic))
	})
	show(list)
	return list[:min(len(list), mostListed)]
}

func (k *known) samples(topic string) int64 {
	for _, t := range k.Topics {
		if t.Topic == topic {
			return t.Ever.N
		}
	}
	return 0
}

func shrunk(s Sum, mean float64) float64 {
	return (float64(s.Micros)/million + float64(shrink*mean)) / float64(s.N+shrink)
}

// trend compares the last thirty days with the time before.
func (t topicKnown) trend(mean float64) *float64 {
	before := Sum{t.Ever.N - t.Recent.N, t.Ever.Micros - t.Recent.Micros}
	if before.N <= 0 || t.Recent.N <= 0 {
		return nil
	}
	return new(stats.Round(shrunk(t.Recent, mean)-shrunk(before, mean), traitDigits))
}

// show stretches the affinities from 0 to 1 and marks the best fifth (003). Topics come
// by falling affinity.
func show(list []Topic) {
	if len(list) == 0 {
		return
	}
	const fifth = 5
	best, least := list[0].Affinity, list[len(list)-1].Affinity
	for i := range list {
		list[i].High = i < (len(list)+fifth-1)/fifth
		if best > least {
			list[i].Shown = stats.Round((list[i].Affinity-least)/(best-least), traitDigits)
		}
	}
}

func (k *known) patterns() []ErrorPattern {
	list := []ErrorPattern{}
	for _, f := range k.Faults {
		list = append(list, f.described())
	}
	return list
}

// timeOfDay is told from ten exchanges on.
func (k *known) timeOfDay() *TimeOfDay {
	if k.Exchanges < enough {
		return nil
	}
	const peaks = 3
	order := make([]int64, 0, len(k.Hours.Counts))
	for h, n := range k.Hours.Counts {
		if n > 0 {
			order = append(order, int64(h))
		}
	}
	inorder.Sort(order, func(a, b int64) int { return cmp.Compare(k.Hours.Counts[b], k.Hours.Counts[a]) })
	t := &TimeOfDay{Peak: slices.Sorted(slices.Values(order[:min(len(order), peaks)])), Counts: slices.Clone(k.Hours.Counts[:])}
	if k.Hours.Sessions > 0 {
		const perMinute = 60 * million
		t.SessionMinutes = stats.Round(float64(k.Hours.Micros)/float64(k.Hours.Sessions)/perMinute, 1)
	}
	return t
}

// anomalies are days unlike the others in quality or number of exchanges.
func (k *known) anomalies() []Anomaly {
	list := append(unlike("quality", k.Days, func(d dayKnown) (float64, bool) {
		m, ok := d.Overall.mean()
		return m, ok && d.Overall.N >= few
	}), unlike("exchanges", k.Days, func(d dayKnown) (float64, bool) { return float64(d.N), d.N > 0 })...)
	inorder.Sort(list, func(a, b Anomaly) int { return strings.Compare(b.Day, a.Day) })
	return append([]Anomaly{}, list[:min(len(list), mostAnomalies)]...)
}

// unlike lists the days that lie three standard deviations of the others, and a fifth of
// their mean, away from that mean.
func unlike(metric string, days []dayKnown, of func(dayKnown) (float64, bool)) (list []Anomaly) {
	const fewestDays, far, least = 7, 3, 0.2
	var n, sum, squares float64
	for _, d := range days {
		if x, ok := of(d); ok {
			n, sum, squares = n+1, sum+x, squares+float64(x*x)
		}
	}
	for _, d := range days {
		x, ok := of(d)
		if !ok || n <= fewestDays {
			continue
		}
		mean := (sum - x) / (n - 1)
		sd := math.Sqrt(max(0, (squares-float64(x*x))/(n-1)-float64(mean*mean)))
		if away := math.Abs(x - mean); away > far*sd && away > least*mean {
			list = append(list, Anomaly{date(d.Day), metric, digits(x), digits(mean)})
		}
	}
	return list
}
