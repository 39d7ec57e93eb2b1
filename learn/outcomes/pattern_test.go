package outcomes_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn/learntest"
	"learnloop.dev/learn/outcomes"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// busy is a loop that has a pattern of every type, of runs on two days.
func busy(t *testing.T) *story {
	t.Helper()
	s := tell(t)
	for range 2 {
		var steps []events.Subtask
		for n := range 12 {
			steps = append(steps, events.Subtask{ID: "migrate", ModelUsed: "small", ModelTier: 1, Success: new(n == 0), RetryCount: int64(n % 2),
				PromptFeatures: []string{"read-first"}, FailureReasons: []string{[]string{"timeout", "bad syntax", "timeout"}[n%3]}})
		}
		steps = append(steps, events.Subtask{ID: "migrate", ModelUsed: "large", ModelTier: 2, Success: new(true),
			DurationSeconds: new(2.5), TokensUsed: new(int64(40))})
		s.n++
		task := events.Task{TaskID: events.ID(fmt.Sprint("busy-", s.n)), Goal: "Move the schema", Status: events.Completed, Subtasks: steps,
			Corrections: []events.TaskInstruction{{Tags: events.Tags{"config"}, Instruction: "Use YAML"}}}
		if err := s.Hear(event(events.TaskFinished.Kind, fmt.Sprint(s.n), s.n, task)); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func (s *story) ask(args outcomes.PatternArgs) outcomes.Patterns {
	s.Helper()
	parts, err := learntest.Ask[outcomes.Patterns](s.Loop, outcomes.Model(), outcomes.AskPatterns, args)
	if err != nil {
		s.Fatal(err)
	}
	return outcomes.MergePatterns(parts...)
}

func TestEveryTypeOfPatternHasKeyDataFrequencyAndItsDays(t *testing.T) {
	members := map[events.LearnedPattern]string{
		events.SubtaskSuccess:  "lower models runs success_rate upper",
		events.ModelFailure:    "certain failure_rate failures lower model runs type upper",
		events.PromptEffective: "difference effective feature harmful lower success_with success_without type upper with without",
		events.TaskTemplate:    "avg_duration_seconds completed failed goal plan plans",
		events.UserCorrection:  "instructions",
		events.RetryPattern:    "avg_retries_needed escalated failure_reasons runs skip_tier",
	}
	type row struct {
		Type        events.LearnedPattern
		Key         string
		Frequency   int64
		First, Last string
	}
	want := []row{
		{events.SubtaskSuccess, "migrate", 26, "2025-01-02", "2025-01-03"},
		{events.PromptEffective, "migrate/read-first", 24, "2025-01-02", "2025-01-03"},
		{events.ModelFailure, "migrate/small", 22, "2025-01-02", "2025-01-03"},
		{events.RetryPattern, "migrate", 12, "2025-01-02", "2025-01-03"},
		{events.TaskTemplate, "move-schema-the", 2, "2025-01-02", "2025-01-03"},
		{events.UserCorrection, "config", 2, "2025-01-02", "2025-01-03"},
	}
	var got []row
	for _, p := range busy(t).ask(outcomes.PatternArgs{}).Patterns {
		got = append(got, row{p.Type, p.Key, p.Frequency, p.CreatedAt, p.LastSeen})
		if is := strings.Join(sorted(keysOf(p.Data.(map[string]any))), " "); is != members[p.Type] {
			t.Errorf("%s tells %s", p.Type, is)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestPatternsAreChosenByTypeKeyTextFrequencyAndPage(t *testing.T) {
	s := busy(t)
	for want, args := range map[string]outcomes.PatternArgs{
		"1 retry_pattern migrate":               {Type: events.RetryPattern},
		"1 model_failure migrate/small":         {Key: "migrate/small"},
		"1 task_template move-schema-the":       {Search: "SCHEMA"},
		"3 prompt_effective migrate/read-first": {MinFrequency: 20, Offset: 1, Limit: 1},
		"6 ":                                    {Offset: 9},
	} {
		found := s.ask(args)
		got := fmt.Sprint(found.Total, " ")
		for _, p := range found.Patterns {
			got += string(p.Type) + " " + p.Key
		}
		if got != want {
			t.Errorf("%+v: %s, want %s", args, got, want)
		}
	}
}

func TestRunsAreToldByModelAndTierAndReasonsByHowOftenTheyWereGiven(t *testing.T) {
	contexts, err := busy(t).Contexts()
	if err != nil {
		t.Fatal(err)
	}
	c := read[outcomes.TypeContext](t, string(contexts["learn_contexts task.migrate"]))
	small, large := c.Models[0], c.Models[1]
	if small.Model != "small" || small.Tier != 1 || small.Runs != 24 || small.Successes != 2 || *small.AvgRetries != .5 || !small.Fails || !small.FailsForSure {
		t.Errorf("%+v", small)
	}
	if large.Tier != 2 || large.Runs != 2 || *large.AvgDurationSeconds != 2.5 || *large.AvgTokens != 40 || *large.HalfTokens < 39 || *large.HalfTokens > 41 {
		t.Errorf("%+v", large)
	}
	if want := []outcomes.Reason{{Reason: "timeout", Count: 16}, {Reason: "bad syntax", Count: 8}}; !slices.Equal(c.FailureReasons, want) {
		t.Errorf("%+v", c.FailureReasons)
	}
}

func TestAFeatureIsEffectiveOnlyWhenItsBoundSaysSo(t *testing.T) {
	with := func(success bool, features ...string) events.Subtask {
		return events.Subtask{ID: "x", Success: new(success), PromptFeatures: features}
	}
	for n, effective := range map[int]bool{2: false, 40: true} { // three of four against two of four, and the more the surer
		var steps []events.Subtask
		for range n {
			steps = append(steps, with(true, "f"), with(true, "f"), with(true, "f"), with(false, "f"), with(true), with(true), with(false), with(false))
		}
		e := read[outcomes.TypeContext](t, hear(t, events.Task{TaskID: "t", Goal: "g", Status: events.Completed, Subtasks: steps})["task.x"]).PromptFeatures[0]
		if *e.Difference != .25 || e.Effective != effective || (e.Lower > 0) != effective || e.Harmful {
			t.Errorf("of %d runs: %+v", 8*n, e)
		}
	}
}

func TestOfContradictoryCorrectionsTheNewerCountsAndBothAreListed(t *testing.T) {
	s := tell(t)
	for _, text := range []string{"Use JSON for configs", "Keep commits small", "Keep commits small", "Use YAML for configs"} {
		s.hears(events.TaskCorrected.Kind, events.TaskCorrection{TaskID: "t", Tags: events.Tags{"config"}, Instruction: text})
	}
	s.ran("g", events.Completed, good("x"))
	var told []string
	for _, i := range instructionsOf(t, s.ask(outcomes.PatternArgs{Type: events.UserCorrection})) {
		line := fmt.Sprintf("%d %s", i.Count, i.Instruction)
		if i.OutdatedBy != nil {
			line += " (" + *i.OutdatedBy + ")"
		}
		told = append(told, line)
	}
	want := []string{"2 Keep commits small", "1 Use YAML for configs", "1 Use JSON for configs (Use YAML for configs)"}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Errorf("the most frequent first: -want +got\n%s", diff)
	}
}

func instructionsOf(t *testing.T, found outcomes.Patterns) []outcomes.Correction {
	t.Helper()
	data, err := json.Marshal(found.Patterns[0].Data)
	if err != nil {
		t.Fatal(err)
	}
	return read[struct {
		Instructions []outcomes.Correction `json:"instructions"`
	}](t, string(jsontext.Value(data))).Instructions
}

func TestListsLeaveOutWhatWasSeenOnceLongAgoAndKeepWhatIsFrequent(t *testing.T) {
	s := busy(t).ran("once only", events.Completed, good("rare")).
		hears(events.ControlTick.Kind, events.Tick{Date: dayOne.AddDate(0, 0, 3+90).Format(time.DateOnly)})
	if n := s.ask(outcomes.PatternArgs{}).Total; n != 8 {
		t.Errorf("on the last day: %d patterns", n)
	}
	s.hears(events.ControlTick.Kind, events.Tick{Date: dayOne.AddDate(0, 0, 3+91).Format(time.DateOnly)})
	if n := s.ask(outcomes.PatternArgs{}).Total; n != 6 {
		t.Errorf("afterwards: %d patterns", n)
	}
}
