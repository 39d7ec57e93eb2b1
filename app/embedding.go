package app

import (
	"errors"
	"fmt"

	"learnloop.dev/providers"
)

// Embedding decides what tells searches by meaning what texts mean.
type Embedding struct {
	// Provider is local, which sees how words are spelled; or openai, which is every
	// server that speaks like it.
	Provider string `json:"provider"`
	Model    string `json:"model"`    // empty is a small one of the provider's
	BaseURL  string `json:"base_url"` // empty is the provider's own
	APIKey   string `json:"api_key"`
	Dim      int    `json:"dim"` // how many numbers a vector has; 0 is up to the model
}

const (
	withoutEmbedder = "local"
	remoteEmbedder  = "openai"
	usualDim        = 512
	mostDim         = 4096
)

func (e Embedding) validate() error {
	switch {
	case e.Provider != withoutEmbedder && e.Provider != remoteEmbedder:
		return errors.New("embedding.provider: want local or openai")
	case e.Dim < 0 || e.Dim > mostDim:
		return fmt.Errorf("embedding.dim: want 0, which is up to the model, to %d, got %d", mostDim, e.Dim)
	case e.Provider == remoteEmbedder && e.APIKey == "" && e.BaseURL == "":
		return WithHint(errors.New("embedding.api_key: want the key of openai"),
			"set LEARNLOOP_EMBEDDING__API_KEY or "+keyVariables[remoteEmbedder]+", or embedding.provider=local")
	}
	return checkBase("embedding", e.BaseURL)
}

// embedder is the model that is asked, nil for none.
func (e Embedding) embedder() providers.Embedder {
	if e.Provider != remoteEmbedder {
		return nil
	}
	return providers.NewOpenAIEmbedder(providers.Account{BaseURL: e.BaseURL, Key: e.APIKey, Model: e.Model}, e.Dim)
}
