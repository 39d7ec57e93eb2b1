package providers

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"time"
)

// Why is why a model gave no answer.
type Why string

// The reasons, in the words of an error.
const (
	Late        Why = "no answer in time"
	Unreachable Why = "cannot be reached"
	Busy        Why = "asks to come back later" // 429, 529
	Broken      Why = "failed"                  // 5xx
	Rejected    Why = "rejected the request"    // 4xx: the key, the model, or what the server can do
	Unusable    Why = "answered something else than an answer"
)

// Error is why a model gave no answer. It holds nothing of what was sent or
// answered.
type Error struct {
	Who    string // Writer.Name or Embedder.ID
	Why    Why
	Status int           // of HTTP, 0 for none
	After  time.Duration // when the server wants to be asked again, 0 when it did not say
	Err    error         // of the network
}

// Error says who did not answer and why.
func (e *Error) Error() string {
	switch {
	case e.Status != 0:
		return fmt.Sprintf("ask %s: %s (HTTP %d)", e.Who, e.Why, e.Status)
	case e.Err != nil:
		return fmt.Sprintf("ask %s: %s: %v", e.Who, e.Why, e.Err)
	}
	return fmt.Sprintf("ask %s: %s", e.Who, e.Why)
}

// Unwrap is the network's error.
func (e *Error) Unwrap() error { return e.Err }

// Passing reports whether the same question may be answered a little later.
func (e *Error) Passing() bool { return e.Why != Rejected }

// OfQuestion reports whether it may be for what was asked that there is no answer: too
// long, or of a kind that the model cannot take. Another question may be answered at once.
func (e *Error) OfQuestion() bool {
	switch e.Status {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity, http.StatusInternalServerError:
		return true // some servers fail where they mean to reject
	}
	return e.Why == Unusable
}

// answered is the error of an answer that is none. The body stays where it is: it
// may repeat what was asked.
func answered(who string, status int, resp *http.Response) error {
	e := &Error{Who: who, Why: Rejected, Status: status}
	switch {
	case status == http.StatusTooManyRequests, status == 529:
		e.Why = Busy
	case status == http.StatusRequestTimeout:
		e.Why = Late
	case status >= 500:
		e.Why = Broken
	}
	if resp != nil {
		if n, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil && n > 0 {
			e.After = time.Duration(n) * time.Second
		}
	}
	return e
}

// unanswered is the error of no answer. Of what the SDK says only the part of the
// network is kept.
func unanswered(ctx context.Context, who string, err error) error {
	e := &Error{Who: who, Why: Unusable}
	var op *net.OpError
	var dns *net.DNSError
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(ctx.Err(), context.DeadlineExceeded):
		e.Why = Late
	case ctx.Err() != nil:
		e.Why, e.Err = Unreachable, ctx.Err()
	case errors.Is(err, errElsewhere):
		e.Why, e.Err = Rejected, errElsewhere
	case errors.As(err, &dns):
		e.Why, e.Err = Unreachable, errors.New("no such host")
	case errors.As(err, &op):
		e.Why, e.Err = Unreachable, op
	}
	return e
}
