package rules_test

import (
	"testing"

	"learnloop.dev/learn/rules"
	"learnloop.dev/stats"

	"github.com/go-json-experiment/json"
	"pgregory.net/rapid"
)

func TestTablesAreWrittenAsAnythingElseIs(t *testing.T) {
	rate := rapid.Custom(func(t *rapid.T) float64 { return stats.Round(rapid.Float64Range(0, 1).Draw(t, "rate"), 6) })
	count := rapid.Int64Range(0, 1<<53)
	rapid.Check(t, func(t *rapid.T) {
		var all rules.Statistics
		byRule, counts := map[string]rules.RuleStatistics{}, map[string]rules.Counts{}
		all.ByRule, all.FixFeedback.ByRule = byRule, counts
		all.Sources = []rules.Source{{Source: rapid.SampledFrom([]string{"a", `"by_rule":{}`, `,"by_rule":{},`}).Draw(t, "source")}}
		for _, id := range rapid.SliceOfN(rapid.String(), 0, 5).Draw(t, "ids") {
			maybe := rapid.Ptr(rate, true)
			s := rules.RuleStatistics{
				RuleID: id, RuleName: id, FeedbackCount: count.Draw(t, "all"), Accepted: count.Draw(t, "accepted"), Modified: count.Draw(t, "modified"),
				Rejected: count.Draw(t, "rejected"), Skipped: count.Draw(t, "skipped"), AcceptanceRate: maybe.Draw(t, "acceptance"),
				ModificationRate: maybe.Draw(t, "modification"), UnchangedRate: maybe.Draw(t, "unchanged"),
				SkipRate: maybe.Draw(t, "skips"), ConfidenceAccuracy: maybe.Draw(t, "accuracy"),
			}
			if rapid.Bool().Draw(t, "bounded") {
				s.Acceptance = &stats.Interval{Lower: rate.Draw(t, "lower"), Upper: rate.Draw(t, "upper")}
			}
			byRule[id] = s
			counts[id] = rules.Counts{
				FeedbackCount: s.FeedbackCount, Accepted: s.Accepted, Modified: s.Modified, Rejected: s.Rejected, Skipped: s.Skipped,
				AcceptanceRate: rate.Draw(t, "rate"), ModificationRate: rate.Draw(t, "rate"), SkipRate: rate.Draw(t, "rate"), ConfidenceAccuracy: s.ConfidenceAccuracy,
			}
		}
		bare := all
		bare.ByRule, bare.FixFeedback.ByRule = nil, nil
		got, err := json.Marshal(bare, json.Deterministic(true))
		if err != nil {
			t.Fatal(err)
		}
		want, err := json.Marshal(all, json.Deterministic(true))
		if got = all.Tables(got); err != nil || string(got) != string(want) {
			t.Fatalf("%v: got\n%s want\n%s", err, got, want)
		}
	})
}
