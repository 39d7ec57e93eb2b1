package search

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// corpus invents learnings whose words are as unevenly common as those of real text: a third says nothing by
// itself, the rest follows Zipf's law over 200 000 words, half of it from the learning's own topic, and one
// word in twenty is code.
type corpus struct {
	rand   *rand.Rand
	common *rand.Zipf
	topic  *rand.Zipf
	stops  []string
}

const (
	corpusWords  = 200_000
	corpusTopics = 400
	topicWords   = 2_000
)

func newCorpus(seed uint64) *corpus {
	r := rand.New(rand.NewPCG(seed, 4))
	stops := make([]string, 0, len(stopWords))
	for w := range stopWords {
		stops = append(stops, w)
	}
	slices.Sort(stops)
	return &corpus{
		rand: r, stops: stops,
		common: rand.NewZipf(r, 1.05, 8, corpusWords-1),
		topic:  rand.NewZipf(r, 1.1, 4, topicWords-1),
	}
}

// spell returns the word of a rank; no two ranks share one.
func spell(rank uint64) string {
	const consonants, vowels = "bcdfgklmnprtvz", "aeio"
	var sb strings.Builder
	for n := rank + 60; n > 0; n /= uint64(len(consonants) * len(vowels)) {
		sb.WriteByte(consonants[n%14])
		sb.WriteByte(vowels[n/14%4])
	}
	return sb.String()
}

func (c *corpus) word(topic uint64) string {
	switch p := c.rand.Float64(); {
	case p < .35:
		return c.stops[c.rand.IntN(len(c.stops))]
	case p < .40:
		return c.code(topic)
	case p < .70:
		return spell((topic*7919 + c.topic.Uint64()*31) % corpusWords)
	default:
		return spell(c.common.Uint64())
	}
}

func (c *corpus) code(topic uint64) string {
	x, y := spell(c.common.Uint64()%3000), spell((topic*7919+c.topic.Uint64()*31)%corpusWords)
	switch c.rand.IntN(3) {
	case 0:
		return x + strings.ToUpper(y[:1]) + y[1:]
	case 1:
		return x + "_" + y
	default:
		return x + "/" + y + ".go"
	}
}

func (c *corpus) text(topic uint64, words int) string {
	all := make([]string, words)
	for i := range all {
		all[i] = c.word(topic)
	}
	return strings.Join(all, " ") + "."
}

var corpusDomains = []string{"build", "database", "frontend", "network", "security", "testing"}

// doc returns the learning of a number.
func (c *corpus) doc(n int) Doc {
	topic := c.rand.Uint64N(corpusTopics)
	status := "active"
	if c.rand.IntN(10) == 0 {
		status = "archived"
	}
	return Doc{
		ID: fmt.Sprintf("learn_%012d", n), Title: c.text(topic, 8),
		Context: c.text(topic, 15+c.rand.IntN(10)), Observation: c.text(topic, 18+c.rand.IntN(15)),
		Implication: c.text(topic, 12+c.rand.IntN(12)), Action: c.text(topic, 15+c.rand.IntN(15)),
		Tags:   []string{spell(topic), spell(c.common.Uint64())},
		Domain: corpusDomains[topic%uint64(len(corpusDomains))], Status: status,
		Outcome:    fmt.Sprintf("task-%d", n/3),
		Confidence: .3 + .7*c.rand.Float64(), Posterior: .2 + .7*c.rand.Float64(),
	}
}

// query returns a task of 35 words, with every filter set.
func (c *corpus) query() Query {
	topic := c.rand.Uint64N(corpusTopics)
	return Query{
		Text: c.text(topic, 35), MinConfidence: .5, Status: "active",
		Domain: corpusDomains[topic%uint64(len(corpusDomains))], ExcludeOutcome: "task-7",
	}
}
