package rules

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"

	"github.com/go-json-experiment/json"
)

// HeldArgs ask what is known already of what shall be imported.
type HeldArgs struct {
	Rules []string `json:"rules"` // stored ids
	// Until asks for the decisions that were stored here before it; zero for none.
	Until time.Time `json:"until,omitzero"`
	From  time.Time `json:"from,omitzero"` // of event time, of these decisions
	To    time.Time `json:"to,omitzero"`
}

// Held is what a partition knows of a rule.
type Held struct {
	RuleID  string    `json:"rule_id"`
	Sources []Holding `json:"sources,omitzero"`
	// Own and Patterns are what was decided here, as HeldArgs.Until has it.
	Own      events.ImportedRule `json:"own,omitzero"`
	Patterns map[string]Tally    `json:"patterns,omitzero"`
}

// Holding is what was imported of one installation before.
type Holding struct {
	Origin     string    `json:"origin"`
	CountsAt   time.Time `json:"counts_at,omitzero"` // when the counts were exported
	PatternsAt time.Time `json:"patterns_at,omitzero"`
	Chunks     int64     `json:"chunks,omitzero"` // of patterns
}

func answerHeld(q learn.Question) (any, error) {
	var args HeldArgs
	if err := json.Unmarshal(q.Args, &args); err != nil {
		return nil, fmt.Errorf("read what shall be imported: %w", events.Unquoted(err))
	}
	list := []Held{}
	for _, id := range args.Rules {
		if h := heldOf(q, args, id); len(h.Sources)+len(h.Own.Cells) > 0 {
			list = append(list, h)
		}
	}
	return list, nil
}

func heldOf(q learn.Question, args HeldArgs, id string) Held {
	h := Held{RuleID: id}
	if learn.Peek[graded](q.Rows, ruleKey(id), totalRow) == (graded{}) && learn.Peek[int64](q.Rows, ruleKey(id), importsRow) == 0 {
		return h
	}
	for _, f := range importsOf(q.Records, id) {
		h.hold(f)
	}
	if args.Until.IsZero() {
		return h
	}
	rows := foldRule(q.Records, learn.Select{Key: id, From: args.From, To: args.To}, args.Until)
	own := counts{cells: map[cellName]cell{}}
	own.take(cells(rows), 1)
	own.confidence = learn.Peek[graded](rows, ruleKey(id), totalRow).Confidence
	h.Own, h.Patterns = own.out(), map[string]Tally{}
	for row, p := range learn.Scan[pattern](rows, ruleKey(id), patternRows) {
		h.Patterns[strings.TrimPrefix(row, patternRows)] = p.Tally
	}
	return h
}

// Remaining is what of exported counts goes beyond those that are here already.
func Remaining(of, held events.ImportedRule) events.ImportedRule {
	left := of
	left.Cells, left.Confidence = nil, nil
	for _, c := range of.Cells {
		for _, own := range held.Cells {
			if own.Category == c.Category && own.Bulk == c.Bulk {
				c = beyondCell(c, own)
			}
		}
		if c.Accepted+c.Modified+c.Rejected+c.Skipped > 0 {
			left.Cells = append(left.Cells, c)
		}
	}
	for _, b := range of.Confidence {
		for _, own := range held.Confidence {
			if own.Bin == b.Bin {
				b = events.ImportedBin{Bin: b.Bin, N: max(0, b.N-own.N), Kept: max(0, b.Kept-own.Kept), Sum: max(0, b.Sum-own.Sum)}
			}
		}
		left.Confidence = append(left.Confidence, b)
	}
	errors := max(0, (of.Errors-held.Errors)*squaresPerError+of.ErrorRest-held.ErrorRest)
	left.Errors, left.ErrorRest = errors/squaresPerError, errors%squaresPerError
	return left
}

func beyondCell(c, own events.ImportedCell) events.ImportedCell {
	return events.ImportedCell{
		Category: c.Category, Bulk: c.Bulk, Accepted: max(0, c.Accepted-own.Accepted), Modified: max(0, c.Modified-own.Modified),
		Rejected: max(0, c.Rejected-own.Rejected), Skipped: max(0, c.Skipped-own.Skipped),
		Graded: max(0, c.Graded-own.Graded), Hits: max(0, c.Hits-own.Hits),
	}
}

// hold notes a chunk.
func (h *Held) hold(f *events.Fact[events.DataImported]) {
	i := slices.IndexFunc(h.Sources, func(s Holding) bool { return s.Origin == f.Data.Origin })
	if i < 0 {
		i = len(h.Sources)
		h.Sources = append(h.Sources, Holding{Origin: f.Data.Origin})
	}
	s := &h.Sources[i]
	if f.Data.Chunk == 0 {
		s.CountsAt = f.Stamp
		return
	}
	s.Chunks = max(s.Chunks, f.Data.Chunk)
	if f.Stamp.After(s.PatternsAt) {
		s.PatternsAt = f.Stamp
	}
}
