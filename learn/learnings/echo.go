package learnings

import (
	"learnloop.dev/events"
	"learnloop.dev/learn"
)

// Rows of where the same was found again. There may be thousands, none of which
// changes how the entry reads.
const (
	echoRows  = "echo/"  // echo, by time (the latest first) and record
	echoesRow = "echoes" // int64: how many there are
)

// echo is further evidence of an entry, as one revision names it.
type echo struct {
	At        moment    `json:"at"`
	Event     string    `json:"event,omitzero"`
	OutcomeID events.ID `json:"outcome_id,omitzero"`
	TaskID    events.ID `json:"task_id,omitzero"`

	DiscoveryID events.ID `json:"discovery_id,omitzero"`
	Edits       bool      `json:"edits,omitzero"` // it is an edit, too
	Is          bool      `json:"is"`
}

// amend takes in a revision: what it changes is an edit, and what it names as evidence
// an echo. One that does neither is one, too.
func amend(rows learn.Rows, f fact, r *events.Revision) {
	key, name := learningKey(string(r.ID)), f.at.order()+"/"+f.record
	if r.Confidence != nil {
		step{Set: true, To: levelOf(r.Confidence)}.add(rows, key, name, f.by)
	}
	edits := changes(r)
	if edits {
		reword(rows, key, f, r)
	}
	if edits && !cites(r) {
		return
	}
	row := learn.At[echo](rows, key, echoRows+f.at.backward()+"/"+f.record)
	*row = echo{}
	if f.by > 0 {
		*row = echo{f.at, f.event, r.SourceOutcomeID, r.SourceTaskID, r.SourceDiscoveryID, edits, true}
	}
	if !edits {
		*learn.At[int64](rows, key, echoesRow) += f.by
	}
}

// changes reports whether a revision changes how an entry reads.
func changes(r *events.Revision) bool {
	return r.Title != nil || r.Context != nil || r.Observation != nil || r.Implication != nil || r.Action != nil ||
		r.Tags != nil || r.Domain != nil || r.PatternType != "" || r.Confidence != nil
}

// cites reports whether a revision names evidence.
func cites(r *events.Revision) bool {
	return r.SourceOutcomeID != "" || r.SourceTaskID != "" || r.SourceDiscoveryID != ""
}

// mostSources is how many sources of evidence an entry shows, beside its first.
const mostSources = 20

// echoes reads the sources that the latest echoes of an entry name, and when the last
// of them was.
func echoes(rows learn.Rows, key learn.Key) (sources []Source, last instant) {
	looked := 0
	for _, e := range learn.Scan[echo](rows, key, echoRows) {
		if looked == mostSources {
			break
		}
		if looked++; !last.Is {
			last = instant{e.At, true}
		}
		if e.OutcomeID != "" || e.TaskID != "" || e.DiscoveryID != "" {
			sources = append(sources, Source{string(e.OutcomeID), string(e.TaskID), string(e.DiscoveryID), e.At.time()})
		}
	}
	return sources, last
}
