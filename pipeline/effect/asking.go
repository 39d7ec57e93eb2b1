package effect

import (
	"context"
	"errors"
	"fmt"

	"learnloop.dev/events"
	"learnloop.dev/learn/extract"
	"learnloop.dev/providers"
)

// Asking makes learnings with a model. An answer that breaks the form is sent back
// once.
type Asking struct{ Writer providers.Writer }

// unusable is how many deliveries a discovery gets that the model makes nothing of.
const unusable = 3

// Extract asks, and once again.
func (a Asking) Extract(ctx context.Context, d *events.Discovery) (extract.Draft, string, error) {
	q := providers.Question{
		System: extract.System(), Turns: []providers.Turn{{Text: extract.Ask(d)}},
		Form: providers.Form{Name: extract.FormName, Schema: extract.Form(), Tokens: extract.LongestAnswer},
	}
	answer, err := a.Writer.Write(ctx, q)
	if err != nil {
		return extract.Draft{}, "", failure(err)
	}
	draft, wrong := extract.Read(answer)
	if len(wrong) > 0 {
		if answer == "" { // nobody says nothing in a conversation
			answer = "{}"
		}
		q.Turns = append(q.Turns, providers.Turn{Answer: true, Text: answer}, providers.Turn{Text: extract.Repair(wrong)})
		if answer, err = a.Writer.Write(ctx, q); err != nil {
			return extract.Draft{}, "", failure(err)
		}
		draft, wrong = extract.Read(answer)
	}
	if len(wrong) > 0 {
		return extract.Draft{}, "", &FailedError{Expected: expected(wrong[0]), Most: unusable, Err: errUnusable}
	}
	return draft, a.Writer.Name(), nil
}

var errUnusable = errors.New("the model's answer cannot be used, nor the repaired one")

func expected(v events.Violation) string {
	if v.Pointer == "" {
		return "an answer of the model that is " + v.Expected
	}
	return fmt.Sprintf("an answer of the model with %s at %s", v.Expected, v.Pointer)
}

// failure says what it means for a discovery that the model gave no answer.
func failure(err error) error {
	f := &FailedError{Expected: "an answer of the model", Err: err}
	if e, is := errors.AsType[*providers.Error](err); is {
		f.Expected = "an answer of the model, which " + string(e.Why)
		if e.Why == providers.Late {
			f.Expected = "an answer of the model in time"
		}
		f.After = e.After
	}
	return f
}
