// Package search finds learnings by their words: a BM25 index that is exact, quick to change and safe to read while it changes.
//
// An Index has one writer. What readers hold is a Snapshot, which never changes: the owner takes
// a new one after each change and hands it on. The answers of a snapshot depend on the documents that
// are in it and on nothing else, whatever was put, changed and removed before. The index is disposable:
// it is built again from the documents.
package search

import "crypto/sha256"

// Doc is what is found: a learning with the texts to search, the values to filter by, and its standing.
type Doc struct {
	ID          string
	Title       string
	Context     string
	Observation string
	Implication string
	Action      string
	Tags        []string

	Domain  string
	Outcome string // the outcome that it was learned from
	Status  string

	Confidence float64 // what Query.MinConfidence looks at, 0 to 1
	Posterior  float64 // the chance that it helps, 0 to 1, which ranking trusts
}

// The names of the fields, as results and highlights tell them.
const (
	Title       = "title"
	Context     = "context"
	Observation = "observation"
	Implication = "implication"
	Action      = "action"
	Tags        = "tags"
)

// twice is the weight of the title: its words count as if they stood there two times.
const twice = 2

// field is one searchable text of a document.
type field struct {
	name   string
	text   string
	weight int
}

// fields returns the texts of a document in their documented order; each tag is a text of its own.
func (d Doc) fields() []field {
	all := make([]field, 0, 5+len(d.Tags))
	all = append(all,
		field{Title, d.Title, twice},
		field{Context, d.Context, 1},
		field{Observation, d.Observation, 1},
		field{Implication, d.Implication, 1},
		field{Action, d.Action, 1},
	)
	for _, tag := range d.Tags {
		all = append(all, field{Tags, tag, 1})
	}
	return all
}

// digest stands for everything in a document that its postings and columns depend on.
type digest [16]byte

// digest tells whether a document has to be indexed again, or only stands differently.
func (d Doc) digest() digest {
	size := 64
	for _, f := range d.fields() {
		size += len(f.text)
	}
	text := make([]byte, 0, size)
	add := func(s string) {
		n := uint64(len(s))
		text = append(text, byte(n), byte(n>>8), byte(n>>16), byte(n>>24))
		text = append(text, s...)
	}
	for _, f := range d.fields() {
		add(f.text)
	}
	add(d.Domain)
	add(d.Outcome)
	sum := sha256.Sum256(text)
	return digest(sum[:16])
}
