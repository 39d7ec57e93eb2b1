package app

import "errors"

// Hint is an error with what to do about it.
type Hint struct { //nolint:errname // the error is inside; this is what to do about it
	Err error
	Do  string
}

func (h *Hint) Error() string { return h.Err.Error() }

func (h *Hint) Unwrap() error { return h.Err }

// WithHint adds what to do to an error.
func WithHint(err error, do string) error { return &Hint{err, do} }

// HintOf returns what to do about an error, "" when nobody knows.
func HintOf(err error) string {
	if h, ok := errors.AsType[*Hint](err); ok {
		return h.Do
	}
	return ""
}
