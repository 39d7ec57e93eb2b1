package api

import (
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"strings"

	"github.com/go-json-experiment/json"
)

// Problem says why an operation failed: RFC 9457 over HTTP, the same JSON as
// the data of a service error over NATS.
type Problem struct { //nolint:errname // RFC 9457 calls it a problem
	Type   string `json:"type" format:"uri" doc:"Identifies the code for good."`
	Title  string `json:"title" doc:"What the code means, the same each time."`
	Status int    `json:"status" doc:"The HTTP status, whatever the door."`
	Code   Code   `json:"code" doc:"What a program branches on; the error code over NATS."`
	Detail string `json:"detail,omitzero" doc:"What was wrong this time."`
	Hint   string `json:"hint,omitzero" doc:"What to do about it."`
	// Errors are the places where the request departs from what was expected.
	Errors []Fault `json:"errors,omitzero" doc:"Where the request is wrong, and what was expected there."`
	// Refused are the refused events of a batch.
	Refused []Refused `json:"refused,omitzero" doc:"The refused events of a batch of which none was accepted."`

	header http.Header // Retry-After, Allow, WWW-Authenticate
	cause  error       // for the operator, never for the caller
}

// Fault is one place where a request is wrong.
type Fault struct {
	Pointer  string `json:"pointer" doc:"JSON pointer into the arguments or the event's data."`
	Expected string `json:"expected" doc:"What was expected there."`
	Value    any    `json:"value,omitzero" doc:"The caller's own value, when it is short."`
}

// Code names a kind of problem.
type Code string

// The codes that do not come from a refused event; those are the reasons of
// dead letters.
const (
	Invalid          Code = "invalid"
	BadRequest       Code = "bad_request"
	Unauthorized     Code = "unauthorized"
	TooMany          Code = "too_many_requests"
	NotAllowed       Code = "not_allowed"
	LicenseRequired  Code = "license_required"
	NotFound         Code = "not_found"
	MethodNotAllowed Code = "method_not_allowed"
	TooLarge         Code = "too_large"
	LongURI          Code = "uri_too_long"
	LargeHeaders     Code = "headers_too_large"
	UnsupportedMedia Code = "unsupported_media_type"
	Misdirected      Code = "misdirected"
	CrossSite        Code = "cross_site"
	Refusal          Code = "refused"
	Outdated         Code = "outdated"
	Unconditional    Code = "unconditional"
	Conflict         Code = "conflict"
	Full             Code = "full"
	Unavailable      Code = "unavailable"
	NotReady         Code = "not_ready"
	Slow             Code = "slow"
	TimedOut         Code = "timed_out"
	Internal         Code = "internal"
)

// meaning is what a code always says.
type meaning struct {
	status int
	title  string
}

var meanings = map[Code]meaning{
	Invalid:          {http.StatusUnprocessableEntity, "The arguments are not valid"},
	BadRequest:       {http.StatusBadRequest, "The request cannot be understood"},
	Unauthorized:     {http.StatusUnauthorized, "The caller has to say who it is"},
	TooMany:          {http.StatusTooManyRequests, "Too many requests in a short time"},
	NotAllowed:       {http.StatusForbidden, "The caller may not do this"},
	LicenseRequired:  {http.StatusForbidden, "The deployment does not include rule feedback"},
	NotFound:         {http.StatusNotFound, "There is nothing here"},
	MethodNotAllowed: {http.StatusMethodNotAllowed, "The path does not take this method"},
	TooLarge:         {http.StatusRequestEntityTooLarge, "Too much at once"},
	LongURI:          {http.StatusRequestURITooLong, "The path or the query is too long"},
	LargeHeaders:     {http.StatusRequestHeaderFieldsTooLarge, "The headers are too large"},
	UnsupportedMedia: {http.StatusUnsupportedMediaType, "The content type is not one of ours"},
	Misdirected:      {http.StatusMisdirectedRequest, "The request was meant for another host"},
	CrossSite:        {http.StatusForbidden, "Another site's page may not do this"},
	Outdated:         {http.StatusPreconditionFailed, "Somebody else has changed it since"},
	Unconditional:    {http.StatusPreconditionRequired, "The state that is to be replaced has to be named"},
	Conflict:         {http.StatusConflict, "This cannot be done to it as it stands"},
	Refusal:          {http.StatusUnprocessableEntity, "No event was accepted"},
	Full:             {http.StatusServiceUnavailable, "The log takes no more"},
	Unavailable:      {http.StatusServiceUnavailable, "A part of the loop does not answer"},
	NotReady:         {http.StatusServiceUnavailable, "Not every part is running yet"},
	Slow:             {http.StatusRequestTimeout, "The request took too long to arrive"},
	TimedOut:         {http.StatusGatewayTimeout, "The answer took too long"},
	Internal:         {http.StatusInternalServerError, "Something went wrong here"},
}

// problemTypes is where the type of every problem begins.
const problemTypes = "https://learnloop.dev/problems/"

// problem returns a problem of the code; a code without a meaning of its own is
// the reason of a dead letter.
func problem(code Code, detail string) *Problem {
	m, known := meanings[code]
	if !known {
		m = meaning{http.StatusUnprocessableEntity, "The event was refused"}
	}
	return &Problem{Type: problemTypes + string(code), Title: m.title, Status: m.status, Code: code, Detail: detail}
}

// Error says what was wrong, for people.
func (p *Problem) Error() string {
	if p.Detail == "" {
		return strings.ToLower(p.Title[:1]) + p.Title[1:]
	}
	return p.Detail
}

// Unwrap returns the cause, on the side where the problem arose.
func (p *Problem) Unwrap() error { return p.cause }

// hint adds what to do about the problem.
func (p *Problem) hint(do string) *Problem {
	p.Hint = do
	return p
}

// with adds a header to the answer.
func (p *Problem) with(name, value string) *Problem {
	if p.header == nil {
		p.header = http.Header{}
	}
	p.header.Set(name, value)
	return p
}

// because keeps the cause for the operator.
func (p *Problem) because(err error) *Problem {
	p.cause = err
	return p
}

// wrong is a problem with one place of the request.
func wrong(code Code, pointer, expected string) *Problem {
	return problem(code, "").faulty([]Fault{{Pointer: pointer, Expected: expected}})
}

// faulty adds what is wrong where, and says the first aloud.
func (p *Problem) faulty(faults []Fault) *Problem {
	p.Errors = faults
	if len(faults) > 0 {
		p.Detail = strings.TrimPrefix(strings.TrimPrefix(faults[0].Pointer, "/")+": expected "+faults[0].Expected, ": ")
	}
	return p
}

// within says where the faults of an event are among the arguments that it was made of.
func (p *Problem) within(part string) *Problem {
	for i := range p.Errors {
		p.Errors[i].Pointer = strings.TrimPrefix(p.Errors[i].Pointer, part)
	}
	return p.faulty(p.Errors)
}

// asProblem turns any error into what the caller is told; what is not a problem
// yet is our fault and tells nothing.
func asProblem(err error) *Problem {
	if p, ok := errors.AsType[*Problem](err); ok {
		return p
	}
	return problem(Internal, "").because(err)
}

// panicked is what the operator is told of a panic: its value may hold payload text and
// goes no further.
func panicked(v any) error { return fmt.Errorf("panic (%T)\n%s", v, debug.Stack()) }

// encode returns the problem as JSON.
func (p *Problem) encode() []byte {
	data, err := json.Marshal(p)
	if err != nil { // only a caller's value can be to blame
		p.Errors, p.Refused = nil, nil
		data, _ = json.Marshal(p)
	}
	return data
}
