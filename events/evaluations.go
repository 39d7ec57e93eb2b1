package events

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// What the semantic conventions of OpenTelemetry call evaluations of answers
// (gen_ai.evaluation.result, in development), and what becomes of them here:
//
//	gen_ai.response.id              exchange_id; without it nothing is known to be judged
//	gen_ai.evaluation.score.label   thumbs_up or thumbs_down, where it is a word that says so
//	gen_ai.evaluation.score.value   else thumbs_up from Scale.Good on, thumbs_down below Scale.Poor
//	gen_ai.evaluation.name          before the explanation in feedback_text
//	gen_ai.evaluation.explanation   feedback_text, which is stored only if the settings allow it
//	error.type                      nothing: the evaluation itself failed
//	time of the record              event time
//
// The id of the feedback follows from all of these: importing again changes nothing.
const (
	evaluationResult = "gen_ai.evaluation.result"
	evaluationSource = "/opentelemetry/evaluation"
)

// Evaluation is one evaluation of an answer, as OpenTelemetry reports it.
type Evaluation struct {
	Name        string
	Label       string
	Score       *float64
	Explanation string
	Response    string // gen_ai.response.id
	ErrorType   string
	Time        time.Time // zero when it has none
	Trace, Span string
}

// Scale says which scores are good and which are poor; evaluators have scales of their
// own.
type Scale struct {
	Good float64 // from here on
	Poor float64 // below
}

// Why nothing becomes of an evaluation.
var (
	ErrNoResponse = errors.New("it names no response")
	ErrNoVerdict  = errors.New("it is neither good nor poor")
	ErrNotJudged  = errors.New("the evaluation itself failed")
)

// verdicts are labels that say whether an answer was good.
var verdicts = map[string]ResponseSign{
	"pass": ThumbsUp, "passed": ThumbsUp, "relevant": ThumbsUp, "correct": ThumbsUp, "good": ThumbsUp, "true": ThumbsUp, "yes": ThumbsUp,
	"fail": ThumbsDown, "failed": ThumbsDown, "not_relevant": ThumbsDown, "irrelevant": ThumbsDown, "incorrect": ThumbsDown,
	"poor": ThumbsDown, "bad": ThumbsDown, "false": ThumbsDown, "no": ThumbsDown,
}

// sign is what an evaluation says of the answer, "" for neither.
func (e Evaluation) sign(s Scale) ResponseSign {
	if sign, known := verdicts[strings.ToLower(strings.ReplaceAll(e.Label, " ", "_"))]; known {
		return sign
	}
	switch {
	case e.Score == nil:
	case *e.Score >= s.Good:
		return ThumbsUp
	case *e.Score < s.Poor:
		return ThumbsDown
	}
	return ""
}

// Feedback is the event that an evaluation becomes, or one of the errors above.
func (e Evaluation) Feedback(s Scale) (Envelope, error) {
	sign := e.sign(s)
	switch {
	case e.ErrorType != "":
		return Envelope{}, ErrNotJudged
	case e.Response == "":
		return Envelope{}, ErrNoResponse
	case sign == "":
		return Envelope{}, ErrNoVerdict
	}
	data, err := json.Marshal(ResponseFeedback{ExchangeID: ID(e.Response), FeedbackType: sign, FeedbackText: e.text()})
	if err != nil {
		return Envelope{}, errUnreadable // the encoder's own words may quote the text
	}
	return Envelope{ID: e.id(), Source: evaluationSource, Kind: FeedbackResponse.Kind, Time: e.Time, Data: data}, nil
}

func (e Evaluation) text() string {
	if e.Name == "" || e.Explanation == "" {
		return e.Name + e.Explanation
	}
	return e.Name + ": " + e.Explanation
}

// id is the same whenever the evaluation is read.
func (e Evaluation) id() string {
	score := ""
	if e.Score != nil {
		score = strconv.FormatFloat(*e.Score, 'g', -1, 64)
	}
	h := sha256.New()
	for _, part := range []string{e.Response, e.Name, e.Label, score, e.Explanation, stamp(e.Time.UTC()), e.Trace, e.Span} {
		_, _ = h.Write([]byte(strconv.Itoa(len(part)) + " " + part)) // never fails
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// otlp is a line of OTLP/JSON: log records, or spans with events.
type otlp struct {
	Logs []struct {
		Scopes []struct {
			Records []record `json:"logRecords"`
		} `json:"scopeLogs"`
	} `json:"resourceLogs"`
	Spans []struct {
		Scopes []struct {
			Spans []struct {
				Trace  string   `json:"traceId"`
				Span   string   `json:"spanId"`
				Events []record `json:"events"`
			} `json:"spans"`
		} `json:"scopeSpans"`
	} `json:"resourceSpans"`
}

// record is a log record or the event of a span, in OTLP/JSON or as exporters print
// them.
type record struct {
	EventName  string         `json:"eventName"`
	Event      string         `json:"event_name"`
	Name       string         `json:"name"`
	Nanos      jsontext.Value `json:"timeUnixNano"` // text or number
	Timestamp  jsontext.Value `json:"timestamp"`
	Time       jsontext.Value `json:"time"`
	Attributes attributeSet   `json:"attributes"`
	Trace      string         `json:"traceId"`
	Span       string         `json:"spanId"`
}

// attributeSet are attributes by name: an object, or the list of OTLP.
type attributeSet map[string]jsontext.Value

// UnmarshalJSONFrom reads both forms.
func (a *attributeSet) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	*a = attributeSet{}
	if d.PeekKind() == jsontext.KindBeginObject {
		return json.UnmarshalDecode(d, (*map[string]jsontext.Value)(a))
	}
	var list []struct {
		Key   string                    `json:"key"`
		Value map[string]jsontext.Value `json:"value"` // by its type, such as stringValue
	}
	if err := json.UnmarshalDecode(d, &list); err != nil {
		return err
	}
	for _, item := range list {
		for _, value := range item.Value {
			(*a)[item.Key] = value
		}
	}
	return nil
}

// text is an attribute's text, "" when it has none.
func (a attributeSet) text(name string) string {
	if a[name].Kind() != jsontext.KindString {
		return ""
	}
	text, _ := unquote(a[name])
	return text
}

// number is an attribute's number, nil when it has none; OTLP writes integers as text.
func (a attributeSet) number(name string) *float64 {
	text := a.text(name)
	if a[name].Kind() == jsontext.KindNumber {
		text = string(a[name])
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return nil
	}
	return &n
}

// ReadEvaluations reads the evaluations of one line of JSON: OTLP, as collectors write
// it to files, or a single record with name, time and attributes. What else it holds is
// passed over. The error says no more than that: the decoder's own may quote the line.
func ReadEvaluations(line []byte) (list []Evaluation, err error) {
	var all otlp
	if err := json.Unmarshal(line, &all); err != nil {
		return nil, errUnreadable
	}
	records := all.records()
	if len(records) == 0 {
		var single record
		if json.Unmarshal(line, &single) != nil {
			return nil, errUnreadable
		}
		records = []record{single}
	}
	for _, r := range records {
		if e, is := r.evaluation(); is {
			list = append(list, e)
		}
	}
	return list, nil
}

func (o otlp) records() (all []record) {
	for _, resource := range o.Logs {
		for _, scope := range resource.Scopes {
			all = append(all, scope.Records...)
		}
	}
	for _, resource := range o.Spans {
		for _, scope := range resource.Scopes {
			for _, span := range scope.Spans {
				for _, r := range span.Events {
					r.Trace, r.Span = span.Trace, span.Span
					all = append(all, r)
				}
			}
		}
	}
	return all
}

// evaluation reads a record; false when it is about something else.
func (r record) evaluation() (e Evaluation, is bool) {
	for _, name := range []string{r.EventName, r.Event, r.Name, r.Attributes.text("event.name")} {
		is = is || name == evaluationResult
	}
	a := r.Attributes
	return Evaluation{
		Name: a.text("gen_ai.evaluation.name"), Label: a.text("gen_ai.evaluation.score.label"), Score: a.number("gen_ai.evaluation.score.value"),
		Explanation: a.text("gen_ai.evaluation.explanation"), Response: a.text("gen_ai.response.id"), ErrorType: a.text("error.type"),
		Time: r.when(), Trace: r.Trace, Span: r.Span,
	}, is
}

// when is the time of a record, zero when it has none that can be read.
func (r record) when() time.Time {
	if nanos, err := strconv.ParseInt(strings.Trim(string(r.Nanos), `"`), 10, 64); err == nil && nanos > 0 {
		return time.Unix(0, nanos).UTC()
	}
	for _, v := range []jsontext.Value{r.Timestamp, r.Time} {
		var t time.Time
		if v.Kind() == jsontext.KindString && json.Unmarshal(v, &t) == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}
