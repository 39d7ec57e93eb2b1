package events

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// DaySummed is what the conversations of somebody came to that were stored on one day,
// as far as it is counted by days. The records behind it go, and it does when metrics
// do. It is appended by the product alone.
type DaySummed struct {
	Sum
}

// PersonSummed is what the conversations of somebody that were stored on one day say
// about the person. It takes the records behind it out, and stays.
type PersonSummed struct {
	Sum
}

// Sum stands for the records of a group's key that were stored on one day.
type Sum struct {
	Model string         `json:"model" privacy:"id"`
	Of    string         `json:"of" privacy:"id"`         // the group's key as it is stored
	Day   string         `json:"day" privacy:"plain"`     // YYYY-MM-DD (UTC)
	Value jsontext.Value `json:"value" privacy:"figures"` // as the model writes it
	Moment
}

// Sums is the sum itself.
func (s *Sum) Sums() *Sum { return s }

// Identity is the day, of a model and a key.
func (s *Sum) Identity() []string { return []string{s.Model, s.Of, s.Day} }

// Person is nobody: it says by Of whose the sum is.
func (*Sum) Person() string { return "" }

// Parts addresses the sum to whom it is about.
func (d *DaySummed) Parts() []Part {
	return []Part{{Group: ByPerson, Key: d.Of, Kind: ControlDaySummed.Kind, Data: d}}
}

// Parts addresses the sum to whom it is about.
func (p *PersonSummed) Parts() []Part {
	return []Part{{Group: ByPerson, Key: p.Of, Kind: ControlPersonSummed.Kind, Data: p}}
}

// Takes reports whether the record is in the sum: one of the same key, stored on that day.
func (p *PersonSummed) Takes(fact, record *Head) bool {
	return record.Group == fact.Group && record.Key == p.Of && !record.Kind().Control() && record.Recorded.UTC().Format(time.DateOnly) == p.Day
}
