package conversations

import (
	"maps"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/stats"
)

// The questions the model answers, one part per partition.
const (
	AskExchange = "exchange" // ExchangeArgs → []Exchange
	AskScores   = "scores"   // ScoresArgs → Scores
	AskSummary  = "summary"  // Window → Summary
	AskPerson   = "person"   // PersonArgs → []Preferences
)

func answers() map[string]learn.Answer {
	return map[string]learn.Answer{
		AskExchange: answerExchange,
		AskScores:   answerScores,
		AskSummary:  answerSummary,
		AskPerson:   answerPerson,
	}
}

// ExchangeArgs name an exchange.
type ExchangeArgs struct {
	ExchangeID string   `json:"exchange_id"`   // as it is stored
	Also       []string `json:"also,omitzero"` // what it may be stored as instead
}

// Exchange is what is known about one answer. People's own ids of exchanges may meet:
// then there are several.
type Exchange struct {
	ExchangeID string             `json:"exchange_id"`
	Recorded   bool               `json:"recorded"`
	At         time.Time          `json:"at"`
	Explicit   *ExplicitFeedback  `json:"explicit_feedback"`
	Signs      []ExplicitFeedback `json:"signs"` // all of it, the latest first
	Implicit   *ImplicitFeedback  `json:"implicit_feedback"`
	Quality    *Score             `json:"quality_score"`
	Rephrased  bool               `json:"rephrased"`
}

// ExplicitFeedback is a sign that somebody gave (003).
type ExplicitFeedback struct {
	ExchangeID   string              `json:"exchange_id"`
	FeedbackType events.ResponseSign `json:"feedback_type"`
	Timestamp    time.Time           `json:"timestamp"`
	Prompt       bool                `json:"within_window"` // of thirty seconds
}

// ImplicitFeedback is what somebody did next (003).
type ImplicitFeedback struct {
	ExchangeID     string          `json:"exchange_id"`
	ResponseTimeMS *float64        `json:"response_time_ms"`
	FollowUpType   events.FollowUp `json:"follow_up_type"`
	MessageLength  *int64          `json:"user_message_length"`
	Position       int64           `json:"session_position"`
	Timestamp      time.Time       `json:"timestamp"`
	Derived        bool            `json:"derived"` // from the session: nobody reported it
}

func answerExchange(q learn.Question) (any, error) {
	args, err := learn.ReadArgs[ExchangeArgs](q, "which exchange is meant")
	if err != nil {
		return nil, err
	}
	found := []Exchange{}
	for _, id := range append(args.Also, args.ExchangeID) {
		for _, m := range learn.Scan[member](q.Rows, exchangeKey(events.ID(id)), learn.People) {
			if x := evidenceOf(q.Rows, m.Name).byID()[id]; x != nil {
				found = append(found, x.shown())
			}
		}
	}
	return found, nil
}

func (x *exchange) shown() Exchange {
	e := Exchange{ExchangeID: x.ID, Recorded: x.recorded, At: when(x.At), Signs: []ExplicitFeedback{}, Rephrased: x.rephrased}
	for _, s := range x.signs {
		e.Signs = append(e.Signs, ExplicitFeedback{x.ID, s.Type, when(s.At), x.prompt(s)})
	}
	if len(e.Signs) > 0 {
		e.Explicit = &e.Signs[0]
	}
	if d := x.deed(); d != (deed{}) {
		e.Implicit = d.shown(len(x.deeds) == 0)
	}
	if s := x.score; s.Overall != nil {
		if x.Weights != (events.ScoreWeights{}) {
			s.Weights = new(x.weights())
		}
		e.Quality = &s
	}
	return e
}

func (d deed) shown(derived bool) *ImplicitFeedback {
	i := &ImplicitFeedback{
		ExchangeID: d.ID, FollowUpType: d.FollowUp, Position: d.Position, Timestamp: when(d.At), Derived: derived,
	}
	if d.Delay.Known {
		const perMilli = 1000
		i.ResponseTimeMS = new(float64(d.Delay.Value) / perMilli)
	}
	if d.Length.Known {
		i.MessageLength = &d.Length.Value
	}
	return i
}

func when(at int64) time.Time { return time.UnixMicro(at).UTC() }

// ScoresArgs name exchanges of a person.
type ScoresArgs struct {
	Person    string   `json:"person"`    // the stored name
	Exchanges []string `json:"exchanges"` // as they are stored
}

// Scores are overall scores by exchange; unscored ones are not there.
type Scores map[string]float64

func answerScores(q learn.Question) (any, error) {
	args, err := learn.ReadArgs[ScoresArgs](q, "whose scores are meant")
	if err != nil {
		return nil, err
	}
	wanted, scores := map[string]bool{}, Scores{}
	for _, id := range args.Exchanges {
		wanted[id] = true
	}
	for _, x := range evidenceOf(q.Rows, args.Person) {
		if s := x.score; wanted[x.ID] && s.Overall != nil {
			scores[x.ID] = *s.Overall
		}
	}
	return scores, nil
}

// MergeScores joins the parts of the partitions.
func MergeScores(parts ...Scores) Scores {
	all := Scores{}
	for _, p := range parts {
		maps.Copy(all, p)
	}
	return all
}

// PersonArgs name a person.
type PersonArgs struct {
	Person string `json:"person"` // the stored name
}

func answerPerson(q learn.Question) (any, error) {
	args, err := learn.ReadArgs[PersonArgs](q, "whose preferences are meant")
	if err != nil {
		return nil, err
	}
	found := []Preferences{}
	if k, ok := know(q.Rows, userKey(args.Person)); ok {
		found = append(found, preferences(args.Person, &k))
	}
	return found, nil
}

// Summary is what a partition knows of everybody together.
type Summary struct {
	Days     map[int64]Day   `json:"days"` // since 1970
	People   int64           `json:"people"`
	Sessions int64           `json:"sessions"`
	Sittings []uint32        `json:"sittings,omitzero"` // sessions beside those: what is summed up may go on
	Delays   map[int64]int64 `json:"delays"`            // reported ones, by microseconds

	// Previous and Recent are the positive signs of two weeks.
	Previous stats.Share `json:"previous"`
	Recent   stats.Share `json:"recent"`
}

func summaryOf(rows learn.Rows, asOf time.Time) Summary {
	s := Summary{Days: map[int64]Day{}, Delays: map[int64]int64{}}
	previous, recent := stats.Weeks(asOf)
	for _, m := range learn.Scan[member](rows, peopleKey(), learn.People) {
		all := evidenceOf(rows, m.Name)
		all.foresee(earlierOf(rows, m.Name))
		s.add(all)
		s.addKept(rows, m.Name)
		s.settle(0)
		if !asOf.IsZero() {
			s.Previous, s.Recent = all.positive(s.Previous, previous), all.positive(s.Recent, recent)
		}
	}
	return s
}

// positive adds the signs of a window to a share.
func (all evidence) positive(s stats.Share, w stats.Window) stats.Share {
	for _, x := range all {
		for _, g := range x.signs {
			if !w.Contains(when(g.At)) {
				continue
			}
			s = taken(s, g.Type)
		}
	}
	return s
}

// taken is the share with one sign more.
func taken(s stats.Share, t events.ResponseSign) stats.Share {
	s.N++
	if t == events.ThumbsUp || t == events.Copied {
		s.X++
	}
	return s
}

func (s *Summary) add(all evidence) {
	sessions := map[uint32]bool{}
	for _, x := range all {
		if x.Session != "" {
			sessions[sittingOf(x.Session)] = true
		}
		for _, d := range x.deeds {
			if d.Delay.Known {
				s.Delays[d.Delay.Value]++
			}
		}
	}
	for day, d := range all.days() {
		s.Days[day] = s.Days[day].plus(*d)
	}
	for id := range sessions {
		s.Sittings = append(s.Sittings, id)
	}
	s.People++
	s.thin()
}

// mostDelays is how many different delays are told apart exactly; more are told to
// three digits.
const mostDelays = 20_000

func (s *Summary) thin() {
	if len(s.Delays) <= mostDelays {
		return
	}
	coarse := map[int64]int64{}
	for v, n := range s.Delays {
		coarse[threeDigits(v)] += n
	}
	s.Delays = coarse
}

func threeDigits(v int64) int64 {
	unit := int64(1)
	for v/unit >= 1000 {
		unit *= 10
	}
	return v / unit * unit
}

// MergeSummaries adds the parts of the partitions up.
func MergeSummaries(parts ...Summary) Summary {
	all := Summary{Days: map[int64]Day{}, Delays: map[int64]int64{}}
	for i := range parts {
		all.join(&parts[i])
	}
	return all
}

// join adds another summary to this one.
func (s *Summary) join(p *Summary) {
	for day, d := range p.Days {
		s.Days[day] = s.Days[day].plus(d)
	}
	for v, n := range p.Delays {
		s.Delays[v] += n
	}
	s.People, s.Sessions, s.Sittings = s.People+p.People, s.Sessions+p.Sessions, append(s.Sittings, p.Sittings...)
	s.Previous = stats.Share{X: s.Previous.X + p.Previous.X, N: s.Previous.N + p.Previous.N}
	s.Recent = stats.Share{X: s.Recent.X + p.Recent.X, N: s.Recent.N + p.Recent.N}
	s.thin()
}

// Total is all days together.
func (s Summary) Total() (sum Day) {
	for _, d := range s.Days {
		sum = sum.plus(d)
	}
	return sum
}
