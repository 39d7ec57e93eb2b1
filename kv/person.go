package kv

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"
)

// ErrRefused means that a running loop did not tell the key of a person's context:
// the connection has no operator's credential, or the loop holds no keys of people.
var ErrRefused = errors.New("refused")

// KeyOfUser asks a running loop under which key the context of a user stands. The id
// is the raw one, which only an operator's connection may ask by: who holds it learns
// whose preferences are whose.
func KeyOfUser(ctx context.Context, nc *nats.Conn, user string) (string, error) {
	ask, err := json.Marshal(map[string]string{"user": user})
	if err != nil {
		return "", errors.New("find the context of a user: the id is not text")
	}
	m, err := nc.RequestWithContext(ctx, contextService, ask)
	if err != nil {
		return "", fmt.Errorf("find the context of a user: %w", err)
	}
	if code := m.Header.Get(micro.ErrorCodeHeader); code != "" {
		return "", fmt.Errorf("find the context of a user: %w: %s", ErrRefused, code)
	}
	var found struct {
		Key string `json:"key"`
	}
	if err := json.Unmarshal(m.Data, &found); err != nil || found.Key == "" {
		return "", errors.New("find the context of a user: the answer names no key")
	}
	return found.Key, nil
}

// contextService is where the loop tells what is known under a key, and whose key it is.
const contextService = "learn.svc.contexts.get"
