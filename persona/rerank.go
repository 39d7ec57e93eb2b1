package persona

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"learnloop.dev/inorder"
)

// Result is something that was retrieved.
type Result struct {
	ID    string  `json:"id"`
	Score float64 `json:"score"` // relevance; greater is better, on any scale
	// Topics are what it is about; without them the person's topics are looked for in Text.
	Topics []string `json:"topics,omitzero"`
	Text   string   `json:"text,omitzero"`
	// ExchangeID names the earlier exchange that it comes from, if it does.
	ExchangeID string `json:"exchange_id,omitzero"`
	// Quality is the score of that exchange, 0 to 1; nil looks among the good answers.
	Quality *float64 `json:"quality,omitzero"`
}

// Ranked is a result at its new place. All boosts are of the distance between the
// least and the greatest score.
type Ranked struct {
	Result

	Normalised   float64 `json:"normalised"`    // score from 0, the least, to 1, the greatest
	TopicBoost   float64 `json:"topic_boost"`   // 0 to 0.2, as the terms say
	QualityBoost float64 `json:"quality_boost"` // −0.15 to 0.15
	Final        float64 `json:"final"`         // the sum of the three, by which results stand
	Before       int     `json:"before"`        // its place before, from 0
	Why          string  `json:"why"`           // empty: nothing was done
}

// Rerank orders results for a person, the best first: by relevance, lifted by topics
// the person engages with and by how earlier answers went (003, enhance_retrieval).
// Equals keep their order. Where too little is known all do, and nothing is boosted.
// What has no score comes last.
func Rerank(results []Result, p *Preferences, t Terms) []Ranked {
	ranked := normalise(results)
	if !Known(p) {
		return ranked
	}
	t = t.within()
	taste := tasteOf(p)
	for i := range ranked {
		ranked[i].boost(taste, t.TopicBoost)
	}
	inorder.Sort(ranked, func(a, b Ranked) int {
		return cmp.Or(last(a.Score, b.Score), cmp.Compare(b.Final, a.Final))
	})
	return ranked
}

// last puts what is no number behind what is one.
func last(a, b float64) int {
	switch x, y := math.IsNaN(a), math.IsNaN(b); {
	case x && !y:
		return 1
	case y && !x:
		return -1
	}
	return 0
}

// normalise brings scores to 0..1; equal ones to 1, and what is no number to 0.
// Infinite ones count as the greatest or least finite one.
func normalise(results []Result) []Ranked {
	least, most := math.Inf(1), math.Inf(-1)
	for _, r := range results {
		if s := r.Score; !math.IsNaN(s) && !math.IsInf(s, 0) {
			least, most = min(least, s), max(most, s)
		}
	}
	ranked := make([]Ranked, len(results))
	for i, r := range results {
		n := place(r.Score, least, most)
		ranked[i] = Ranked{Result: r, Normalised: n, Final: n, Before: i}
	}
	return ranked
}

func place(score, least, most float64) float64 {
	switch {
	case math.IsNaN(score), math.IsInf(score, -1):
		return 0
	case score >= most: // equal ones, too
		return 1
	}
	if distance := most - least; !math.IsInf(distance, 0) {
		return (score - least) / distance
	}
	return (score/2 - least/2) / (most/2 - least/2)
}

// The documented influence of the quality of an earlier answer: 15 % up or down.
const (
	neutral      = 0.5
	qualityShare = 0.3 // of the distance from neutral
)

func (r *Ranked) boost(t taste, most float64) {
	var why []string
	if best, found := t.of(&r.Result); found && most > 0 {
		r.TopicBoost = float64(best.affinity * most)
		why = append(why, fmt.Sprintf("about %q, affinity %.2f: %+.3f", best.name, best.affinity, r.TopicBoost))
	}
	if q, found := t.qualityOf(&r.Result); found {
		r.QualityBoost = float64((q - neutral) * qualityShare)
		why = append(why, fmt.Sprintf("from an answer of quality %.2f: %+.3f", q, r.QualityBoost))
	}
	r.Final = r.Normalised + r.TopicBoost + r.QualityBoost
	r.Why = strings.Join(why, "; ")
}

// qualityOf is how the exchange went that a result comes from.
func (t taste) qualityOf(r *Result) (float64, bool) {
	if r.Quality != nil && !math.IsNaN(*r.Quality) {
		return unit(*r.Quality, neutral), true
	}
	q, ok := t.quality[r.ExchangeID]
	return q, ok && r.ExchangeID != ""
}
