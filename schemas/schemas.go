// Package schemas holds the JSON Schema of every kind of event and says what a
// document breaks, without ever repeating what the document says.
package schemas

import (
	"embed"
	"io/fs"
)

// Base is the address the schemas are published under.
const Base = "https://learnloop.dev/schemas/"

// FS holds the schemas as <kind>.v1.json, and asyncapi.json.
//
//go:embed *.json
var FS embed.FS

// Kind returns the schema of a kind ("feedback.fix"), and false for an unknown one.
func Kind(name string) ([]byte, bool) {
	data, err := fs.ReadFile(FS, file(name))
	return data, err == nil
}

func file(kind string) string { return kind + ".v1.json" }
