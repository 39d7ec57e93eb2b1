package learnings

import (
	"learnloop.dev/events"

	"github.com/go-json-experiment/json"
)

// review does what a person decided: to approve an entry makes it one, or one
// again; to reject it ends it.
func (e *entry) review(s said) {
	var r events.Review
	if json.Unmarshal([]byte(s.Data), &r) != nil {
		return
	}
	if r.Verdict != events.ReviewApproved {
		e.end(Archived, r.Comment)
		e.Replaces = ""
		return
	}
	if !e.Accepted {
		e.Accepted, e.Created = true, s.at
	}
	e.Status, e.SupersededBy, e.Reason = Active, "", r.Comment
	e.Replaces = e.Offered
}

// end takes an entry out of use; one that nobody accepted is turned down.
func (e *entry) end(status Status, reason string) {
	if !e.Accepted {
		status = Rejected
	}
	e.Status, e.SupersededBy, e.Reason = status, "", reason
}

// archive ends an entry.
func (e *entry) archive(data string) {
	var a events.Archival
	if json.Unmarshal([]byte(data), &a) == nil {
		e.end(Archived, a.Reason)
	}
}

// supersede is the same for both entries: who is older ends, who is newer says so.
func (e *entry) supersede(id, data string) {
	var s events.Succession
	if json.Unmarshal([]byte(data), &s) != nil {
		return
	}
	if id != string(s.ID) {
		e.Supersedes = string(s.ID)
		if e.Status == Superseded { // the last word counts: else a circle would leave none
			e.Status, e.SupersededBy, e.Reason = Active, "", ""
		}
		return
	}
	e.end(Superseded, s.Reason)
	if e.Accepted {
		e.SupersededBy = string(s.SupersededBy)
	}
}

// yield has an entry make room for one that was proposed in its place.
func (e *entry) yield(data string) {
	var by string
	if json.Unmarshal([]byte(data), &by) != nil || !e.Accepted {
		return
	}
	e.Status, e.SupersededBy, e.Reason = Superseded, by, ""
}
