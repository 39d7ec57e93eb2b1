package api

import (
	"cmp"
	"context"
	"net/http"
	"time"

	"learnloop.dev/inorder"
	"learnloop.dev/learn/conversations"
	"learnloop.dev/learn/rules"
)

// registerDaily lists the operation on how learning goes over time.
func (a *API) registerDaily(r *Registry) {
	Add(r, Operation[StatisticsArgs, DailyLearning]{
		Name: "statistics.daily", Method: http.MethodGet, Path: "/api/statistics/daily", Tag: "insight", Access: Read,
		Summary: "How learning goes, day by day",
		Description: "Of rule feedback what was kept and how well stated confidences predicted it; of conversations quality, how often " +
			"people say what they think, and how well preferences foretell it. Without from the thirty days before the end.",
		Aliases: map[string]string{"rule_ids": "rules", "rule_id": "rules", "category": "categories", "start": "from", "end": "to"},
		Same:    a.sameStatistics,
		Do:      a.daily,
	})
}

// DailyLearning are the learning metrics over time.
type DailyLearning struct {
	Days []LearningDay `json:"days" nullable:"false" doc:"By day (UTC), the oldest first; those without evidence are left out."`
}

// LearningDay is one day of them.
type LearningDay struct {
	Day          string       `json:"day" doc:"YYYY-MM-DD"`
	Feedback     *FeedbackDay `json:"feedback" doc:"Rule feedback; null without any."`
	Conversation *TalkDay     `json:"conversation" doc:"Conversations, by the day of the exchange; null without any."`
}

// TalkDay is a day of conversations.
type TalkDay = conversations.DayMetrics

// FeedbackDay is a day of rule feedback.
type FeedbackDay struct {
	FeedbackCount      int64    `json:"feedback_count"`
	AcceptanceRate     *float64 `json:"acceptance_rate" doc:"Kept of decided."`
	ModificationRate   *float64 `json:"modification_rate"`
	SkipRate           *float64 `json:"skip_rate"`
	Graded             int64    `json:"graded" doc:"Decisions whose suggestion stated a confidence."`
	BrierScore         *float64 `json:"brier_score" doc:"Mean squared error of stated confidences, 0 at best."`
	CalibrationError   *float64 `json:"calibration_error" doc:"Expected calibration error over thirteen bins, 0 at best."`
	ConfidenceAccuracy *float64 `json:"confidence_accuracy" doc:"Share with confidence of 0.8 and more, and kept, or less, and not."`
}

// recentDays is what is shown when nobody says from when on.
const recentDays = 30

func (a *API) daily(ctx context.Context, in *StatisticsArgs) (*DailyLearning, error) {
	to := cmp.Or(in.To, a.deps.Now().UTC())
	from := cmp.Or(in.From, to.UTC().Truncate(24*time.Hour).AddDate(0, 0, 1-recentDays))
	by := map[string]*LearningDay{}
	of := func(day string) *LearningDay {
		if by[day] == nil {
			by[day] = &LearningDay{Day: day}
		}
		return by[day]
	}
	if a.deps.Entitled() {
		f := rules.Filter{From: from, To: to, Rules: in.Rules, Categories: in.Categories, ExcludeSkipped: in.ExcludeSkipped, ExcludeBulk: in.ExcludeBulk}
		parts, err := askModel[[]rules.Day](ctx, a.asker, question{Model: rules.Name, Ask: rules.AskDays}, f)
		if err != nil {
			return nil, err
		}
		for _, d := range rules.MergeDays(parts...) {
			of(d.Date).Feedback = feedbackDay(d)
		}
	}
	s, err := a.conversations(ctx, conversations.Window{From: from, To: to})
	if err != nil {
		return nil, err
	}
	for _, d := range s.Daily() {
		of(d.Day).Conversation = &d
	}
	out := &DailyLearning{Days: []LearningDay{}}
	for _, d := range by {
		out.Days = append(out.Days, *d)
	}
	inorder.Sort(out.Days, func(a, b LearningDay) int { return cmp.Compare(a.Day, b.Day) })
	return out, nil
}

func feedbackDay(d rules.Day) *FeedbackDay {
	return &FeedbackDay{
		FeedbackCount: d.FeedbackCount, AcceptanceRate: d.AcceptanceRate, ModificationRate: d.ModificationRate(), SkipRate: d.SkipRate(),
		Graded: d.Graded, BrierScore: d.BrierScore, CalibrationError: d.CalibrationError, ConfidenceAccuracy: d.ConfidenceAccuracy,
	}
}
