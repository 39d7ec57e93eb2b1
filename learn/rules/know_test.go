package rules

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"learnloop.dev/stats"

	"pgregory.net/rapid"
)

func TestTheBestRulesAreThoseOfTheHighestBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		count := rapid.OneOf(rapid.Int64Range(0, 6), rapid.Int64Range(0, 3000))
		var members []member
		for i := range rapid.IntRange(0, 40).Draw(t, "rules") {
			tally := Tally{Accepted: count.Draw(t, "kept"), Rejected: count.Draw(t, "turned down")}
			members = append(members, member{fmt.Sprint("rule-", i), tally})
		}
		kept := func(m member) float64 { return m.Tally.bounds().Lower }
		turned := func(m member) float64 { return stats.BetaOf(m.Tally.Rejected, m.Tally.Decided()).Lower(sure) }
		if got, want := mostAccepted(members), sorted(members, Tally.Kept, kept); !slices.Equal(got, want) {
			t.Fatalf("accepted %v, want %v", got, want)
		}
		rejected := func(t Tally) int64 { return t.Rejected }
		if got, want := mostRejected(members), sorted(members, rejected, turned); !slices.Equal(got, want) {
			t.Fatalf("rejected %v, want %v", got, want)
		}
	})
}

// sorted lists the best the long way: every bound, then sorting.
func sorted(members []member, count func(Tally) int64, bound func(member) float64) []member {
	var all []member
	for _, m := range members {
		if count(m.Tally) > 0 && m.Tally.Decided() >= fewest {
			all = append(all, m)
		}
	}
	slices.SortFunc(all, func(a, b member) int {
		return cmp.Or(cmp.Compare(bound(b), bound(a)), cmp.Compare(a.Rule, b.Rule))
	})
	return all[:min(len(all), topRules)]
}

func TestTheBoundsOfBetaAndWilsonAreNotFarApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.OneOf(rapid.Int64Range(fewest, 30), rapid.Int64Range(fewest, 1_000_000)).Draw(t, "decisions")
		x := rapid.Int64Range(1, n).Draw(t, "kept")
		beta, wilson := stats.BetaOf(x, n).Lower(sure), stats.Wilson(x, n, sure).Lower
		if beta-wilson >= apart {
			t.Fatalf("%d of %d: %g and %g", x, n, beta, wilson)
		}
	})
}
