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
		if round >= 8 { // enough for the strongest words
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

func TestANoteOnManyDecisionsNeedsABound(t *testing.T) {
	for _, c := range []struct {
		kept, turned int
		documented   string
		says         string
	}{
		{4, 6, "low", "Be conservative"},
		{5, 5, "", ""},
		{20, 30, "low", "Be conservative"},
		{48, 52, "low", ""},
		{35, 65, "low", "Be conservative"},
		{9, 1, "", ""},
		{19, 1, "high", "with confidence"},
		{91, 9, "high", ""},
		{99, 1, "high", "with confidence"},
	} {
		t.Run(fmt.Sprintf("%d of %d", c.kept, c.kept+c.turned), func(t *testing.T) {
			l := newLoop()
			decide(t, l, c.kept, on(when(0), fix("r", "accepted")))
			decide(t, l, c.turned, on(when(0), fix("r", "rejected")))
			is := contextOf(t, l, "r")
			if (is.DocumentedNote == nil) != (c.documented == "") || is.DocumentedNote != nil && *is.DocumentedNote != c.documented {
				t.Errorf("documented: %v", is.DocumentedNote)
			}
			if _, note, said := strings.Cut(is.Prompt, "Note: "); said != (c.says != "") || !strings.Contains(note, c.says) {
				t.Errorf("prompt %s", is.Prompt)
			}
		})
	}
}

func TestOfReasonsAboutAsFrequentThePromptGivesTheSameOne(t *testing.T) {
	l := newLoop()
	prompts := map[string]bool{}
	reasons := []string{"too long", "Off topic"}
	for i := range 200 {
		f := fix("r", "rejected")
		f.UserComment = reasons[i/3%2] // now the one is ahead, now the other
		decide(t, l, 1, on(when(i), f))
		if i >= 60 {
			prompts[contextOf(t, l, "r").Prompt] = true
		}
	}
	if c := contextOf(t, l, "r"); len(prompts) != 1 || !strings.Contains(c.Prompt, `a reason given: "Off topic"`) {
		t.Errorf("%d prompts, now %s", len(prompts), c.Prompt)
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
	for text, want := range map[string]int{": kept so far (tentative)": 3, ": turned down so far (tentative)": 3, "they replaced": 2} {
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
		text := rapid.OneOf(rapid.String(), rapid.StringMatching("[`~<|>#\"'\\\\ \nsystem:]{0,80}"),
			rapid.StringMatching("((system|user|<\\||\\|>|`|\"|\\\\|:| |x){0,4} ){0,4}"))
		f := fix("r", "rejected")
		f.OriginalText, f.SuggestedText, f.UserComment = text.Draw(t, "original")+"a", text.Draw(t, "suggested")+"b", text.Draw(t, "comment")
		changed := fix("r", "modified")
		changed.SuggestedText, changed.UserModification = text.Draw(t, "before")+" something", new(text.Draw(t, "after")+" otherwise")
		l := newLoop()
		for i := range 12 {
			hearAll(t, l, event(fmt.Sprint("f", i), when(i), f), event(fmt.Sprint("m", i), when(i), changed))
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

func hearAll(t *rapid.T, l *learntest.Loop, all ...learntest.Event) {
	t.Helper()
	for _, e := range all {
		if err := l.Hear(e); err != nil {
			t.Fatal(err)
		}
	}
}

// checkQuoted holds a prompt to its lines, and each to the quotations it has room for.
func checkQuoted(t *rapid.T, prompt string) {
	t.Helper()
	for _, marker := range []string{"```", "~~~", "<|", "|>"} {
		if strings.Contains(prompt, marker) {
			t.Fatalf("marker %s in\n%s", marker, prompt)
		}
	}
	for line := range strings.Lines(prompt) {
		said := strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "Note: ") || strings.HasSuffix(line, ":\n")
		if line != "\n" && !said && !strings.HasPrefix(line, "What people decided") {
			t.Fatalf("a line of its own: %q in\n%s", line, prompt)
		}
		if n := strings.Count(line, `"`); n%2 != 0 || n > 6 {
			t.Fatalf("%d quotation marks: %s", n, line)
		}
		_, reason, _ := strings.Cut(line, "a reason given: ")
		for _, role := range []string{"system:", "assistant:", "user:"} {
			if strings.Contains(strings.ToLower(reason), role) {
				t.Fatalf("somebody else speaks: %s", reason)
			}
		}
	}
}

func TestEveryLineOfAContextTracesToRecords(t *testing.T) {
	l := newLoop()
	f := fix("r", "modified")
	f.UserModification, f.OriginalConfidence = new("has"), new(0.7)
	decide(t, l, 12, on(when(0), f))
	f.Decision, f.UserComment, f.OriginalText, f.OriginalConfidence = "rejected", "no", "was made", nil
	decide(t, l, 3, on(when(0), f))
	decide(t, l, 2, on(when(0), fix("r", "skipped")))
	decide(t, l, 5, on(when(0), fix("revive/other", "accepted")))
	for key, counts := range map[learn.Key]map[string]int{
		{Kind: "rule", ID: "r"}: {"sample_count": 17, "skip_rate": 17, "has_sufficient_data": 17, "evidence": 17,
			"decision_count": 15, "acceptance_rate": 15, "modification_rate": 15, "brier_score": 12, "calibration": 12},
		{Kind: "category", ID: "style"}: {"feedback_count": 22, "evidence": 22, "decision_count": 20, "acceptance_rate": 20,
			"top_accepted_rules/revive/other": 5, "top_rejected_rules/r": 17},
		{Kind: "summary"}: {"total_feedback": 22, "overall_acceptance_rate": 20, "confidence_accuracy": 12,
			"rules/revive/other": 5, "rules/r": 17},
	} {
		t.Run(key.String(), func(t *testing.T) {
			behind := traced(l, key)
			checkTraced(t, fields(t, l, key), behind)
			for line, want := range counts {
				if behind[line] != want {
					t.Errorf("%s: %d records, want %d", line, behind[line], want)
				}
			}
		})
	}
	behind, c := traced(l, learn.Key{Kind: "rule", ID: "r"}), contextOf(t, l, "r")
	for line, want := range map[string]int{
		"accepted_patterns/" + c.AcceptedPatterns[0].Pattern:            12,
		"rejected_patterns/" + c.RejectedPatterns[0].Pattern:            3,
		"useful_modifications/" + c.UsefulModifications[0].Modification: 12,
	} {
		if behind[line] != want {
			t.Errorf("%s: %d records, want %d", line, behind[line], want)
		}
	}
}

// traced counts the records behind every line of a key's context.
func traced(l *learntest.Loop, key learn.Key) map[string]int {
	behind := map[string]int{}
	for _, p := range l.Open() {
		for r := range p.Each(learn.Select{}) {
			for _, line := range rules.Model().Trace(p.Table, key, r) {
				behind[line]++
			}
		}
	}
	return behind
}

// fields are what a context states: all but its identity, its schema and the
// prompt, which restates them.
func fields(t *testing.T, l *learntest.Loop, key learn.Key) map[string]any {
	t.Helper()
	contexts, err := l.Contexts()
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]any
	if err := json.Unmarshal(contexts["learn_contexts "+key.String()], &all); err != nil {
		t.Fatal(err)
	}
	for _, constant := range []string{"kind", "id", "rule_id", "category", "schema", "prompt", "prompt_enhancement"} {
		delete(all, constant)
	}
	return all
}

// checkTraced finds fields and elements of lists without a record behind them,
// and lines that are no field.
func checkTraced(t *testing.T, fields map[string]any, behind map[string]int) {
	t.Helper()
	for name, value := range fields {
		elements, _ := value.([]any)
		lines := []string{name}
		for i, e := range elements {
			for _, id := range []string{"pattern", "modification", "rule_id"} {
				if own, ok := e.(map[string]any)[id].(string); ok {
					lines = append(lines[:i], name+"/"+own)
				}
			}
		}
		for _, line := range lines {
			if behind[line] == 0 {
				t.Errorf("nothing is behind %s", line)
			}
		}
	}
	for line := range behind {
		name, _, _ := strings.Cut(line, "/")
		if _, ok := fields[name]; !ok {
			t.Errorf("%s is no field", line)
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
				if got := slices.Contains(rules.Model().Trace(p.Table, key, r), "evidence"); got != want {
					t.Errorf("%s: %v", key, got)
				}
			}
		}
	}
}
