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

// records yields the feedback of a period that the filter lets through, in no order
// that matters.
func (f Filter) records(r learn.Records, from, to time.Time) iter.Seq[*events.Fact[events.FixFeedback]] {
	return func(yield func(*events.Fact[events.FixFeedback]) bool) {
		for _, sel := range f.selects(learn.Select{Kind: events.FeedbackFix.Kind, From: from, To: to}) {
			for rec := range r.InLogOrder(sel) {
				fact, ok := rec.(*events.Fact[events.FixFeedback])
				if ok && f.passes(&fact.Data) && !yield(fact) {
					return
				}
			}
		}
	}
}

// oneByOne is up to how many rules their records are looked up rule by rule.
const oneByOne = mostListed

// selects narrows a selection down to the rules of the filter where they are few.
func (f Filter) selects(sel learn.Select) []learn.Select {
	if len(f.Rules) == 0 || len(f.Rules) > oneByOne {
		return []learn.Select{sel}
	}
	var all []learn.Select
	for _, id := range slices.Compact(slices.Sorted(slices.Values(f.Rules))) {
		sel.Key = id
		all = append(all, sel)
	}
	return all
}

// imports yields what of imported counts the filter lets through. They have no times:
// no period holds them.
func (f Filter) imports(r learn.Records) iter.Seq[*events.Fact[events.DataImported]] {
	return func(yield func(*events.Fact[events.DataImported]) bool) {
		if !f.From.IsZero() || !f.To.IsZero() {
			return
		}
		for _, sel := range f.selects(learn.Select{Kind: events.ControlImported.Kind}) {
			for rec := range r.InLogOrder(sel) {
				fact, ok := rec.(*events.Fact[events.DataImported])
				if ok && (len(f.Rules) == 0 || slices.Contains(f.Rules, string(fact.Data.RuleID))) && !yield(f.narrowed(fact)) {
					return
				}
			}
		}
	}
}

// narrowed leaves of imported counts what the filter lets through. Confidences and
// patterns are not counted by category, nor whether in bulk: they stay where all does.
func (f Filter) narrowed(fact *events.Fact[events.DataImported]) *events.Fact[events.DataImported] {
	some := &events.Fact[events.DataImported]{Head: fact.Head, Data: fact.Data}
	parted := len(f.Categories) > 0 || f.ExcludeBulk
	if parted {
		some.Data.Patterns = nil
	}
	if fact.Data.Counts == nil {
		return some
	}
	counts := *fact.Data.Counts
	counts.Cells = nil
	for _, c := range fact.Data.Counts.Cells {
		if f.ExcludeBulk && c.Bulk || len(f.Categories) > 0 && !slices.Contains(f.Categories, c.Category) {
			continue
		}
		if f.ExcludeSkipped {
			c.Skipped = 0
		}
		counts.Cells = append(counts.Cells, c)
	}
	if parted {
		counts.Confidence, counts.Errors, counts.ErrorRest = nil, 0, 0
	}
	some.Data.Counts = &counts
	return some
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
