package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"learnloop.dev/api"
	"learnloop.dev/inorder"
	"learnloop.dev/learn/conversations"
	"learnloop.dev/learn/rules"

	"github.com/spf13/cobra"
)

func (sh *shell) statsCommand() *cobra.Command {
	var in api.StatisticsArgs
	var when period
	var daily bool
	c := &cobra.Command{
		Use: "stats", Short: "Show what people decided, for any period, rules and categories",
		Long: "Columns of --daily: KEPT is how much was accepted or modified; BRIER and ECE how far confidences were\n" +
			"from what was decided, 0 being right each time; SAID how many exchanges were voted on; QUALITY their\n" +
			"score, TREND that against the seven days before; FORETOLD how often the preferences of a person told the reaction.",
		Example: "  learnloop stats\n  learnloop stats --daily\n  learnloop stats --from 2026-01-01 --to 2026-02-01 --exclude-bulk\n" +
			"  learnloop stats --rule passive-voice --rule plain-words --json",
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := when.read(cmd, &in.From, &in.To); err != nil {
				return err
			}
			if daily {
				return sh.call(cmd.Context(), "statistics.daily", in, reading(sh.showDaily))
			}
			return sh.call(cmd.Context(), "statistics.get", in, reading(sh.showStatistics))
		},
	}
	f := c.Flags()
	when.flags(c, "from this `moment` on: 2026-01-31 or 2026-01-31T08:00:00Z", "up to this `moment`, without it")
	f.StringArrayVar(&in.Rules, "rule", nil, "only this rule `id`; may be repeated")
	f.StringArrayVar(&in.Categories, "category", nil, "only this `category`; may be repeated")
	f.BoolVar(&daily, "daily", false, "day by day: what was kept, how confidences fared, quality, how well preferences foretell")
	f.BoolVar(&in.ExcludeSkipped, "exclude-skipped", false, "leave skipped suggestions out")
	f.BoolVar(&in.ExcludeBulk, "exclude-bulk", false, "leave bulk operations out")
	return c
}

// statistics are those of feedback, and the blocks of conversations and learnings.
type statistics struct {
	rules.Statistics
	Conversation conversations.Overview `json:"conversation"`
	Learned      api.Learned            `json:"coia"`
}

func (sh *shell) showStatistics(s statistics) error {
	if err := sh.showFeedback(s.Statistics); err != nil {
		return err
	}
	if s.Conversation.Exchanges+s.Conversation.Explicit.Total > 0 {
		sh.showConversations(s.Conversation)
	}
	if s.Learned.Total == 0 {
		return nil
	}
	return sh.showLearned(s.Learned)
}

func (sh *shell) showDaily(d api.DailyLearning) error {
	rows := [][]string{{"DAY", "FEEDBACK", "KEPT", "BRIER", "ECE", "EXCHANGES", "SAID", "QUALITY", "TREND", "FORETOLD"}}
	for _, day := range d.Days {
		row := []string{day.Day, "-", "-", "-", "-", "-", "-", "-", "-", "-"}
		if f := day.Feedback; f != nil {
			copy(row[1:], []string{count(f.FeedbackCount), percent(f.AcceptanceRate), thousandths(f.BrierScore), thousandths(f.CalibrationError)})
		}
		if c := day.Conversation; c != nil {
			copy(row[5:], []string{count(c.Exchanges), percent(c.FeedbackRate), percent(c.Quality.Overall), thousandths(c.Trend), percent(c.PersonalizationAccuracy)})
		}
		rows = append(rows, row)
	}
	return sh.table(rows)
}

// thousandths writes a number to three digits, a dash for none.
func thousandths(x *float64) string {
	if x == nil {
		return "-"
	}
	return strconv.FormatFloat(*x, 'f', 3, 64)
}

func people(n int64) string {
	if n == 1 {
		return "1 person"
	}
	return count(n) + " people"
}

func (sh *shell) showConversations(c conversations.Overview) {
	sh.sayf("\n%s", sh.mark(bold, "Conversations"))
	sh.sayf("  %s of %s, quality %s", plural(int(c.Exchanges), "exchange"), people(c.People), percent(c.Quality.Overall))
	sh.sayf("  %s, positive %s; %d reports of what people did next", plural(int(c.Explicit.Total), "sign"), percent(c.Explicit.PositiveRate), c.Implicit.Total)
}

func (sh *shell) showLearned(l api.Learned) error {
	sh.sayf("\n%s", sh.mark(bold, "Learnings"))
	sh.sayf("  %d in all: %d of confidence 0.6 and more, %d of 0.5 and more", l.Total, l.Injectable, l.Searchable)
	sh.sayf("  %d helped, %d did not, by votes that count", l.Helpful, l.NotHelpful)
	if l.Lift == nil {
		return nil
	}
	sh.sayf("")
	return sh.showLift(*l.Lift)
}

func (sh *shell) showFeedback(s rules.Statistics) error {
	sh.sayf("%s", sh.mark(bold, "Feedback"))
	sh.sayf("  %d in all: %d accepted, %d modified, %d rejected, %d skipped", s.TotalFeedback, s.Accepted, s.Modified, s.Rejected, s.Skipped)
	sh.sayf("  kept %s, unchanged %s, modified %s, skipped %s", percent(s.OverallAcceptanceRate), percent(s.UnchangedRate),
		percent(s.ModificationRate), percent(s.SkipRate))
	sh.sayf("  week to week: %s\n", weekToWeek(s.Trend))
	if s.TotalFeedback == 0 {
		return nil
	}
	if err := sh.table(ruleRows(s.ByRule)); err != nil {
		return err
	}
	sh.sayf("")
	return sh.table(categoryRows(s.ByCategory))
}

// weekToWeek says how the last week before the end compares with the one before it.
func weekToWeek(t rules.Trend) string {
	switch {
	case t.RecentCount == 0:
		return "nothing in the last week to compare"
	case t.PreviousCount == 0:
		return fmt.Sprintf("nothing in the week before to compare with (%d in the last)", t.RecentCount)
	}
	return fmt.Sprintf("%s (%d in the last week, %d in the one before)", t.Status, t.RecentCount, t.PreviousCount)
}

// mostListed is how many rules are shown to a person.
const mostListed = 20

func ruleRows(by map[string]rules.RuleStatistics) [][]string {
	rows := [][]string{{"RULE", "FEEDBACK", "KEPT", "UNCHANGED", "ACCEPTED", "MODIFIED", "REJECTED", "SKIPPED"}}
	sorted := inorder.Sorted(maps.Values(by), func(a, b rules.RuleStatistics) int {
		return cmp.Or(cmp.Compare(b.FeedbackCount, a.FeedbackCount), cmp.Compare(a.RuleID, b.RuleID))
	})
	for i, r := range sorted {
		if i == mostListed {
			return append(rows, []string{fmt.Sprintf("… and %d more: --json lists all", len(sorted)-i)})
		}
		rows = append(rows, []string{r.RuleID, count(r.FeedbackCount), percent(r.AcceptanceRate), percent(r.UnchangedRate),
			count(r.Accepted), count(r.Modified), count(r.Rejected), count(r.Skipped)})
	}
	return rows
}

func categoryRows(by map[string]rules.CategoryStatistics) [][]string {
	rows := [][]string{{"CATEGORY", "FEEDBACK", "KEPT"}}
	for _, id := range slices.Sorted(maps.Keys(by)) {
		rows = append(rows, []string{id, count(by[id].FeedbackCount), percent(by[id].AcceptanceRate)})
	}
	return rows
}
