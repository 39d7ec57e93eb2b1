package rules

import (
	"fmt"
	"iter"
	"slices"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Filter narrows statistics down; zero fields do not narrow.
type Filter struct {
	From           time.Time `json:"from,omitzero"` // event time, half-open [From, To)
	To             time.Time `json:"to,omitzero"`
	AsOf           time.Time `json:"as_of,omitzero"` // when it is asked; the trend ends here unless To is set
	Rules          []string  `json:"rules,omitzero"`
	Categories     []string  `json:"categories,omitzero"`
	ExcludeSkipped bool      `json:"exclude_skipped,omitzero"`
	ExcludeBulk    bool      `json:"exclude_bulk,omitzero"`
}

func readFilter(args jsontext.Value) (Filter, error) {
	var f Filter
	if len(args) == 0 {
		return f, nil
	}
	if err := json.Unmarshal(args, &f, json.RejectUnknownMembers(true)); err != nil {
		return f, fmt.Errorf("read filter of statistics: %w", events.Unquoted(err))
	}
	return f, nil
}

// narrows reports whether anything is left out at any time.
func (f Filter) narrows() bool {
	return len(f.Rules) > 0 || len(f.Categories) > 0 || f.ExcludeSkipped || f.ExcludeBulk
}

// everything reports whether nothing at all is left out.
func (f Filter) everything() bool { return !f.narrows() && f.From.IsZero() && f.To.IsZero() }

// end is where the trend ends, zero when nobody said.
func (f Filter) end() time.Time {
	if f.To.IsZero() {
		return f.AsOf
	}
	return f.To
}

// records yields the feedback of a period that the filter lets through.
func (f Filter) records(r learn.Records, from, to time.Time) iter.Seq[*events.Fact[events.FixFeedback]] {
	return func(yield func(*events.Fact[events.FixFeedback]) bool) {
		for rec := range r.Each(learn.Select{Kind: events.FeedbackFix.Kind, From: from, To: to}) {
			fact, ok := rec.(*events.Fact[events.FixFeedback])
			if ok && f.passes(&fact.Data) && !yield(fact) {
				return
			}
		}
	}
}

func (f Filter) passes(d *events.FixFeedback) bool {
	switch {
	case f.ExcludeSkipped && d.Decision == events.Skipped, f.ExcludeBulk && d.IsBulkOperation:
		return false
	case len(f.Rules) > 0 && !slices.Contains(f.Rules, string(d.RuleID)):
		return false
	}
	return len(f.Categories) == 0 || slices.Contains(f.Categories, d.Category)
}
