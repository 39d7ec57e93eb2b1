package main

import (
	"cmp"
	"fmt"
	"strconv"

	"learnloop.dev/api"
	"learnloop.dev/events"

	"github.com/spf13/cobra"
)

func (sh *shell) dlqCommand() *cobra.Command {
	var in api.LettersArgs
	list := &cobra.Command{
		Use: "list", Short: "List what was refused, the newest first",
		Example: "  learnloop dlq list\n  learnloop dlq list --limit 1000 --json",
		Args:    exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return sh.call(cmd.Context(), "dlq.list", in, reading(sh.showLetters))
		},
	}
	list.Flags().IntVar(&in.Limit, "limit", 20, "this `number` of them, 1000 at most")
	list.Flags().Uint64Var(&in.Before, "before", 0, "go on with those before this `number`, which the last line of a list says")
	show := &cobra.Command{
		Use: "show SEQ", Short: "Show why one event was refused",
		Example: "  learnloop dlq show 17",
		Args:    exactly("SEQ"),
		RunE: func(cmd *cobra.Command, args []string) error {
			number, err := letterNumber(cmd, args[0])
			if err != nil {
				return err
			}
			return sh.call(cmd.Context(), "dlq.get", api.LetterArgs{Number: number}, reading(sh.showLetter))
		},
	}
	return group("dlq", "Show events that were refused, and why", list, show, sh.redriveCommand())
}

// redriveCommand drives again what the analyzer refused.
func (sh *shell) redriveCommand() *cobra.Command {
	return &cobra.Command{
		Use: "redrive SEQ", Short: "Drive again what the analyzer refused",
		Long: "Appends an event that the analyzer could not fold to the log once more, after an upgrade\n" +
			"for instance. However often it is driven, it counts once. What was refused on its way into\n" +
			"the log is not kept: whoever sent it has to send it again.",
		Example: "  learnloop dlq redrive 17",
		Args:    exactly("SEQ"),
		RunE: func(cmd *cobra.Command, args []string) error {
			number, err := letterNumber(cmd, args[0])
			if err != nil {
				return err
			}
			return sh.call(cmd.Context(), "dlq.redrive", api.LetterArgs{Number: number}, reading(sh.showRedriven))
		},
	}
}

// letterNumber reads the sequence of a dead letter.
func letterNumber(cmd *cobra.Command, arg string) (uint64, error) {
	number, err := strconv.ParseUint(arg, 10, 64)
	if err != nil || number == 0 {
		return 0, misused(cmd, fmt.Errorf("%q is not the sequence of a dead letter", arg))
	}
	return number, nil
}

func (sh *shell) showRedriven(r api.Redriven) error {
	if r.Folded {
		sh.sayf("Dead letter %d: the event counts; it stands at %d of the log.", r.Number, r.Sequence)
		return nil
	}
	sh.sayf("Dead letter %d: the event was refused again; see dead letter %d.", r.Number, r.Refused)
	return nil
}

func (sh *shell) showLetters(l api.Letters) error {
	if len(l.Letters) == 0 {
		sh.sayf("Nothing was refused.")
		return nil
	}
	rows := [][]string{{"SEQ", "AT", "STAGE", "REASON", "KIND", "WHERE"}}
	for _, letter := range l.Letters {
		rows = append(rows, []string{strconv.FormatUint(letter.Number, 10), when(letter.At), letter.Stage,
			string(letter.Reason), string(letter.Kind), where(letter.Violations)})
	}
	if l.Next > 0 {
		rows = append(rows, []string{fmt.Sprintf("… more: --before %d", l.Next)})
	}
	return sh.table(rows)
}

// where names the first place at which an event was wrong.
func where(violations []events.Violation) string {
	switch n := len(violations); n {
	case 0:
		return ""
	case 1:
		return placeOf(violations[0])
	default:
		return fmt.Sprintf("%s and %d more", placeOf(violations[0]), n-1)
	}
}

// placeOf is where in an event something is wrong, for people.
func placeOf(v events.Violation) string { return cmp.Or(v.Pointer, "(the whole event)") }

func (sh *shell) showLetter(l api.Letter) error {
	sh.sayf("%s", sh.mark(bold, fmt.Sprintf("Dead letter %d: %s", l.Number, l.Reason)))
	rows := [][]string{{"  refused by", l.Stage}, {"  at", when(l.At)}, {"  kind", string(l.Kind)}, {"  id", l.ID},
		{"  source", l.Source}, {"  size", fmt.Sprintf("%d bytes", l.Size)}, {"  sha256", l.SHA256}, {"  replay", l.Replay}, {"  in its batch", ordinal(l.Index)}}
	known := rows[:0]
	for _, row := range rows {
		if row[1] != "" {
			known = append(known, row)
		}
	}
	if err := sh.table(known); err != nil {
		return err
	}
	if len(l.Violations) > 0 {
		sh.sayf("\n%s", sh.mark(bold, "What is wrong"))
	}
	return sh.table(violationRows(l.Violations))
}

// ordinal is where in its batch an event was, "" for the first: it may have come
// alone.
func ordinal(index int) string {
	if index == 0 {
		return ""
	}
	return fmt.Sprintf("number %d", index+1)
}

// violationRows say where an event is wrong and what was expected there.
func violationRows(violations []events.Violation) (rows [][]string) {
	for _, v := range violations {
		rows = append(rows, []string{"  " + placeOf(v), "expected " + v.Expected})
	}
	return rows
}
