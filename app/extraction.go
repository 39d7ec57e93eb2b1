package app

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"learnloop.dev/pipeline/effect"
	"learnloop.dev/providers"
)

// Extraction decides whether and how discoveries become learnings.
type Extraction struct {
	Enabled bool `json:"enabled"`
	// Provider is who puts them: rules, without a model; anthropic; or openai, which
	// is every server that speaks like it.
	Provider string `json:"provider"`
	Model    string `json:"model"`    // empty is a small one of the provider's
	BaseURL  string `json:"base_url"` // empty is the provider's own
	APIKey   string `json:"api_key"`
	// AtOnce is how many discoveries are worked on at a time, over all processes.
	AtOnce int `json:"at_once"`
	// PerHour is how often the model is asked within any hour, by one process.
	PerHour int `json:"per_hour"`
}

// withoutModel is the provider of whoever has none.
const withoutModel = "rules"

// keyVariables are where keys of providers usually stand.
var keyVariables = map[string]string{"anthropic": "ANTHROPIC_API_KEY", "openai": "OPENAI_API_KEY"}

// usualKey is the key of a provider in the environment, "" when there is none.
func usualKey(provider string, environ []string) string {
	name, known := keyVariables[provider]
	if !known {
		return ""
	}
	for _, v := range environ {
		if value, ok := strings.CutPrefix(v, name+"="); ok {
			return value
		}
	}
	return ""
}

func (e Extraction) validate() error {
	_, model := keyVariables[e.Provider]
	switch {
	case !model && e.Provider != withoutModel:
		return errors.New("extraction.provider: want rules, anthropic or openai")
	case e.AtOnce < 1 || e.AtOnce > 64:
		return fmt.Errorf("extraction.at_once: want 1 to 64, got %d", e.AtOnce)
	case e.PerHour < 0:
		return fmt.Errorf("extraction.per_hour: want 0, which is no limit, or more, got %d", e.PerHour)
	case model && e.Enabled && e.APIKey == "" && e.BaseURL == "":
		return WithHint(fmt.Errorf("extraction.api_key: want the key of %s", e.Provider),
			"set LEARNLOOP_EXTRACTION__API_KEY or "+keyVariables[e.Provider]+", or extraction.provider=rules")
	}
	return checkBase("extraction", e.BaseURL)
}

// checkBase refuses what cannot be the address of a model.
func checkBase(group, base string) error {
	u, err := url.Parse(base)
	if base != "" && (err != nil || !slices.Contains([]string{"http", "https"}, u.Scheme) || u.Host == "" || u.User != nil) {
		return errors.New(group + ".base_url: want an address such as http://127.0.0.1:11434/v1")
	}
	return nil
}

// Limits of asking a model.
const (
	modelTime    = 30 * time.Second // for one attempt (source document 001)
	modelRetries = 2
)

// extractor makes what the settings say.
func (e Extraction) extractor() effect.Extractor {
	account := providers.Account{BaseURL: e.BaseURL, Key: e.APIKey, Model: e.Model}
	var w providers.Writer
	switch e.Provider {
	case "anthropic":
		w = providers.NewAnthropic(account)
	case "openai":
		w = providers.NewOpenAI(account)
	default:
		return effect.Rules{}
	}
	return effect.Asking{Writer: providers.Bound(w, providers.Limits{Timeout: modelTime, Retries: modelRetries, PerHour: e.PerHour, AtOnce: e.AtOnce})}
}
