// Package app wires the parts into a running loop: configuration in, stages out.
// It is the only package that knows everyone.
package app

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"reflect"
	"slices"
	"strings"

	"learnloop.dev/privacy"

	"github.com/go-json-experiment/json"
	"github.com/knadh/koanf/providers/confmap"
	"github.com/knadh/koanf/providers/env/v2"
	"github.com/knadh/koanf/providers/file"
	"github.com/knadh/koanf/v2"
)

// Config is everything a person can decide about a deployment.
type Config struct {
	// Data is the folder that survives restarts.
	Data string `json:"data"`
	// HTTP and NATS are the addresses serve listens on; port 0 picks one.
	HTTP string `json:"http"`
	NATS string `json:"nats"`
	// Server and Creds reach a NATS server elsewhere, for a process of one stage.
	Server string `json:"server"`
	Creds  string `json:"creds"`
	// ReadyFile is written when everything answers, empty for none.
	ReadyFile string `json:"ready_file"`
	// Partitions of a new log; a log keeps the number it was created with.
	Partitions int `json:"partitions"`
	// Log is the least level that is logged: debug, info, warn, error.
	Log         string           `json:"log"`
	Privacy     privacy.Settings `json:"privacy"`
	Entitlement Entitlement      `json:"entitlement"`
	Clock       Clock            `json:"clock"`
	Extraction  Extraction       `json:"extraction"`
	Embedding   Embedding        `json:"embedding"`
	Pseudonyms  Pseudonyms       `json:"pseudonyms"`
	Injection   Injection        `json:"injection"`
	Samples     Samples          `json:"samples"`
	Telemetry   Telemetry        `json:"telemetry"`
	Access      Access           `json:"access"`

	// given holds the settings a person wrote down, by group: they win over the
	// stored ones.
	given map[string]map[string]any
	// inClear encrypts nothing on disk: for tests that read the files.
	inClear bool
}

// Clock decides whether days are told to the folds.
type Clock struct {
	Ticks bool `json:"ticks"`
}

// Samples decides which learning samples are taken in.
type Samples struct {
	// Strict refuses those that break the formats of MPLP v1.
	Strict bool `json:"strict"`
}

// Telemetry decides where spans go.
type Telemetry struct {
	// OTLP is the endpoint of an OpenTelemetry collector, such as http://127.0.0.1:4318;
	// empty exports nothing.
	OTLP string `json:"otlp_endpoint"`
}

func (t Telemetry) validate() error {
	if t.OTLP == "" {
		return nil
	}
	if u, err := url.Parse(t.OTLP); err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return errors.New("telemetry.otlp_endpoint: want an address such as http://127.0.0.1:4318")
	}
	return nil
}

// Pseudonyms decides about the names people are shown under, where stages run apart.
type Pseudonyms struct {
	// Anew makes keys of names when pseudonyms.key is lost for good.
	Anew bool `json:"anew"`
}

// Entitlement is what the deployment may do (SPEC section 4.8).
type Entitlement struct {
	// Tier is writer_pro, teams or enterprise.
	Tier string `json:"tier"`
	// LearningLoop is the feature flag of rule feedback.
	LearningLoop bool `json:"learning_loop"`
}

var tiers = []string{"writer_pro", "teams", "enterprise"}

// Allows reports whether rule feedback may be taken in.
func (e Entitlement) Allows() bool { return e.LearningLoop && e.Tier != tiers[0] }

func (e Entitlement) validate() error {
	if !slices.Contains(tiers, e.Tier) {
		return fmt.Errorf("entitlement.tier: want one of %s", strings.Join(tiers, ", "))
	}
	return nil
}

// Default returns a configuration that works.
func Default() Config {
	return Config{
		Data: "learnloop-data", HTTP: "127.0.0.1:8420", NATS: "127.0.0.1:4222",
		Server:     "nats://127.0.0.1:4222",
		Partitions: 32, Log: "warn",
		Privacy:     privacy.Defaults(),
		Entitlement: Entitlement{Tier: "teams", LearningLoop: true},
		Clock:       Clock{Ticks: true},
		Extraction:  Extraction{Enabled: true, Provider: withoutModel, AtOnce: 4, PerHour: 200},
		Embedding:   Embedding{Provider: withoutEmbedder, Dim: usualDim},
		Injection:   defaultInjection(),
		Access:      Access{RequestsPerSecond: 10_000},
	}
}

// Load reads a configuration: defaults, then a YAML file (may be empty), then
// the environment, then key=value pairs given as flags. An unknown key is an error;
// of the environment only LEARNLOOP_GROUP__KEY names one for sure.
func Load(path string, environ, pairs []string) (Config, error) {
	k := koanf.New(".")
	if path != "" {
		if err := k.Load(file.Provider(path), yamlParser{}); err != nil {
			return Config{}, fmt.Errorf("read configuration %s: %w", path, err)
		}
	}
	err := k.Load(env.Provider(".", env.Opt{
		EnvironFunc:   func() []string { return twinned(environ) },
		TransformFunc: fromEnvironment,
	}), nil)
	if err != nil {
		return Config{}, fmt.Errorf("read environment: %w", err)
	}
	flags, err := parsePairs(pairs)
	if err != nil {
		return Config{}, err
	}
	if err := k.Load(confmap.Provider(flags, "."), nil); err != nil {
		return Config{}, fmt.Errorf("read settings: %w", err)
	}
	return decode(k, environ)
}

// decode lays what was given over the defaults; keys of providers may stand where
// they usually do.
func decode(k *koanf.Koanf, environ []string) (Config, error) {
	c := Default()
	if err := overlay(&c, k.Raw()); err != nil {
		return Config{}, err
	}
	if c.Extraction.APIKey == "" {
		c.Extraction.APIKey = usualKey(c.Extraction.Provider, environ)
	}
	if c.Embedding.APIKey == "" {
		c.Embedding.APIKey = usualKey(c.Embedding.Provider, environ)
	}
	c.given = map[string]map[string]any{}
	for _, group := range groups() {
		if given, ok := k.Get(group).(map[string]any); ok && len(given) > 0 {
			c.given[group] = given
		}
	}
	return c, c.validate()
}

// overlay sets the given members of v and refuses unknown ones.
func overlay(v any, given map[string]any) error {
	data, err := json.Marshal(given)
	if err != nil {
		return fmt.Errorf("encode settings: %w", err)
	}
	if err := json.Unmarshal(data, v, json.RejectUnknownMembers(true)); err != nil {
		return fmt.Errorf("settings: %w", explain(err))
	}
	return nil
}

// explain shortens a decoding error to what a person can act on.
func explain(err error) error {
	var sem *json.SemanticError
	if !errors.As(err, &sem) {
		return err
	}
	name := strings.ReplaceAll(strings.TrimPrefix(string(sem.JSONPointer), "/"), "/", ".")
	if errors.Is(err, json.ErrUnknownName) {
		return fmt.Errorf("there is no setting %s", name)
	}
	return fmt.Errorf("%s: want %s", name, wanted(sem.GoType))
}

// wanted is how a person calls the values of a type.
func wanted(t reflect.Type) string {
	if t == reflect.TypeFor[privacy.Age]() {
		return "days, such as 30d; 36h, 90m and 45s are fine too"
	}
	switch t.Kind() {
	case reflect.Struct, reflect.Map:
		return "settings by name, such as privacy.text_mode=full"
	case reflect.Bool:
		return "true or false"
	case reflect.Int:
		return "a whole number"
	case reflect.Float64:
		return "a number"
	case reflect.Slice:
		return `a list, such as ["*.env"]`
	default:
		return "text"
	}
}

func (c Config) validate() error {
	if c.Data == "" {
		return errors.New("data: want a folder")
	}
	if err := c.checkAddresses(); err != nil {
		return err
	}
	if c.Partitions < 1 || c.Partitions > 1024 {
		return fmt.Errorf("partitions: want 1 to 1024, got %d", c.Partitions)
	}
	if _, err := parseLevel(c.Log); err != nil {
		return err
	}
	if err := errors.Join(c.Entitlement.validate(), c.Extraction.validate(), c.Embedding.validate(), c.Telemetry.validate()); err != nil {
		return err
	}
	if err := c.Injection.validate(); err != nil {
		return err
	}
	return named(c.Privacy.Validate())
}

// named puts the group before a setting of privacy that cannot be used.
func named(err error) error {
	if m, ok := errors.AsType[*privacy.Misfit](err); ok {
		return fmt.Errorf("%s.%s: want %s", privacyKey, m.Setting, m.Want)
	}
	return err
}

// Environ is the process environment, for Load.
func Environ() []string { return os.Environ() }
