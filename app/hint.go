package app

import "errors"

// Hint is an error with what to do about it.
type Hint struct {
	Err error
	Do  string
}

func (h *Hint) Error() string { return h.Err.Error() }

func (h *Hint) Unwrap() error { return h.Err }

// WithHint adds what to do to an error.
func WithHint(err error, do string) error { return &Hint{err, do} }

// HintOf returns what to do about an error, "" when nobody knows.
func HintOf(err error) string {
	var h *Hint
	if errors.As(err, &h) {
		return h.Do
	}
	return ""
}
