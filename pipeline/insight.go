package pipeline

import (
	"github.com/go-json-experiment/json/jsontext"

	"learnloop.dev/learn"
)

// Insight is what one partition knows about one key, whole: the last value per
// subject is enough to render the context.
type Insight struct {
	Partition int    `json:"partition"`
	Model     string `json:"model"`
	// Version is the model's: another version's value means something else.
	Version int    `json:"version"`
	Kind    string `json:"kind"`
	ID      string `json:"id,omitzero"`
	// At is the log position the insight was taken at.
	At uint64 `json:"at"`
	// Value is the model's own; absent when nothing is known any more.
	Value jsontext.Value `json:"value,omitzero"`
}

// Key returns the key the insight is about.
func (i Insight) Key() learn.Key { return learn.Key{Kind: i.Kind, ID: i.ID} }

// Mark says up to which log position a partition's insights are published. Its
// expected sequence is the fence: whoever does not know the last mark is no
// longer the partition's owner, and nothing it publishes is visible.
type Mark struct {
	Partition int    `json:"partition"`
	Seq       uint64 `json:"seq"`
	Owner     string `json:"owner"`
}
