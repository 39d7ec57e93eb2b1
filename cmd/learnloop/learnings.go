package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"learnloop.dev/api"
	"learnloop.dev/learn/learnings"

	"github.com/spf13/cobra"
)

func (sh *shell) learningsCommand() *cobra.Command {
	return group("learnings", "Show and edit what past tasks taught", sh.listLearningsCommand(), sh.showLearningCommand(),
		sh.createLearningCommand(), sh.editLearningCommand(), sh.archiveLearningCommand(), sh.reviewLearningCommand(),
		sh.liftCommand())
}

func (sh *shell) listLearningsCommand() *cobra.Command {
	var in api.LearningsArgs
	c := &cobra.Command{
		Use: "list", Short: "List learnings, the newest first",
		Example: "  learnloop learnings list\n  learnloop learnings list --status active --domain database --min-confidence 0.6\n" +
			"  learnloop learnings list --search webhook --json",
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := sh.call(cmd.Context(), "learnings.list", in, reading(sh.showLearnings)); err != nil || sh.json {
				return err
			}
			_ = sh.call(cmd.Context(), "learnings.queue", nil, reading(sh.pointAtQueue)) // who may not review is not asked to
			return nil
		},
	}
	f := c.Flags()
	f.StringVar(&in.Status, "status", "", "only those of this `status`: active, archived or superseded")
	f.StringVar(&in.Domain, "domain", "", "only those of this `field`")
	f.Float64Var(&in.MinConfidence, "min-confidence", 0, "only those of at least this `confidence`, 0 to 1")
	f.StringVar(&in.Search, "search", "", "only those in which this `text` stands")
	f.IntVar(&in.Limit, "limit", 0, "this `number` of them, 100 when not given, 1000 at most")
	f.IntVar(&in.Offset, "offset", 0, "pass over this `number`")
	return c
}

func (sh *shell) showLearningCommand() *cobra.Command {
	return &cobra.Command{
		Use: "show ID", Short: "Show a learning: what was learned, where from, and how it fared",
		Example: "  learnloop learnings show learn_7f31a2c4d5e6\n  learnloop explain learn_7f31a2c4d5e6",
		Args:    exactly("ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return sh.call(cmd.Context(), "learnings.get", api.LearningArgs{ID: args[0]}, reading(sh.showLearning))
		},
	}
}

func (sh *shell) showLearnings(l api.LearningList) error {
	if len(l.Learnings) == 0 {
		sh.sayf("There are none.")
		return nil
	}
	rows := [][]string{{"ID", "CONFIDENCE", "USED", "HELPED", "DID NOT", "STATUS", "TITLE"}}
	for _, e := range l.Learnings {
		rows = append(rows, []string{e.ID, hundredths(e.Confidence), count(e.TimesInjected), count(e.TimesHelpful),
			count(e.TimesNotHelpful), string(e.Status), e.Title})
	}
	if more := l.Total - len(l.Learnings); more > 0 {
		rows = append(rows, []string{fmt.Sprintf("… %d of %d; --limit and --offset show others", len(l.Learnings), l.Total)})
	}
	return sh.table(rows)
}

// pointAtQueue says that something waits for review, which no list shows.
func (sh *shell) pointAtQueue(q api.Queue) error {
	if q.Total > 0 {
		_, _ = fmt.Fprintf(sh.err, "%s waiting for review: learnloop learnings review\n", plural(q.Total, "proposal")) // the list is answered
	}
	return nil
}

func hundredths(share float64) string { return strconv.FormatFloat(share, 'f', 2, 64) }

func (sh *shell) showLearning(e learnings.Learning) error {
	sh.sayf("%s\n%s  %s", sh.mark(bold, e.Title), e.ID, string(e.Status))
	for _, part := range [][2]string{
		{"Context", e.Context},
		{"Observation", e.Observation},
		{"Implication", e.Implication},
		{"Action", e.Action},
	} {
		sh.sayf("\n%s\n  %s", sh.mark(bold, part[0]), strings.ReplaceAll(part[1], "\n", "\n  "))
	}
	sh.sayf("")
	return sh.table(learningRows(e))
}

// learningRows are what a learning says of itself, as far as it does.
func learningRows(e learnings.Learning) (rows [][]string) {
	for _, row := range [][]string{
		{"confidence", fmt.Sprintf("%s (%s at first)", hundredths(e.Confidence), hundredths(e.InitialConfidence))},
		{"posterior", fmt.Sprintf("%s (%s to %s)", hundredths(e.Posterior.Mean), hundredths(e.Posterior.Lower), hundredths(e.Posterior.Upper))},
		{"used", fmt.Sprintf("in %s, helped in %d, did not in %d", plural(int(e.TimesInjected), "task"), e.TimesHelpful, e.TimesNotHelpful)},
		{"last used", day(e.LastInjectedAt)},
		{"last helped", day(e.LastHelpfulAt)},
		{"created", day(e.CreatedAt)},
		{"changed", day(e.UpdatedAt)},
		{"tags", strings.Join(e.Tags, ", ")},
		{"domain", e.Domain},
		{"good for", e.PatternType},
		{"learned in", strings.Trim(e.SourceOutcomeID+" "+e.SourceTaskID, " ")},
		{"from discovery", e.SourceDiscoveryID},
		{"written by", e.ExtractedBy},
		{"found again", foundAgain(e.Evidence.Sources)},
		{"told by tasks", toldByTasks(e.Evidence.Tasks)},
		{"superseded by", e.SupersededBy},
		{"supersedes", e.Supersedes},
		{"because", e.StatusReason},
	} {
		if row[1] != "" {
			rows = append(rows, row)
		}
	}
	return rows
}

// foundAgain are the latest places where the same was found.
func foundAgain(all []learnings.Source) string {
	var places []string
	for i, s := range all {
		if i == mostWitnesses {
			places = append(places, fmt.Sprintf("… and %d more", len(all)-i))
			break
		}
		places = append(places, strings.Join(strings.Fields(s.OutcomeID+" "+s.TaskID+" "+s.DiscoveryID), " "))
	}
	return strings.Join(places, ", ")
}

// toldByTasks is how tasks ended of which chance decided whether they were given it.
func toldByTasks(c learnings.Credit) string {
	if c == (learnings.Credit{}) {
		return ""
	}
	return fmt.Sprintf("%d of %d succeeded with it, %d of %d without", c.In.Success, c.In.N, c.Out.Success, c.Out.N)
}

// day is when something happened, "" when it did not.
func day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return when(t)
}
