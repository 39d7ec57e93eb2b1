package main

import (
	"context"
	"fmt"

	"learnloop.dev/api"
	"learnloop.dev/events"
)

// place is a line of one of the files of a replay.
type place struct{ file, line int32 }

// refused is a line that was refused, and why.
type refused struct {
	File       string             `json:"file"`
	Line       int                `json:"line"`
	Reason     events.Reason      `json:"reason"`
	Letter     uint64             `json:"dlq_sequence"`
	Violations []events.Violation `json:"violations,omitzero"`
}

// What is looked at and shown of the lines that were refused.
const (
	mostLetters = 1000
	mostRefused = 10
	judgedAt    = "ingest" // the stage that reads the inbox
)

// refusals finds the lines behind the latest dead letters, which say in which message
// of the inbox they came. Operators alone may look.
func (l *loop) refusals(ctx context.Context, s *shipment, files []string) (found []refused, err error) {
	if !l.operator {
		return nil, nil
	}
	var page api.Letters
	if err := l.client.Call(ctx, "dlq.list", api.LettersArgs{Limit: mostLetters}, &page); err != nil {
		return nil, err
	}
	for _, letter := range page.Letters {
		from := s.routes[letter.Sequence]
		if letter.Stage != judgedAt || letter.Index >= len(from) {
			continue
		}
		at := from[letter.Index]
		found = append(found, refused{files[at.file], int(at.line), letter.Reason, letter.Number, letter.Violations})
	}
	return found, nil
}

// sayRefused lists lines that were refused; the first stand last in the letters.
func (sh *shell) sayRefused(found []refused) error {
	var rows [][]string
	for i := range min(len(found), mostRefused) {
		r := found[len(found)-1-i]
		rows = append(rows, []string{fmt.Sprintf("%s:%d", r.File, r.Line), string(r.Reason), where(r.Violations)})
	}
	if more := len(found) - mostRefused; more > 0 {
		rows = append(rows, []string{fmt.Sprintf("… and %d more", more)})
	}
	return sh.table(rows)
}
