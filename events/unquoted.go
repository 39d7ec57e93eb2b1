package events

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Unquoted is a decoder's error without the data that it may quote: which type was
// wanted, and the byte up to which the data made sense.
func Unquoted(err error) error {
	if sem, is := errors.AsType[*json.SemanticError](err); is && sem.GoType != nil {
		return fmt.Errorf("not a %s at byte %d", sem.GoType, sem.ByteOffset)
	}
	if syntax, is := errors.AsType[*jsontext.SyntacticError](err); is {
		return fmt.Errorf("not JSON at byte %d", syntax.ByteOffset)
	}
	return errUnexpected
}

var errUnexpected = errors.New("not what was expected")
