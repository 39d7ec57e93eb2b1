package api

import (
	"context"
	"strings"
)

// NoArgs are empty.
type NoArgs struct{}

// Health says that the process answers.
type Health struct {
	Status  string `json:"status" enum:"alive,ready"`
	Version string `json:"version"`
}

func (a *API) alive(context.Context, *NoArgs) (*Health, error) {
	return &Health{"alive", a.deps.Version}, nil
}

// ready tells what is missing until every stage runs.
func (a *API) ready(context.Context, *NoArgs) (*Health, error) {
	err := a.deps.Ready()
	if err == nil {
		return &Health{"ready", a.deps.Version}, nil
	}
	p := problem(NotReady, strings.ReplaceAll(err.Error(), "\n", "; ")).with("Retry-After", "1")
	return nil, p
}
