package api

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"learnloop.dev/kv"
	"learnloop.dev/learn"
	"learnloop.dev/learn/rules"
	"learnloop.dev/stats"
)

// rule puts the context of a rule on the shelf: of n decisions, so many kept.
func (h *house) rule(tb testing.TB, id string, n, kept int64) {
	tb.Helper()
	c := rules.Empty(id)
	rate := float64(kept) / float64(n)
	bounds := stats.Interval{Lower: max(rate-1/float64(n), 0), Upper: min(rate+1/float64(n), 1)}
	c.SampleCount, c.DecisionCount, c.AcceptanceRate = n, n, &rate
	c.Evidence = &rules.Evidence{First: "2026-01-01", Last: fmt.Sprintf("2026-01-%02d", n%28+1), Accepted: kept, Rejected: n - kept, Acceptance: &bounds}
	data, err := learn.Canonical(c)
	if err != nil {
		tb.Fatal(err)
	}
	key := kv.Key(kindRule, id)
	h.rules[key] = kv.Context{Key: key, Value: data, Revision: h.rules[key].Revision + 1}
}

func (h *house) ruleIDs(t *testing.T, query string) (ids []string, list RuleList) {
	t.Helper()
	h.get(t, "/api/rules"+query).read(t, &list)
	for _, r := range list.Rules {
		ids = append(ids, r.RuleID)
	}
	return ids, list
}

func TestRulesAreListedInTheOrderThatIsAskedFor(t *testing.T) {
	h := build(t)
	h.rule(t, "often", 20, 10)
	h.rule(t, "twice kept", 2, 2)
	h.rule(t, "kept", 15, 15)
	h.rule(t, "turned down", 12, 0)
	for query, want := range map[string][]string{
		"":                {"often", "kept", "turned down", "twice kept"},
		"?order=kept":     {"kept", "twice kept", "often", "turned down"},
		"?order=rejected": {"turned down", "often", "kept", "twice kept"},
		"?order=id":       {"kept", "often", "turned down", "twice kept"},
		"?order=recent":   {"often", "kept", "turned down", "twice kept"},
		"?search=KEPT":    {"kept", "twice kept"},
		"?search=nothing": nil,
	} {
		if got, _ := h.ruleIDs(t, query); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", query, got, want)
		}
	}
}

func TestEveryRuleIsOnOnePage(t *testing.T) {
	h := build(t)
	for i := range 25 {
		h.rule(t, fmt.Sprintf("rule-%02d", i), 10, int64(i%10))
	}
	var all []string
	query := "?limit=10"
	for {
		ids, list := h.ruleIDs(t, query)
		all = append(all, ids...)
		if list.Total != 25 {
			t.Fatalf("there are %d", list.Total)
		}
		if list.Next == "" {
			break
		}
		query = "?limit=10&cursor=" + list.Next
	}
	if slices.Sort(all); len(slices.Compact(all)) != 25 {
		t.Errorf("%d rules on all pages: %q", len(all), all)
	}
}

func TestAPageThatIsGoneIsRefused(t *testing.T) {
	h := build(t)
	h.rule(t, "there", 1, 1)
	if got := h.get(t, "/api/rules?cursor=rule.gone"); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, "/cursor") {
		t.Errorf("%d %s", got.status, got.body)
	}
}

func TestARuleThatChangesIsReadAgain(t *testing.T) {
	h := build(t)
	h.rule(t, "r", 1, 1)
	h.ruleIDs(t, "")
	h.rule(t, "r", 7, 1)
	if _, list := h.ruleIDs(t, ""); list.Rules[0].SampleCount != 7 {
		t.Errorf("it has %d samples", list.Rules[0].SampleCount)
	}
	delete(h.rules, kv.Key(kindRule, "r"))
	if _, list := h.ruleIDs(t, ""); list.Total != 0 {
		t.Error("it is still listed")
	}
}

func BenchmarkListOfTenThousandRules(b *testing.B) {
	h := build(b)
	for i := range 10_000 {
		h.rule(b, fmt.Sprintf("rule-%05d", i), int64(i%50+1), int64(i%7%(i%50+1)))
	}
	for b.Loop() {
		if _, err := h.api.listRules(b.Context(), &RulesArgs{Limit: 50}); err != nil {
			b.Fatal(err)
		}
	}
}
