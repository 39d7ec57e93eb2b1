package learn

import (
	"fmt"

	"learnloop.dev/events"

	"github.com/go-json-experiment/json"
)

// ReadArgs reads what a question asks for, nothing of one without arguments. The error
// says what was to be read, and quotes nothing of it.
func ReadArgs[T any](q Question, what string) (args T, err error) {
	if len(q.Args) == 0 {
		return args, nil
	}
	if err := json.Unmarshal(q.Args, &args, json.RejectUnknownMembers(true)); err != nil {
		return args, fmt.Errorf("read %s: %w", what, events.Unquoted(err))
	}
	return args, nil
}
