package rules_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn/learntest"
	"learnloop.dev/learn/portable"
	"learnloop.dev/learn/rules"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
)

// taken are all pages of an export, with so many entries of a partition on each.
func taken(t *testing.T, l *learntest.Loop, args rules.TransferArgs) (all rules.TransferPart) {
	t.Helper()
	if args.Patterns {
		return passed(t, l, args)
	}
	for more := true; more; {
		parts, err := learntest.Ask[rules.TransferPart](l, rules.Model(), rules.AskTransfer, args)
		if err != nil {
			t.Fatal(err)
		}
		var page rules.TransferPart
		page, args.After, more = rules.MergeTransfers(parts...)
		if more && len(page.Patterns)+len(page.Rules) == 0 {
			t.Fatal("an empty page, and more behind it")
		}
		all.Patterns = append(all.Patterns, page.Patterns...)
		all.Rules = append(all.Rules, page.Rules...)
	}
	return all
}

// passed are all pages of an export of patterns, with so many on each.
func passed(t *testing.T, l *learntest.Loop, args rules.TransferArgs) (all rules.TransferPart) {
	t.Helper()
	var p rules.Passage
	for only := args.Rules; ; {
		if len(p.Coming) == 0 {
			parts, err := learntest.Ask[rules.ComingPart](l, rules.Model(), rules.AskComing, rules.ComingArgs{After: p.At.Rule, Rules: only, Most: 2})
			if err != nil {
				t.Fatal(err)
			}
			p.Foresee(parts...)
		}
		if args.Rules = p.Page(int64(args.Most)); len(args.Rules) == 0 {
			return all
		}
		args.After = p.At
		parts, err := learntest.Ask[rules.TransferPart](l, rules.Model(), rules.AskTransfer, args)
		if err != nil {
			t.Fatal(err)
		}
		page, within, more := rules.MergeTransfers(parts...)
		p.Pass(args.Rules, within, more)
		all.Patterns = append(all.Patterns, page.Patterns...)
	}
}

func TestPagesOfAnySizeHaveAllPatternsOnceInOrder(t *testing.T) {
	l := busy(t)
	give(t, l, when(0), exported(t, busy(t), foreigner)) // of two sources
	whole := taken(t, l, rules.TransferArgs{Most: 100_000, Own: here, Patterns: true, Text: true}).Patterns
	if len(whole) < 20 {
		t.Fatalf("%d patterns tell nothing", len(whole))
	}
	for _, most := range []int{1, 2, 3, 7, 50} {
		got := taken(t, l, rules.TransferArgs{Most: most, Own: here, Patterns: true, Text: true}).Patterns
		if diff := cmp.Diff(whole, got); diff != "" {
			t.Errorf("pages of %d: %s", most, diff)
		}
	}
	for i, p := range whole[1:] {
		if whole[i].Key().Compare(p.Key()) >= 0 {
			t.Errorf("%v before %v", whole[i].Key(), p.Key())
		}
	}
	some := taken(t, l, rules.TransferArgs{Most: 3, Own: here, Patterns: true, Rules: []string{"rule-3", "rule-1"}}).Patterns
	for _, p := range some {
		if p.RuleID != "rule-1" && p.RuleID != "rule-3" {
			t.Errorf("of %s", p.RuleID)
		}
	}
	if len(some) == 0 {
		t.Error("none of two rules")
	}
}

// give imports an export, chunk 0 a rule and chunk 1 its patterns.
func give(t *testing.T, l *learntest.Loop, at time.Time, all rules.TransferPart) {
	t.Helper()
	facts := map[[3]string]*events.DataImported{}
	of := func(p portable.Place, chunk int64) *events.DataImported {
		key := [3]string{string(p.RuleID), p.Source, fmt.Sprint(chunk)}
		if facts[key] == nil {
			facts[key] = &events.DataImported{Origin: p.Source, RuleID: p.RuleID, Version: portable.Version,
				Checksum: strings.Repeat("a", 64), Chunk: chunk, Moment: events.Moment{Timestamp: p.Exported(&portable.Header{ExportedAt: at})}}
		}
		return facts[key]
	}
	for _, p := range all.Patterns {
		f := of(p.Place, 1)
		f.Patterns = append(f.Patterns, p.ImportedPattern)
	}
	for _, r := range all.Rules {
		of(r.Place, 0).Counts = &r.ImportedRule
	}
	for key, f := range facts {
		raw, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		e := learntest.Event{Kind: events.ControlImported.Kind, ID: strings.Join(key[:], "/"), Source: "test", Time: f.Timestamp, Data: raw}
		if err := l.Hear(e); err != nil {
			t.Fatal(err)
		}
	}
}

// busy is a loop with some rules, categories, patterns and confidences.
func busy(t *testing.T) *learntest.Loop {
	t.Helper()
	l := newLoop()
	for n := range 40 {
		f := fix(fmt.Sprint("rule-", n%7), []string{"accepted", "rejected", "modified", "skipped"}[n%4])
		f.OriginalText = fmt.Sprint("text ", n%5)
		f.IsBulkOperation, f.OriginalConfidence = n%3 == 0, new(float64(n)/40)
		if n%2 == 0 {
			f.Category = "clarity"
		}
		decide(t, l, 1+n%3, on(when(n), f))
	}
	return l
}

const (
	foreigner = "0000000000foreign"
	here      = "2222222222here22"
)

func TestAnExportIsTheSameByPagesAndImportedElsewhereComesToTheSame(t *testing.T) {
	l := busy(t)
	for _, patterns := range []bool{true, false} {
		args := rules.TransferArgs{Most: 1000, Own: foreigner, Patterns: patterns, Text: true}
		whole := taken(t, l, args)
		args.Most = 2
		if diff := cmp.Diff(whole, taken(t, l, args)); diff != "" {
			t.Errorf("by pages: -whole +pages\n%s", diff)
		}
		if len(whole.Patterns)+len(whole.Rules) == 0 {
			t.Error("nothing is exported")
		}
	}
	there := newLoop()
	give(t, there, when(0), exported(t, l, foreigner))
	here, gone := statistics(t, l, rules.Filter{}), statistics(t, there, rules.Filter{})
	if gone.ImportedFeedback != here.TotalFeedback || len(gone.Sources) != 1 || gone.Sources[0].FeedbackCount != here.TotalFeedback {
		t.Errorf("imported %d from %+v", gone.ImportedFeedback, gone.Sources)
	}
	gone.ImportedFeedback, gone.Sources, gone.FixFeedback, here.FixFeedback, here.Sources = 0, nil, rules.Block{}, rules.Block{}, nil
	if diff := cmp.Diff(here, gone); diff != "" {
		t.Errorf("-there +here\n%s", diff)
	}
	same(t, l, there, "patterns")
}

// exported is all of a loop.
func exported(t *testing.T, l *learntest.Loop, own string) rules.TransferPart {
	t.Helper()
	all := taken(t, l, rules.TransferArgs{Most: 1000, Own: own, Patterns: true, Text: true})
	all.Rules = taken(t, l, rules.TransferArgs{Most: 1000, Own: own}).Rules
	return all
}

// same compares what two loops know of rules, but for what single decisions tell.
func same(t *testing.T, a, b *learntest.Loop, what string) {
	t.Helper()
	a.Refresh()
	b.Refresh()
	for n := range 7 {
		left, right := contextOf(t, a, fmt.Sprint("rule-", n)), contextOf(t, b, fmt.Sprint("rule-", n))
		left.UsefulModifications, right.UsefulModifications = nil, nil
		if diff := cmp.Diff(left, right, cmp.FilterPath(func(p cmp.Path) bool { return p.String() == "Prompt" || p.String() == "PromptEnhancement" }, cmp.Ignore()),
			cmp.AllowUnexported(rules.RejectedPattern{})); diff != "" {
			t.Errorf("%s: -a +b\n%s", what, diff)
		}
	}
}

func TestImportsOfSeveralSourcesMergeInAnyOrderAndNoneTwice(t *testing.T) {
	early, late := exported(t, busy(t), foreigner), exported(t, busy(t), foreigner)
	late.Rules[0].Cells[0].Accepted += 5
	other := exported(t, busy(t), "1111111111other1")
	orders := [][]int{{0, 1, 2}, {2, 1, 0, 0, 1}, {1, 2, 2, 0}}
	var want rules.Statistics
	for n, order := range orders {
		l := newLoop()
		for _, i := range order {
			give(t, l, when(i), []rules.TransferPart{early, late, other}[i])
		}
		got := statistics(t, l, rules.Filter{})
		if n == 0 {
			want = got
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("in the order %v: -want +got\n%s", order, diff)
		}
	}
	once := statistics(t, busy(t), rules.Filter{}).TotalFeedback
	if want.TotalFeedback != 2*once+5 {
		t.Errorf("two sources of %d, one with 5 more, came to %d", once, want.TotalFeedback)
	}
}

func TestWhatWasImportedIsHandedOnInTheNameOfItsSource(t *testing.T) {
	here := busy(t)
	before := statistics(t, here, rules.Filter{}).TotalFeedback
	give(t, here, when(0), exported(t, busy(t), foreigner))
	on := exported(t, here, "2222222222here22")
	sums := map[string]int64{}
	for _, r := range on.Rules {
		sums[r.Source] += r.FeedbackCount
		if (r.Source == foreigner) != r.AsOf.Equal(when(0)) {
			t.Errorf("%s of %s is as of %s", r.RuleID, r.Source, r.AsOf)
		}
	}
	if sums[foreigner] != before || sums["2222222222here22"] != before || len(sums) != 2 {
		t.Errorf("of %d decisions each: %v", before, sums)
	}
	third := newLoop()
	give(t, third, when(9), on)
	give(t, third, when(0), exported(t, busy(t), foreigner))
	if n := statistics(t, third, rules.Filter{}).TotalFeedback; n != 2*before {
		t.Errorf("%d decisions, by two ways", n)
	}
}

func TestAPeriodIsExportedWithoutWhatHasNoTimes(t *testing.T) {
	l := busy(t)
	give(t, l, when(0), exported(t, busy(t), foreigner))
	args := rules.TransferArgs{Most: 5, Own: "2222222222here22", From: when(10), To: when(20)}
	var n int64
	for _, r := range taken(t, l, args).Rules {
		if r.Source != args.Own {
			t.Errorf("of %s", r.Source)
		}
		n += r.FeedbackCount
	}
	if want := statistics(t, busy(t), rules.Filter{From: when(10), To: when(20)}).TotalFeedback; n != want || n == 0 {
		t.Errorf("%d decisions, want %d", n, want)
	}
	args.Rules = []string{"rule-3"}
	for _, r := range taken(t, l, args).Rules {
		if r.RuleID != "rule-3" {
			t.Errorf("of %s", r.RuleID)
		}
	}
}

func TestTextsLeaveMaskedUnlessTheyAreAskedFor(t *testing.T) {
	l := newLoop()
	f := fix("r", "accepted")
	f.OriginalText, f.SuggestedText = "ask project nightingale to utilize it", "ask project nightingale to use it"
	decide(t, l, 3, on(when(0), f))
	for _, text := range []bool{true, false} {
		p := taken(t, l, rules.TransferArgs{Most: 9, Own: foreigner, Patterns: true, Text: text}).Patterns
		if len(p) != 1 || strings.Contains(p[0].OriginalPattern, "nightingale") != text || !strings.Contains(p[0].OriginalPattern, "utilize") {
			t.Errorf("text %v: %+v", text, p)
		}
	}
}

func TestWhatIsHeldIsToldBySource(t *testing.T) {
	l := busy(t)
	give(t, l, when(3), exported(t, busy(t), foreigner))
	args := rules.HeldArgs{Rules: []string{"rule-1", "unknown"}, Until: when(1000)}
	parts, err := learntest.Ask[[]rules.Held](l, rules.Model(), rules.AskHeld, args)
	if err != nil {
		t.Fatal(err)
	}
	var all []rules.Held
	for _, p := range parts {
		all = append(all, p...)
	}
	if len(all) != 1 || len(all[0].Sources) != 1 || len(all[0].Own.Cells) == 0 || len(all[0].Patterns) == 0 {
		t.Fatalf("%+v", all)
	}
	if s := all[0].Sources[0]; s.Origin != foreigner || !s.CountsAt.Equal(when(3)) || !s.PatternsAt.Equal(when(3)) || s.Chunks != 1 {
		t.Errorf("%+v", s)
	}
}

func TestNarrowedStatisticsHoldWhatTheyCanOfImports(t *testing.T) {
	here, there := busy(t), newLoop()
	give(t, there, when(0), exported(t, here, foreigner))
	for name, f := range map[string]rules.Filter{
		"rules": {Rules: []string{"rule-2", "rule-3"}}, "categories": {Categories: []string{"clarity"}},
		"skips": {ExcludeSkipped: true}, "bulk": {ExcludeBulk: true},
	} {
		want, got := statistics(t, here, f), statistics(t, there, f)
		if diff := cmp.Diff(want.ByRule, got.ByRule); diff != "" || want.TotalFeedback == 0 {
			t.Errorf("%s: -here +there\n%s", name, diff)
		}
	}
	if s := statistics(t, there, rules.Filter{To: when(100)}); s.TotalFeedback != 0 {
		t.Errorf("a period holds %d imported decisions", s.TotalFeedback)
	}
}
