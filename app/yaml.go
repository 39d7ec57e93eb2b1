package app

import "go.yaml.in/yaml/v4"

// yamlParser reads YAML for koanf, by the library that one of the vendors' SDKs
// brings along: koanf's own parser would link a second one (ADR 0031).
type yamlParser struct{}

// Unmarshal reads one mapping; without one, it is empty.
func (yamlParser) Unmarshal(text []byte) (map[string]any, error) {
	var values map[string]any
	return values, yaml.Unmarshal(text, &values)
}

// Marshal writes values as YAML.
func (yamlParser) Marshal(values map[string]any) ([]byte, error) { return yaml.Marshal(values) }
