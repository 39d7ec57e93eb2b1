// Package forget removes every trace of a person and proves it: it issues the
// tombstone, waits until all stages have followed it, deletes what they leave
// behind, and then looks through everything that is stored.
//
// What has to be done is written down first. A process that is killed at any step
// takes the work up again when it starts.
package forget

import (
	"context"
	"fmt"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/events"

	"github.com/go-json-experiment/json"
)

// Job is a person to be forgotten. It stands in the settings bucket until that is
// done, and is the last thing that is removed.
type Job struct {
	ID string `json:"id"`
	// Subjects are the person's blind indexes, Names all that the person may be
	// called in what is stored.
	Subjects []string `json:"subjects"`
	Names    []string `json:"names"`
	// Before is the cut-off: what is younger stays.
	Before time.Time `json:"before"`
	Actor  string    `json:"actor"`
	// Records are those that go, counted when the order was given.
	Records map[events.Kind]int `json:"records"`
}

// Report says what was removed, and what a search for the person found after that.
type Report struct {
	ID      string              `json:"id"`
	Before  time.Time           `json:"before"`
	Actor   string              `json:"actor"`
	Records map[events.Kind]int `json:"records" doc:"Records removed, by kind."`
	Erased  map[string]int      `json:"erased,omitzero" doc:"Messages deleted that were left besides, by stream."`
	Scan    Scan                `json:"scan"`
	Done    time.Time           `json:"done"`
}

// Scan is what a search of everything that is stored came to, decrypted: each
// message of each stream and bucket, and each version of each key of the state.
type Scan struct {
	Messages int            `json:"messages" doc:"Messages searched."`
	Keys     int            `json:"keys" doc:"Versions of keys of the state searched."`
	Found    int            `json:"found" doc:"Traces of the person, besides the blind tombstone."`
	Places   map[string]int `json:"places,omitzero" doc:"Where they are."`
	Newer    int            `json:"newer" doc:"Traces of what the person did after the cut-off, which count."`
	// Skipped are streams beside ours, where stages may not read them.
	Skipped []string `json:"skipped,omitzero" doc:"Streams beside the loop's own, which were not searched."`
}

// merge adds what another one searched.
func (s *Scan) merge(other Scan) {
	s.Messages += other.Messages
	s.Keys += other.Keys
	s.Found += other.Found
	s.Newer += other.Newer
	s.Places = sum(s.Places, other.Places)
	s.Skipped = append(s.Skipped, other.Skipped...)
}

// sum adds counts to others, by name.
func sum(to, of map[string]int) map[string]int {
	if to == nil {
		to = map[string]int{}
	}
	for name, n := range of {
		to[name] += n
	}
	return to
}

// Keys of the settings bucket.
const (
	jobs    = "forgetting."
	reports = "forgotten."
)

// JobKey is where a job stands.
func JobKey(id string) string { return jobs + id }

// ReportKey is where a report stands.
func ReportKey(id string) string { return reports + id }

// Desk is the bucket of settings.
type Desk interface {
	Find(ctx context.Context, patterns ...string) ([]bus.Cell, error)
	Put(ctx context.Context, cells []bus.Cell) error
	Remove(ctx context.Context, c bus.Cell) error
}

// file puts the report of a job in its place.
func (s Stage) file(ctx context.Context, job bus.Cell, r Report) error {
	data, err := json.Marshal(r, json.Deterministic(true))
	if err != nil {
		return fmt.Errorf("encode report: %w", err)
	}
	cell := bus.Cell{Key: ReportKey(r.ID), Value: data}
	old, err := s.Desk.Find(ctx, cell.Key)
	if err != nil {
		return err
	}
	if len(old) > 0 { // of a life that was killed before it removed the job
		cell.Revision = old[0].Revision
	}
	if err := s.Desk.Put(ctx, []bus.Cell{cell}); err != nil {
		return err
	}
	return s.Desk.Remove(ctx, job)
}
