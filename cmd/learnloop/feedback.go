package main

import (
	"cmp"
	"math"
	"strconv"

	"learnloop.dev/api"
	"learnloop.dev/learn/conversations"

	"github.com/spf13/cobra"
)

func (sh *shell) feedbackCommand() *cobra.Command {
	return group("feedback", "Give and show what people make of answers",
		sh.addFeedbackCommand(), sh.showFeedbackCommand(), sh.feedbackStatsCommand(), sh.feedbackDailyCommand())
}

func (sh *shell) addFeedbackCommand() *cobra.Command {
	var in api.Reacting
	c := &cobra.Command{
		Use: "add EXCHANGE TYPE", Short: "Say what somebody made of an answer",
		Long:    "The type is thumbs_up, thumbs_down, copy or regenerate. Of several the last counts.",
		Example: "  learnloop feedback add x-17 thumbs_up\n  learnloop feedback add x-17 regenerate --user ada",
		Args:    exactly("EXCHANGE", "TYPE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			in.ExchangeID, in.FeedbackType = args[0], args[1]
			return sh.call(cmd.Context(), "feedback.add", in, reading(func(r api.Reaction) error {
				sh.sayf("Taken in as %s.", r.FeedbackID)
				return nil
			}))
		},
	}
	c.Flags().StringVar(&in.UserID, "user", "", "the raw id of the `user`; the owner of the exchange when not given")
	c.Flags().StringVar(&in.FeedbackText, "text", "", "why, in `words`; kept only where the settings of privacy say so")
	return c
}

func (sh *shell) showFeedbackCommand() *cobra.Command {
	return &cobra.Command{
		Use: "show EXCHANGE", Short: "Show what is known about an answer, and its score",
		Example: "  learnloop feedback show x-17",
		Args:    exactly("EXCHANGE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return sh.call(cmd.Context(), "feedback.exchange", api.ExchangeArgs{ID: args[0]}, reading(sh.showExchange))
		},
	}
}

func (sh *shell) showExchange(x conversations.Exchange) error {
	rows := [][]string{{"answer", x.ExchangeID}}
	if x.Explicit != nil {
		rows = append(rows, []string{"feedback", string(x.Explicit.FeedbackType) + " (" + plural(len(x.Signs), "sign") + ")"})
	}
	if x.Implicit != nil {
		rows = append(rows, []string{"next", cmp.Or(string(x.Implicit.FollowUpType), "-")})
	}
	if q := x.Quality; q != nil {
		rows = append(rows, []string{"quality", percent(q.Overall) + ", confidence " + hundredths(q.Confidence)})
		for _, p := range []struct {
			name  string
			score *float64
		}{{"relevance", q.Relevance}, {"helpfulness", q.Helpfulness}, {"engagement", q.Engagement}, {"clarity", q.Clarity}, {"accuracy", q.Accuracy}} {
			rows = append(rows, []string{"  " + p.name, percent(p.score)})
		}
	}
	return sh.table(rows)
}

func (sh *shell) feedbackStatsCommand() *cobra.Command {
	return &cobra.Command{
		Use: "stats", Short: "Show how answers are taken",
		Example: "  learnloop feedback stats\n  learnloop feedback stats --json",
		Args:    exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return sh.call(cmd.Context(), "feedback.stats", api.PeriodArgs{}, reading(func(s api.FeedbackStats) error {
				trend := "-"
				if s.RecentTrend != nil {
					trend = signed(*s.RecentTrend)
				}
				return sh.table([][]string{
					{"feedback", count(s.TotalFeedback)}, {"positive", percent(s.PositiveRate)}, {"trend", trend},
					{"exchanges", count(s.Conversation.Exchanges)}, {"quality", percent(s.Conversation.Quality.Overall)},
				})
			}))
		},
	}
}

func (sh *shell) feedbackDailyCommand() *cobra.Command {
	return &cobra.Command{
		Use: "daily", Short: "Show how answers were taken, day by day",
		Example: "  learnloop feedback daily",
		Args:    exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return sh.call(cmd.Context(), "feedback.daily", api.PeriodArgs{}, reading(func(m api.DailyMetrics) error {
				rows := [][]string{{"DAY", "EXCHANGES", "FEEDBACK", "POSITIVE", "QUALITY", "TREND"}}
				for _, d := range m.Days {
					trend := "-"
					if d.Trend != nil {
						trend = signed(*d.Trend)
					}
					rows = append(rows, []string{d.Day, count(d.Exchanges), percent(d.FeedbackRate), percent(d.PositiveRate), percent(d.Quality.Overall), trend})
				}
				return sh.table(rows)
			}))
		},
	}
}

func (sh *shell) preferencesCommand() *cobra.Command {
	return group("preferences", "Show, set and delete what was learned about a person",
		sh.showPreferencesCommand(), sh.setPreferenceCommand(), sh.deletePreferencesCommand())
}

func (sh *shell) showPreferencesCommand() *cobra.Command {
	return &cobra.Command{
		Use: "show USER", Short: "Show what was learned about a person",
		Example: "  learnloop preferences show ada\n  learnloop preferences show ada --json",
		Args:    exactly("USER"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return sh.call(cmd.Context(), "preferences.get", api.PreferencesArgs{User: args[0]}, reading(sh.showPreferences))
		},
	}
}

func (sh *shell) showPreferences(p conversations.Preferences) error {
	if p.Schema == "" {
		sh.sayf("Nothing is known of this person.")
		return nil
	}
	rows := [][]string{{"PREFERENCE", "VALUE", "CONFIDENCE", "ANSWERS"}}
	for _, t := range []struct {
		name string
		conversations.Trait
	}{{"length", p.Style.Length}, {"depth", p.Style.Depth}, {"lists", p.Style.Format}, {"examples", p.Style.Examples}} {
		rows = append(rows, []string{t.name, hundredths(t.Value), hundredths(t.Confidence), count(t.SampleSize)})
	}
	for _, t := range p.Topics {
		rows = append(rows, []string{"topic " + strconv.Quote(t.Topic), hundredths(t.Affinity), "", count(t.Samples)})
	}
	if err := sh.table(rows); err != nil {
		return err
	}
	if p.Prompt != "" {
		sh.sayf("\n%s", p.Prompt)
	}
	return nil
}

func (sh *shell) setPreferenceCommand() *cobra.Command {
	return &cobra.Command{
		Use: "set USER TYPE KEY VALUE", Short: "Set a preference of a person, as the person wants it",
		Long: "The type is style (length_preference, depth_preference, examples_preference, preferred_format)\n" +
			"or topic_affinity (a topic). Values go from 0 to 1; formats also by name.",
		Example: "  learnloop preferences set ada style length_preference 0.2\n  learnloop preferences set ada style preferred_format lists",
		Args:    exactly("USER", "TYPE", "KEY", "VALUE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			in := map[string]any{"user": args[0], "preference_type": args[1], "preference_key": args[2], "preference_value": numberOr(args[3])}
			return sh.call(cmd.Context(), "preferences.correct", in, reading(func(c api.Corrected) error {
				sh.sayf("Set %s %s in %s.", c.Type, c.Name, c.Key)
				return nil
			}))
		},
	}
}

// numberOr is a number where the text is one that JSON has, else the text.
func numberOr(text string) any {
	if x, err := strconv.ParseFloat(text, 64); err == nil && !math.IsNaN(x) && !math.IsInf(x, 0) {
		return x
	}
	return text
}

func (sh *shell) deletePreferencesCommand() *cobra.Command {
	in := api.DropPreferenceArgs{}
	var yes bool
	c := &cobra.Command{
		Use: "delete USER", Short: "Delete preferences of a person",
		Long: "They are learned anew from what comes later alone; records and statistics stay.\n" +
			"Without --yes nothing is changed: it shows what is known.",
		Example: "  learnloop preferences delete ada --yes\n  learnloop preferences delete ada --type topic_affinity --key go --yes",
		Args:    exactly("USER"),
		RunE: func(cmd *cobra.Command, args []string) error {
			in.User = args[0]
			if yes {
				return sh.call(cmd.Context(), "preferences.delete", in, reading(func(c api.Corrected) error {
					sh.sayf("Deleted from %s.", c.Key)
					return nil
				}))
			}
			return sh.call(cmd.Context(), "preferences.get", api.PreferencesArgs{User: in.User}, reading(func(p conversations.Preferences) error {
				if err := sh.showPreferences(p); err != nil {
					return err
				}
				sh.sayf("\nNothing is changed yet. To go on:\n\n  %s --yes", again(cmd))
				return nil
			}))
		},
	}
	f := c.Flags()
	f.StringVar(&in.Type, "type", "", "only those of this `type`: style, topic_affinity, error_pattern")
	f.StringVar(&in.Key, "key", "", "only the one of this `key`, such as length_preference or a topic")
	f.BoolVar(&yes, "yes", false, "go on")
	return c
}
