package rules_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/learn/learntest"
	"learnloop.dev/learn/rules"
	"learnloop.dev/stats"

	"github.com/go-json-experiment/json"
	"pgregory.net/rapid"
)

func calibration(t *testing.T, l *learntest.Loop) stats.Calibration {
	t.Helper()
	parts, err := learntest.Ask[stats.Calibration](l, rules.Model(), rules.AskCalibration, nil)
	if err != nil {
		t.Fatal(err)
	}
	var all stats.Calibration
	for _, p := range parts {
		all.Merge(p, 1)
	}
	return all
}

func contextOf(t *testing.T, l *learntest.Loop, rule string) rules.Context {
	t.Helper()
	contexts, err := l.Contexts()
	if err != nil {
		t.Fatal(err)
	}
	var c rules.Context
	if err := json.Unmarshal(contexts["learn_contexts rule."+rule], &c); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestThePromptStaysWhileTheSameKindOfEvidenceComesIn(t *testing.T) {
	l := newLoop()
	confident := func(decision, from, to string) events.FixFeedback {
		f := fix("r", decision)
		f.OriginalText, f.SuggestedText, f.OriginalConfidence = from, to, new(0.8)
		return f
	}
	texts := map[string]bool{}
	for round := range 40 {
		decide(t, l, 9, on(when(round), confident("accepted", "in order to", "to")))
		decide(t, l, 1, on(when(round), confident("rejected", "in order to", "to")))
		decide(t, l, 5, on(when(round), confident("rejected", "was done", "did")))
		if round >= 2 {
			texts[contextOf(t, l, "r").Prompt] = true
		}
	}
	if len(texts) != 1 {
		t.Errorf("%d different prompts", len(texts))
	}
}

func TestACoinFlipIsNotStatedAsFact(t *testing.T) {
	l := newLoop()
	decide(t, l, 4, on(when(0), fix("r", "accepted")))
	sure := fix("r", "accepted")
	sure.OriginalText = "is made"
	decide(t, l, 10, on(when(1), sure))
	shaky := fix("r", "accepted")
	shaky.OriginalText = "was made"
	decide(t, l, 7, on(when(2), shaky))
	shaky.Decision = "rejected"
	decide(t, l, 3, on(when(2), shaky))
	tentative := map[string]bool{}
	for _, p := range contextOf(t, l, "r").AcceptedPatterns {
		tentative[p.OriginalPattern] = p.Tentative
	}
	want := map[string]bool{"was done": true, "is made": false, "was made": true} // 7 of 10 may be a coin
	for text, is := range want {
		if tentative[text] != is {
			t.Errorf("%q tentative: %v", text, tentative[text])
		}
	}
}

func TestPromptTextsAreCutAtFiftyCharacters(t *testing.T) {
	l := newLoop()
	f := fix("r", "accepted")
	f.OriginalText = strings.Repeat("ж", 51)
	f.SuggestedText = strings.Repeat("ж", 50)
	decide(t, l, 10, on(when(0), f))
	prompt := contextOf(t, l, "r").Prompt
	if !strings.Contains(prompt, `"`+strings.Repeat("ж", 47)+`..." to "`+strings.Repeat("ж", 50)+`"`) {
		t.Errorf("prompt %s", prompt)
	}
}

func TestAPromptListsThreePatternsEachWayAndTwoImprovements(t *testing.T) {
	l := newLoop()
	for i := range 6 {
		f := fix("r", "accepted")
		f.OriginalText = fmt.Sprint("good ", i)
		decide(t, l, 3, on(when(i), f))
		f.Decision, f.OriginalText = "rejected", fmt.Sprint("bad ", i)
		decide(t, l, 3, on(when(i), f))
		f.Decision, f.OriginalText, f.UserModification = "modified", "changed", new(fmt.Sprint("d", i, "d"))
		decide(t, l, 1, on(when(i), f))
	}
	c := contextOf(t, l, "r")
	if len(c.AcceptedPatterns) != 5 || len(c.RejectedPatterns) != 5 || len(c.UsefulModifications) != 3 {
		t.Errorf("%d accepted, %d rejected, %d modifications", len(c.AcceptedPatterns), len(c.RejectedPatterns), len(c.UsefulModifications))
	}
	for text, want := range map[string]int{"kept nearly always": 3, "turned down nearly always": 3, "they replaced": 2} {
		if got := strings.Count(c.Prompt, text); got != want {
			t.Errorf("%q %d times, want %d, in\n%s", text, got, want, c.Prompt)
		}
	}
	if c.PromptEnhancement != c.Prompt {
		t.Error("prompt_enhancement is another text")
	}
}

func TestNoTextOfAUserLeavesItsQuotation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringMatching("[`~<|>#\"'\\\\ \nsystem:]{0,80}")).Draw(t, "text")
		l := newLoop()
		f := fix("r", "rejected")
		f.OriginalText, f.SuggestedText, f.UserComment = text+"a", text+"b", text
		for i := range 12 {
			if err := l.Hear(event(fmt.Sprint(i), when(i), f)); err != nil {
				t.Fatal(err)
			}
		}
		contexts, err := l.Contexts()
		if err != nil {
			t.Fatal(err)
		}
		var c rules.Context
		if err := json.Unmarshal(contexts["learn_contexts rule.r"], &c); err != nil {
			t.Fatal(err)
		}
		checkQuoted(t, c.Prompt)
	})
}

// checkQuoted holds a prompt to its six lines, of which one quotes.
func checkQuoted(t *rapid.T, prompt string) {
	t.Helper()
	lines := strings.Split(prompt, "\n")
	if len(lines) != 6 || !strings.HasPrefix(lines[3], "- ") {
		t.Fatalf("%d lines:\n%s", len(lines), prompt)
	}
	if n := strings.Count(lines[3], `"`); n%2 != 0 || n > 6 {
		t.Fatalf("%d quotation marks: %s", n, lines[3])
	}
	for _, marker := range []string{"```", "~~~", "<|", "|>"} {
		if strings.Contains(prompt, marker) {
			t.Fatalf("marker %s in %s", marker, lines[3])
		}
	}
	_, reason, _ := strings.Cut(lines[3], "a reason given: ")
	for _, role := range []string{"system:", "assistant:", "user:"} {
		if strings.Contains(strings.ToLower(reason), role) {
			t.Fatalf("somebody else speaks: %s", reason)
		}
	}
}

func TestEveryLineOfAContextTracesToRecords(t *testing.T) {
	l := newLoop()
	f := fix("r", "modified")
	f.UserModification = new("has")
	decide(t, l, 12, on(when(0), f))
	f.Decision, f.UserComment, f.OriginalText = "rejected", "no", "was made"
	decide(t, l, 3, on(when(0), f))
	decide(t, l, 1, on(when(0), fix("other", "skipped")))
	c := contextOf(t, l, "r")
	behind := map[string]int{}
	for _, p := range l.Open() {
		for r := range p.Each(learn.Select{}) {
			for _, line := range rules.Model().Trace(learn.Key{Kind: "rule", ID: "r"}, r) {
				behind[line]++
			}
		}
	}
	for line, want := range map[string]int{
		"sample_count": 15, "acceptance_rate": 15, "comment": 3,
		"accepted_patterns/" + c.AcceptedPatterns[0].Pattern:            12,
		"rejected_patterns/" + c.RejectedPatterns[0].Pattern:            3,
		"useful_modifications/" + c.UsefulModifications[0].Modification: 12,
	} {
		if behind[line] != want {
			t.Errorf("%s: %d records, want %d", line, behind[line], want)
		}
	}
}

func TestTraceKnowsWhichRecordsBelongToAKey(t *testing.T) {
	l := newLoop()
	decide(t, l, 1, on(when(0), fix("r", "accepted")))
	for key, want := range map[learn.Key]bool{
		{Kind: "rule", ID: "r"}: true, {Kind: "rule", ID: "x"}: false,
		{Kind: "category", ID: "style"}: true, {Kind: "category", ID: "x"}: false,
		{Kind: "summary"}: true, {Kind: "task", ID: "r"}: false,
	} {
		for _, p := range l.Open() {
			for r := range p.Each(learn.Select{}) {
				if got := slices.Contains(rules.Model().Trace(key, r), "acceptance_rate"); got != want {
					t.Errorf("%s: %v", key, got)
				}
			}
		}
	}
}
