package rules

import (
	"strconv"

	"learnloop.dev/stats"

	"github.com/go-json-experiment/json/jsontext"
)

// Statistics of ten thousand rules are two tables of as many rows. Written by reflection
// they take most of the time of the answer, so the rows write themselves.

// RuleTable is the statistics of rules by their ids.
type RuleTable map[string]RuleStatistics

// MarshalJSONTo writes the rows in the order of their names.
func (t RuleTable) MarshalJSONTo(e *jsontext.Encoder) error {
	return writeTable(e, sortedNames(t), func(b []byte, id string) []byte { return t[id].append(b) })
}

// CountTable is counts by name.
type CountTable map[string]Counts

// MarshalJSONTo writes the rows in the order of their names.
func (t CountTable) MarshalJSONTo(e *jsontext.Encoder) error {
	return writeTable(e, sortedNames(t), func(b []byte, id string) []byte { return t[id].append(b) })
}

func writeTable(e *jsontext.Encoder, names []string, row func(b []byte, name string) []byte) error {
	if err := e.WriteToken(jsontext.BeginObject); err != nil {
		return err
	}
	var b []byte
	for _, name := range names {
		if err := e.WriteToken(jsontext.String(name)); err != nil {
			return err
		}
		b = row(b[:0], name)
		if err := e.WriteValue(b); err != nil {
			return err
		}
	}
	return e.WriteToken(jsontext.EndObject)
}

func (s RuleStatistics) append(b []byte) []byte {
	b = quoted(append(b, `{"rule_id":`...), s.RuleID)
	b = quoted(append(b, `,"rule_name":`...), s.RuleName)
	b = decisions(append(b, ','), s.FeedbackCount, s.Accepted, s.Modified, s.Rejected, s.Skipped)
	b = number(append(b, `,"acceptance_rate":`...), s.AcceptanceRate)
	b = interval(append(b, `,"acceptance":`...), s.Acceptance)
	b = number(append(b, `,"modification_rate":`...), s.ModificationRate)
	b = number(append(b, `,"unchanged_rate":`...), s.UnchangedRate)
	b = number(append(b, `,"skip_rate":`...), s.SkipRate)
	return append(number(append(b, `,"confidence_accuracy":`...), s.ConfidenceAccuracy), '}')
}

func (c Counts) append(b []byte) []byte {
	b = decisions(append(b, '{'), c.FeedbackCount, c.Accepted, c.Modified, c.Rejected, c.Skipped)
	b = number(append(b, `,"acceptance_rate":`...), &c.AcceptanceRate)
	b = number(append(b, `,"modification_rate":`...), &c.ModificationRate)
	b = number(append(b, `,"skip_rate":`...), &c.SkipRate)
	return append(number(append(b, `,"confidence_accuracy":`...), c.ConfidenceAccuracy), '}')
}

// decisions writes how often was decided what.
func decisions(b []byte, all, accepted, modified, rejected, skipped int64) []byte {
	b = strconv.AppendInt(append(b, `"feedback_count":`...), all, 10)
	b = strconv.AppendInt(append(b, `,"accepted":`...), accepted, 10)
	b = strconv.AppendInt(append(b, `,"modified":`...), modified, 10)
	b = strconv.AppendInt(append(b, `,"rejected":`...), rejected, 10)
	return strconv.AppendInt(append(b, `,"skipped":`...), skipped, 10)
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
