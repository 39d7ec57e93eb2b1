package api

import (
	"cmp"
	"context"
	"net/http"
	"reflect"
	"slices"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn/conversations"
	"learnloop.dev/pipeline/ingest"
	"learnloop.dev/stats"

	"github.com/danielgtaylor/huma/v2"
)

// registerFeedback lists the operations on what people make of answers (003).
func (a *API) registerFeedback(r *Registry) {
	Add(r, Operation[ReactionArgs, Reaction]{
		Name: "feedback.add", Method: http.MethodPost, Path: "/api/feedback", Tag: "conversations", Access: Capture,
		Summary: "Say what somebody made of an answer",
		Description: "Of several signs about one answer the last counts. One that names only the exchange is the person's whose exchange " +
			"it is; it waits for the exchange for ten minutes.",
		Do: a.addFeedback,
	})
}

// registerConversations lists the operations that read what conversations taught.
func (a *API) registerConversations(r *Registry) {
	Add(r, Operation[PeriodArgs, FeedbackStats]{
		Name: "feedback.stats", Method: http.MethodGet, Path: "/api/feedback/stats", Tag: "conversations", Access: Read,
		Summary:     "How answers are taken",
		Description: "Positive are thumbs up and copies, of all explicit feedback. The trend compares the seven days before the end with the seven before those.",
		Aliases:     map[string]string{"start": "from", "end": "to"},
		Do:          a.feedbackStats,
	})
	Add(r, Operation[ExchangeArgs, ExchangeFeedback]{
		Name: "feedback.exchange", Method: http.MethodGet, Path: "/api/feedback/exchange/{id}", Tag: "conversations", Access: Read,
		Summary: "What is known about one answer",
		Description: "Feedback, what the person did next, and the quality score with its parts. " +
			"Parts without evidence are null; confidence is the weight of the others.",
		Aliases: map[string]string{"exchange_id": "id"},
		Do:      a.exchangeFeedback,
	})
	Add(r, Operation[PeriodArgs, DailyMetrics]{
		Name: "feedback.daily", Method: http.MethodGet, Path: "/api/feedback/daily", Tag: "conversations", Access: Read,
		Summary: "How answers were taken, day by day",
		Aliases: map[string]string{"start": "from", "end": "to"},
		Do:      a.dailyMetrics,
	})
}

// Reacting is explicit feedback on its way in.
type Reacting struct {
	ExchangeID   string `json:"exchange_id" minLength:"1" doc:"The answer that is meant."`
	FeedbackType string `json:"feedback_type" enum:"thumbs_up,thumbs_down,copy,regenerate"`
	FeedbackText string `json:"feedback_text,omitzero" maxLength:"65536" doc:"Kept, redacted, only where the settings of privacy say so."`
	SessionID    string `json:"session_id,omitzero"`
	UserID       string `json:"user_id,omitzero" doc:"Stored as a pseudonym."`
}

// ReactionArgs bring feedback.
type ReactionArgs struct {
	Caller `json:"-"`
	Repeating
	Body Reacting `json:",embed"`
}

// Schema describes the arguments to NATS clients: those of the body over HTTP.
func (*ReactionArgs) Schema(r huma.Registry) *huma.Schema {
	return repeating(bodySchema(r, reflect.TypeFor[Reacting]()))
}

func (in *ReactionArgs) check() error { return checkID("exchange_id", in.Body.ExchangeID) }

// Reaction says that feedback was taken in.
type Reaction struct {
	Success    bool   `json:"success"`
	FeedbackID string `json:"feedback_id" doc:"The id of the event."`
}

func (a *API) addFeedback(ctx context.Context, in *ReactionArgs) (*Reaction, error) {
	b := in.Body
	item, err := draft(events.FeedbackResponse.Kind, &events.ResponseFeedback{
		ExchangeID: events.ID(b.ExchangeID), FeedbackType: events.ResponseSign(b.FeedbackType), FeedbackText: b.FeedbackText,
		SessionID: events.ID(b.SessionID), UserID: events.ID(b.UserID),
	})
	if err != nil {
		return nil, err
	}
	if item.ID, err = in.fresh(in.visitor.identity(), b); err != nil { // the same key says the same, not the same again
		return nil, err
	}
	err = a.utter(ctx, ingest.Anyone, item)
	return &Reaction{err == nil, item.ID}, err
}

// PeriodArgs choose a period; without any all time counts.
type PeriodArgs struct {
	From time.Time `json:"from,omitzero" query:"from" doc:"Event time from which on feedback counts, RFC 3339."`
	To   time.Time `json:"to,omitzero" query:"to" doc:"Event time before which feedback counts."`
}

func (in *PeriodArgs) check() error { return checkPeriod(in.From, in.To) }

func (in *PeriodArgs) window() conversations.Window {
	return conversations.Window{From: in.From, To: in.To}
}

// FeedbackStats are the statistics of source document 003.
type FeedbackStats struct {
	TotalFeedback int64                  `json:"total_feedback" doc:"Explicit feedback."`
	PositiveRate  *float64               `json:"positive_rate" doc:"Thumbs up and copies of all of it; null without any."`
	RecentTrend   *float64               `json:"recent_trend" doc:"Positive rate of the last seven days minus that of those before"`
	Trend         FeedbackTrend          `json:"trend"`
	Conversation  conversations.Overview `json:"conversation" doc:"The same figures as in the statistics."`
}

// FeedbackTrend is what the trend rests on.
type FeedbackTrend struct {
	Status        stats.TrendStatus `json:"status"`
	Lower         float64           `json:"lower" doc:"95 % interval of the change."`
	Upper         float64           `json:"upper"`
	RecentCount   int64             `json:"recent_count"`
	PreviousCount int64             `json:"previous_count"`
}

func (a *API) feedbackStats(ctx context.Context, in *PeriodArgs) (*FeedbackStats, error) {
	w := in.window()
	w.AsOf = cmp.Or(in.To, a.deps.Now().UTC())
	s, err := a.conversations(ctx, w)
	if err != nil {
		return nil, err
	}
	t := stats.TrendOf(s.Previous, s.Recent, 0.95)
	out := &FeedbackStats{Conversation: s.Block(), Trend: FeedbackTrend{
		Status: t.Status, Lower: six(t.Interval.Lower), Upper: six(t.Interval.Upper), RecentCount: s.Recent.N, PreviousCount: s.Previous.N,
	}}
	if change, known := t.Value(); known {
		out.RecentTrend = new(six(change))
	}
	out.TotalFeedback, out.PositiveRate = out.Conversation.Explicit.Total, out.Conversation.Explicit.PositiveRate
	return out, nil
}

// ExchangeArgs name an exchange.
type ExchangeArgs struct {
	ID string `json:"id" path:"id" doc:"The raw exchange id."`
}

func (in *ExchangeArgs) check() error { return checkID("id", in.ID) }

// ExchangeFeedback is what is known about one answer.
type ExchangeFeedback struct{ conversations.Exchange }

// Schema describes it.
func (*ExchangeFeedback) Schema(r huma.Registry) *huma.Schema {
	return r.Schema(reflect.TypeFor[conversations.Exchange](), true, "")
}

// exchangeFeedback looks an answer up. Where people use the same ids the latest is meant.
func (a *API) exchangeFeedback(ctx context.Context, in *ExchangeArgs) (*ExchangeFeedback, error) {
	found, err := a.exchanges(ctx, conversations.ExchangeArgs{ExchangeID: in.ID})
	if err == nil && len(found) == 0 && a.deps.KnownBy != nil { // the id may be one in which something had to be hidden
		var as Known
		if as, err = a.deps.KnownBy(ctx, in.ID, nil); err != nil {
			return nil, outOfReach(err)
		}
		found, err = a.exchanges(ctx, conversations.ExchangeArgs{ExchangeID: in.ID, Also: as.Names})
	}
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, problem(NotFound, "nothing is known about this exchange").hint("feedback that names only its exchange waits for it for ten minutes")
	}
	return &ExchangeFeedback{slices.MaxFunc(found, func(x, y conversations.Exchange) int { return x.At.Compare(y.At) })}, nil
}

func (a *API) exchanges(ctx context.Context, args conversations.ExchangeArgs) ([]conversations.Exchange, error) {
	parts, err := askModel[[]conversations.Exchange](ctx, a.asker, question{Model: conversations.Name, Ask: conversations.AskExchange}, args)
	return slices.Concat(parts...), err
}

// DailyMetrics are learning metrics over time (003).
type DailyMetrics struct {
	Days []conversations.DayMetrics `json:"days" nullable:"false" doc:"By the day of the exchange (UTC), the oldest first."`
}

func (a *API) dailyMetrics(ctx context.Context, in *PeriodArgs) (*DailyMetrics, error) {
	s, err := a.conversations(ctx, in.window())
	if err != nil {
		return nil, err
	}
	return &DailyMetrics{s.Daily()}, nil
}
