package persona_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"learnloop.dev/learn/conversations"
	"learnloop.dev/persona"
)

func ids(ranked []persona.Ranked) string {
	var all []string
	for _, r := range ranked {
		all = append(all, r.ID)
	}
	return strings.Join(all, " ")
}

func TestTopicsAndGoodAnswersLiftResults(t *testing.T) {
	bad := 0.0
	got := persona.Rerank([]persona.Result{
		{ID: "best", Score: 0.90, Text: "How to bake bread"},
		{ID: "bad", Score: 0.89, ExchangeID: "x-9", Quality: &bad},
		{ID: "topic", Score: 0.85, Text: "Maps in Go are unordered."},
		{ID: "good", Score: 0.84, ExchangeID: "x-7"},
		{ID: "least", Score: 0.50},
	}, anna(), persona.Usual())
	if ids(got) != "topic best good bad least" {
		t.Errorf("%+v", got)
	}
	topic, good := got[0], got[2]
	if math.Abs(topic.Normalised-0.875) > 1e-12 || math.Abs(topic.TopicBoost-0.18) > 1e-12 || topic.Before != 2 || !strings.Contains(topic.Why, `"go"`) {
		t.Errorf("%+v", topic)
	}
	if math.Abs(good.QualityBoost-0.135) > 1e-12 || !strings.Contains(good.Why, "quality 0.95") {
		t.Errorf("%+v", good)
	}
	if least := got[4]; least.Why != "" || least.Final != 0 {
		t.Errorf("%+v", least)
	}
}

func TestBoostsStayWithinTheirShares(t *testing.T) {
	p := anna()
	for _, x := range []float64{-3, 0, 0.5, 1, 9, math.Inf(1), math.NaN()} {
		p.Topics[0].Affinity = x
		for _, terms := range []persona.Terms{persona.Usual(), {TopicBoost: math.NaN()}} {
			r := persona.Rerank([]persona.Result{{ID: "a", Score: 1, Topics: []string{" GO "}, Quality: &x}}, p, terms)[0]
			if !(r.TopicBoost >= 0 && r.TopicBoost <= 0.2 && math.Abs(r.QualityBoost) <= 0.15) {
				t.Errorf("%g: %+v", x, r)
			}
		}
	}
}

func TestScoresOnAnyScaleAreNormalised(t *testing.T) {
	for name, scores := range map[string][]float64{
		"negative": {-3, -1, -2}, "huge": {-math.MaxFloat64, math.MaxFloat64, 0}, "infinite": {math.Inf(-1), math.Inf(1), 0},
		"equal": {2, 2, 2}, "no numbers": {math.NaN(), math.NaN(), math.Inf(1)}, "subnormal": {0, 5e-324, 5e-324},
	} {
		var results []persona.Result
		for i, s := range scores {
			results = append(results, persona.Result{ID: fmt.Sprint(i), Score: s})
		}
		for _, r := range persona.Rerank(results, anna(), persona.Usual()) {
			if !(r.Final >= 0 && r.Final <= 1) {
				t.Errorf("%s: %+v", name, r)
			}
		}
	}
}

func TestEqualsKeepTheirOrderAndWhatHasNoScoreComesLast(t *testing.T) {
	var results []persona.Result
	for i := range 20 {
		results = append(results, persona.Result{ID: fmt.Sprint(i), Score: 0.5})
	}
	results[3].Score = math.NaN()
	got := ids(persona.Rerank(results, anna(), persona.Usual()))
	if got != "0 1 2 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 3" {
		t.Error(got)
	}
}

func TestTheOrderStaysWhereTooLittleIsKnown(t *testing.T) {
	results := []persona.Result{{ID: "a", Score: 0.1}, {ID: "b", Score: math.NaN()}, {ID: "c", Score: 0.9, Topics: []string{"go"}}}
	for _, p := range []*persona.Preferences{nil, hardlyKnown()} {
		got := persona.Rerank(results, p, persona.Usual())
		if ids(got) != "a b c" || slices.ContainsFunc(got, func(r persona.Ranked) bool { return r.Why != "" || r.TopicBoost != 0 }) {
			t.Errorf("%+v", got)
		}
	}
}

func TestAnExperimentSwitchesTheTopicBoostOff(t *testing.T) {
	results := []persona.Result{{ID: "best", Score: 0.9}, {ID: "topic", Score: 0.85, Topics: []string{"go"}}, {ID: "least", Score: 0}}
	if got := ids(persona.Rerank(results, anna(), persona.Terms{})); got != "best topic least" {
		t.Error(got)
	}
	if got := ids(persona.Rerank(results, anna(), persona.Usual())); got != "topic best least" {
		t.Error(got)
	}
}

func TestTopicsAreFoundAsWholeWords(t *testing.T) {
	for text, found := range map[string]bool{
		"Go is simple": true, "in go.": true, "(GO)": true, "google": false, "ago": false, "cargo go": true, "": false, "日本語go": false, "naïvego": false,
		"some c++.": true, "c + +": false, "the .NET runtime": true, "dotnet": false, "東京の天気": true, "machine learning.": true, "machine and learning": false,
	} {
		p := anna()
		for _, name := range []string{"C++", ".net", "天気", "Machine Learning", "++", ""} {
			p.Topics = append(p.Topics, conversations.Topic{Topic: name, Affinity: 0.5})
		}
		got := persona.Rerank([]persona.Result{{ID: "a", Score: 1, Text: text}}, p, persona.Usual())[0]
		if (got.TopicBoost > 0) != found {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

func FuzzRerankKeepsEveryResult(f *testing.F) {
	f.Add(0.5, 0.7, "go and more", "x-7")
	f.Add(math.Inf(1), math.NaN(), "\xff", "")
	f.Fuzz(func(t *testing.T, a, b float64, text, exchange string) {
		results := []persona.Result{{ID: "a", Score: a, Text: text}, {ID: "b", Score: b, ExchangeID: exchange}, {ID: "c", Score: a}}
		got := persona.Rerank(results, anna(), persona.Usual())
		seen := map[string]bool{}
		for _, r := range got {
			seen[r.ID] = true
			if math.IsNaN(r.Final) {
				t.Errorf("%+v", r)
			}
		}
		if len(seen) != len(results) {
			t.Errorf("%+v", got)
		}
	})
}
