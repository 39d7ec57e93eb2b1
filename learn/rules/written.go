package rules

import (
	"bytes"
	"strconv"

	"learnloop.dev/stats"

	"github.com/go-json-experiment/json/jsontext"
)

// emptyTable is a table without rows. It stands within no text: quotes are escaped there.
const emptyTable = `"by_rule":{}`

// Tables puts both tables of rules into statistics that were written without their rows:
// by reflection ten thousand rules take most of the time of the answer. What others put
// around the statistics has to come behind them.
func (s *Statistics) Tables(bare []byte) []byte {
	const row = 600 // bytes, of both
	out := make([]byte, 0, len(bare)+row*len(s.ByRule))
	names, empty := sortedNames(s.ByRule), []byte(emptyTable)
	before, between, _ := bytes.Cut(bare, empty)
	out = table(append(out, before...), names, func(b []byte, id string) []byte { return s.ByRule[id].append(b) })
	between, behind, _ := bytes.Cut(between, empty)
	out = table(append(out, between...), names, func(b []byte, id string) []byte { return s.FixFeedback.ByRule[id].append(b) })
	return append(out, behind...)
}

func table(b []byte, names []string, row func(b []byte, name string) []byte) []byte {
	b = append(b, emptyTable[:len(emptyTable)-1]...)
	for i, name := range names {
		if i > 0 {
			b = append(b, ',')
		}
		b = row(append(quoted(b, name), ':'), name)
	}
	return append(b, '}')
}

func (s RuleStatistics) append(b []byte) []byte {
	b = quoted(append(b, `{"rule_id":`...), s.RuleID)
	b = quoted(append(b, `,"rule_name":`...), s.RuleName)
	b = decisions(append(b, ','), s.FeedbackCount, Tally{s.Accepted, s.Modified, s.Rejected, s.Skipped})
	b = number(append(b, `,"acceptance_rate":`...), s.AcceptanceRate)
	b = interval(append(b, `,"acceptance":`...), s.Acceptance)
	b = number(append(b, `,"modification_rate":`...), s.ModificationRate)
	b = number(append(b, `,"unchanged_rate":`...), s.UnchangedRate)
	b = number(append(b, `,"skip_rate":`...), s.SkipRate)
	return append(number(append(b, `,"confidence_accuracy":`...), s.ConfidenceAccuracy), '}')
}

func (c Counts) append(b []byte) []byte {
	b = decisions(append(b, '{'), c.FeedbackCount, Tally{c.Accepted, c.Modified, c.Rejected, c.Skipped})
	b = number(append(b, `,"acceptance_rate":`...), &c.AcceptanceRate)
	b = number(append(b, `,"modification_rate":`...), &c.ModificationRate)
	b = number(append(b, `,"skip_rate":`...), &c.SkipRate)
	return append(number(append(b, `,"confidence_accuracy":`...), c.ConfidenceAccuracy), '}')
}

// decisions writes how often was decided what.
func decisions(b []byte, all int64, t Tally) []byte {
	b = strconv.AppendInt(append(b, `"feedback_count":`...), all, 10)
	b = strconv.AppendInt(append(b, `,"accepted":`...), t.Accepted, 10)
	b = strconv.AppendInt(append(b, `,"modified":`...), t.Modified, 10)
	b = strconv.AppendInt(append(b, `,"rejected":`...), t.Rejected, 10)
	return strconv.AppendInt(append(b, `,"skipped":`...), t.Skipped, 10)
}

func quoted(b []byte, text string) []byte {
	b, _ = jsontext.AppendQuote(b, text) // of what is no text it makes one
	return b
}

// number writes a rate as JSON does: rounded ones need no exponent.
func number(b []byte, x *float64) []byte {
	if x == nil {
		return append(b, "null"...)
	}
	return strconv.AppendFloat(b, *x, 'f', -1, 64)
}

func interval(b []byte, i *stats.Interval) []byte {
	if i == nil {
		return append(b, "null"...)
	}
	b = number(append(b, `{"lower":`...), &i.Lower)
	return append(number(append(b, `,"upper":`...), &i.Upper), '}')
}
