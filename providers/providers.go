// Package providers asks models: for JSON of a given form, and for vectors. It alone
// knows the vendors' SDKs. Nothing of what is sent or answered, and no key, ever
// stands in an error.
package providers

import (
	"context"
	"errors"
	"net/http"
	"time"
)

// Writer is a model that writes JSON.
type Writer interface {
	// Name says who writes, as "anthropic/claude-haiku-5-5".
	Name() string
	// Write returns the model's answer as it came: mostly JSON of the form, and
	// anything at all when the model did not keep to it. It fails with an [Error].
	Write(ctx context.Context, q Question) (string, error)
}

// Embedder turns texts into vectors whose angles tell how alike the texts are.
type Embedder interface {
	// ID names the model and its dimension. Vectors of different ids cannot be compared.
	ID() string
	// Dim is how many numbers a vector has, 0 where that is up to the model.
	Dim() int
	// Embed returns one vector for each text. It fails with an [Error].
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// Question is what a model is asked.
type Question struct {
	// System is what the model is to do: ours, never a producer's.
	System string
	// Turns are the conversation, which begins and ends with the asker's; what
	// producers wrote stands here, as data.
	Turns []Turn
	Form  Form
}

// Turn is one message of a conversation.
type Turn struct {
	Answer bool // the model's, else the asker's
	Text   string
}

// Form is what an answer has to look like.
type Form struct {
	Name   string
	Schema map[string]any // JSON Schema; every property is required, and no other allowed
	Tokens int            // the longest answer
}

// Account is where and as whom a model is asked.
type Account struct {
	BaseURL string // "" is the vendor's own
	Key     string // "" for servers that want none
	Model   string // "" is a small one of the vendor's
}

// Limits of talking to a server.
const (
	mostAnswer = 4 << 20 // bytes
	dialTime   = 10 * time.Second
)

// client talks to one server.
func client() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSHandshakeTimeout = dialTime
	return &http.Client{Transport: careful{transport}}
}

// errElsewhere is what a redirect is: whoever followed it would take the question,
// and the key, to somebody else.
var errElsewhere = errors.New("the server sends elsewhere: give the address it sends to")

// careful follows no redirects and reads no more of an answer than is reasonable.
type careful struct{ http.RoundTripper }

// RoundTrip makes one request.
func (c careful) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := c.RoundTripper.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode/100 == 3 {
		_ = resp.Body.Close() // nobody reads it
		return nil, errElsewhere
	}
	resp.Body = http.MaxBytesReader(nil, resp.Body, mostAnswer)
	return resp, nil
}
