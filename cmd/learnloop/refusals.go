package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"learnloop.dev/api"
	"learnloop.dev/events"
	"learnloop.dev/inorder"
)

// place is a line of one of the files of a replay.
type place struct{ file, line int32 }

// refused is a line that was refused, and why.
type refused struct {
	File       string             `json:"file"`
	Line       int                `json:"line"`
	Reason     events.Reason      `json:"reason"`
	Letter     uint64             `json:"dlq_sequence,omitzero"` // 0: that of an earlier one like it
	Violations []events.Violation `json:"violations,omitzero"`
}

// What is looked at and shown of the lines that were refused.
const (
	mostLetters = 1000
	mostRefused = 10
	judgedAt    = "ingest" // the stage that reads the inbox
)

// refusals finds the lines behind the latest dead letters, which say in which message
// of the inbox they came first, and those that came again. Operators alone may look.
func (l *loop) refusals(ctx context.Context, s *shipment, files []string) (found []refused, err error) {
	if !l.operator {
		return nil, nil
	}
	var page api.Letters
	if err := l.client.Call(ctx, "dlq.list", api.LettersArgs{Limit: mostLetters}, &page); err != nil {
		return nil, err
	}
	lines := map[place]refused{}
	for _, letter := range page.Letters {
		if letter.Stage == judgedAt {
			s.found(lines, files, letter)
		}
	}
	if err := l.again(ctx, s, files, lines); err != nil {
		return nil, err
	}
	for at, r := range s.why {
		if _, known := lines[at]; !known {
			lines[at] = refused{File: files[at.file], Line: int(at.line), Reason: r.Reason, Violations: r.Violations}
		}
	}
	return inorder.Sorted(maps.Values(lines), func(a, b refused) int {
		return cmp.Or(cmp.Compare(slices.Index(files, a.File), slices.Index(files, b.File)), cmp.Compare(a.Line, b.Line))
	}), nil
}

// found notes the line that a letter is about, if it is one of ours.
func (s *shipment) found(lines map[place]refused, files []string, letter api.Letter) {
	if from := s.routes[letter.Sequence]; letter.Index < len(from) {
		at := from[letter.Index]
		lines[at] = refused{files[at.file], int(at.line), letter.Reason, letter.Number, letter.Violations}
	}
}

// again finds lines that left no letter of their own, as others like them had before.
func (l *loop) again(ctx context.Context, s *shipment, files []string, lines map[place]refused) error {
	var r api.Replay
	if err := l.client.Call(ctx, "replays.get", api.ReplayArgs{ID: s.id}, &r); err != nil && !hasCode(err, api.NotFound) {
		return err
	}
	for _, f := range r.Letters {
		from := s.routes[f.Sequence]
		if f.Index >= len(from) || lines[from[f.Index]].Letter > 0 {
			continue
		}
		var letter api.Letter
		if err := l.client.Call(ctx, "dlq.get", api.LetterArgs{Number: f.Letter}, &letter); hasCode(err, api.NotFound) {
			continue
		} else if err != nil {
			return err
		}
		letter.Sequence, letter.Index = f.Sequence, f.Index
		s.found(lines, files, letter)
	}
	return nil
}

// sayRefused lists lines that were refused, of so many.
func (sh *shell) sayRefused(found []refused, all int) error {
	var rows [][]string
	for i := range min(len(found), mostRefused) {
		r := found[i]
		rows = append(rows, []string{fmt.Sprintf("%s:%d", r.File, r.Line), string(r.Reason), where(r.Violations)})
	}
	if more := all - len(rows); more > 0 && len(rows) > 0 {
		rows = append(rows, []string{fmt.Sprintf("… and %d more", more)})
	}
	return sh.table(rows)
}
