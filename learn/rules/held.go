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
	// Cells and Patterns are what was decided here, as HeldArgs.Until has it.
	Cells    []events.ImportedCell `json:"cells,omitzero"`
	Patterns map[string]Tally      `json:"patterns,omitzero"`
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
		if h := heldOf(q, args, id); len(h.Sources)+len(h.Cells) > 0 {
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
	h.Cells, h.Patterns = own.out().Cells, map[string]Tally{}
	for row, p := range learn.Scan[pattern](rows, ruleKey(id), patternRows) {
		h.Patterns[strings.TrimPrefix(row, patternRows)] = p.Tally
	}
	return h
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
