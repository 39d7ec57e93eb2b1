package conversations

import (
	"learnloop.dev/events"
	"learnloop.dev/learn"
)

// The rows of a person: what was said about an exchange lies together, by record.
const (
	exchangeRows = "x/" // told, by exchange
	signRows     = "s/" // sign, by exchange
	deedRows     = "e/" // deed, by exchange
)

// mostTopics is how many topics of an exchange count.
const mostTopics = 5

// told is an exchange as it was recorded.
type told struct {
	ID       string             `json:"id"`
	At       int64              `json:"at"`              // Unix microseconds of event time
	Stored   int64              `json:"stored,omitzero"` // likewise, by ingest
	Session  string             `json:"session,omitzero"`
	Position int64              `json:"position,omitzero"`
	Model    string             `json:"model,omitzero"`
	Topics   [mostTopics]string `json:"topics,omitzero"`
	Sketch   words              `json:"sketch,omitzero"`

	Similar     milli `json:"similar,omitzero"` // relevance before scaling
	Clear       milli `json:"clear,omitzero"`
	Asked       int64 `json:"asked,omitzero"` // characters of the question
	Shape       shape `json:"shape,omitzero"`
	Corrections int64 `json:"corrections,omitzero"`
	Off         off   `json:"off,omitzero"`

	// Weights are those of an arm of an experiment; none: the usual ones.
	Weights events.ScoreWeights `json:"weights,omitzero"`
}

// off are the switches that were off when the exchange, or what was said about it, came.
type off struct {
	Scoring         bool `json:"scoring,omitzero"`         // no score follows from it
	Personalization bool `json:"personalization,omitzero"` // nobody's preferences do
	Tracking        bool `json:"tracking,omitzero"`        // it says nothing about the one before it
}

// milli is an optional number in thousandths.
type milli struct {
	Known bool  `json:"known,omitzero"`
	Value int64 `json:"value,omitzero"`
}

// words are the sketch of a question.
type words struct {
	N      int                       `json:"n,omitzero"`
	Hashes [events.SketchSize]uint16 `json:"hashes,omitzero"`
}

func (w words) sketch() events.Sketch { return w.Hashes[:w.N] }

// shape is what style is learned from: what an answer measures in each of its traits.
type shape struct {
	Known bool          `json:"known,omitzero"`
	X     [traits]int64 `json:"x,omitzero"`
}

// sign is explicit feedback.
type sign struct {
	ID      string              `json:"id"`              // of the exchange
	At      int64               `json:"at"`              // Unix microseconds of event time
	Stored  int64               `json:"stored,omitzero"` // likewise, by ingest
	Type    events.ResponseSign `json:"type"`
	Session string              `json:"session,omitzero"`
	Text    bool                `json:"text,omitzero"` // something was written with it
	Off     off                 `json:"off,omitzero"`
}

// deed is what a person did next, as somebody reported it.
type deed struct {
	ID       string          `json:"id"`              // of the exchange
	At       int64           `json:"at"`              // Unix microseconds of event time
	Stored   int64           `json:"stored,omitzero"` // likewise, by ingest
	Session  string          `json:"session,omitzero"`
	Position int64           `json:"position,omitzero"`
	FollowUp events.FollowUp `json:"follow_up,omitzero"`
	Delay    micros          `json:"delay,omitzero"`
	Length   length          `json:"length,omitzero"`
	Off      off             `json:"off,omitzero"`
}

// micros is an optional time.
type micros struct {
	Known bool  `json:"known,omitzero"`
	Value int64 `json:"value,omitzero"`
}

// length is an optional number of characters.
type length struct {
	Known bool  `json:"known,omitzero"`
	Value int64 `json:"value,omitzero"`
}

// record keeps an exchange, or takes it back.
func record(rows learn.Rows, f *events.Fact[events.Exchange], by int64) {
	row := learn.At[told](rows, userKey(f.Key), exchangeRows+rowOf(f.Data.ExchangeID, &f.Head))
	*row = told{}
	if by > 0 {
		*row = toldBy(f)
	}
	enlist(rows, f, by)
	enrol(rows, &f.Head, f.Data.ExchangeID, by)
}

func toldBy(f *events.Fact[events.Exchange]) told {
	x := &f.Data
	t := told{
		ID: string(x.ExchangeID), At: f.Time.UnixMicro(), Stored: f.Recorded.UnixMicro(), Session: string(x.SessionID),
		Position: x.SessionPosition, Model: x.Model, Corrections: int64(len(x.Corrections)),
	}
	if x.Features != nil {
		t.featured(x.Features)
	}
	return t
}

func (t *told) featured(f *events.ExchangeFeatures) {
	copy(t.Topics[:], f.Topics)
	t.Sketch.N = copy(t.Sketch.Hashes[:], f.Sketch)
	t.Asked = f.Question.Characters
	t.Corrections = max(t.Corrections, f.Corrections)
	if f.Weights != nil {
		t.Weights = *f.Weights
	}
	t.Off = off{Scoring: f.Unscored, Personalization: f.Impersonal, Tracking: f.Untracked}
	if f.Relevance != nil {
		t.Similar = milli{true, int64(*f.Relevance)}
	}
	if f.Clarity != nil {
		t.Clear = milli{true, clarity(f.Clarity)}
	}
	if f.Answer.Characters > 0 {
		t.Shape = shape{true, measure(&f.Answer)}
	}
}

// react keeps an explicit sign, or takes it back.
func react(rows learn.Rows, f *events.Fact[events.ResponseFeedback], by int64) {
	if helpfulness(f.Data.FeedbackType) == nil {
		return
	}
	row := learn.At[sign](rows, userKey(f.Key), signRows+rowOf(f.Data.ExchangeID, &f.Head))
	*row = sign{}
	if by > 0 {
		*row = sign{
			string(f.Data.ExchangeID), f.Time.UnixMicro(), f.Recorded.UnixMicro(), f.Data.FeedbackType, string(f.Data.SessionID),
			f.Data.FeedbackText != "", offBy(f.Data.Withheld),
		}
	}
	enrol(rows, &f.Head, f.Data.ExchangeID, by)
}

func offBy(w *events.Withheld) off {
	if w == nil {
		return off{}
	}
	return off{Scoring: w.Unscored, Personalization: w.Impersonal}
}

// engage keeps what a person did next, or takes it back.
func engage(rows learn.Rows, f *events.Fact[events.Engagement], by int64) {
	row := learn.At[deed](rows, userKey(f.Key), deedRows+rowOf(f.Data.ExchangeID, &f.Head))
	*row = deed{}
	if by > 0 {
		*row = deedBy(f)
	}
	enrol(rows, &f.Head, f.Data.ExchangeID, by)
}

func deedBy(f *events.Fact[events.Engagement]) deed {
	e := &f.Data
	d := deed{
		ID: string(e.ExchangeID), At: f.Time.UnixMicro(), Stored: f.Recorded.UnixMicro(), Session: string(e.SessionID),
		Position: e.SessionPosition, FollowUp: e.FollowUpType, Off: offBy(e.Withheld),
	}
	if e.ResponseTimeMS != nil && *e.ResponseTimeMS >= 0 {
		const perMilli = 1000
		d.Delay = micros{true, int64(float64(*e.ResponseTimeMS*perMilli) + 0.5)}
	}
	if e.UserMessageLength != nil && *e.UserMessageLength >= 0 {
		d.Length = length{true, *e.UserMessageLength}
	}
	return d
}

// storedOn is the day on which ingest stored a record: what it is kept by.
func storedOn(h *events.Head) int64 { return dayOf(h.Recorded.UnixMicro()) }

// rowOf names what a record says about an exchange.
func rowOf(exchange events.ID, h *events.Head) string {
	return learn.RowPart(string(exchange)) + "/" + h.Record
}

// member is somebody of whom there is evidence.
type member struct {
	Name    string `json:"name"`
	Records int64  `json:"records"`
}

// enrol counts a record of a person, and of whose exchange it tells.
func enrol(rows learn.Rows, h *events.Head, exchange events.ID, by int64) {
	belong(rows, peopleKey(), h.Key, by)
	belong(rows, exchangeKey(exchange), h.Key, by)
}

func belong(rows learn.Rows, key learn.Key, name string, by int64) {
	m := learn.At[member](rows, key, learn.People+events.Token(name))
	m.Name, m.Records = name, m.Records+by
	if m.Records == 0 {
		*m = member{}
	}
}
