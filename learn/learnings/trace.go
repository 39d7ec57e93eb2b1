package learnings

import (
	"slices"
	"strings"

	"learnloop.dev/events"
	"learnloop.dev/learn"
)

// entryLines are the fields of a Learning that its creation stands behind.
func entryLines() []string {
	return []string{
		"title", "context", "observation", "implication", "action", "tags", "domain", "pattern_type",
		"source_outcome_id", "source_task_id", "source_discovery_id",
		"status", "confidence", "initial_confidence", "posterior", "created_at", "updated_at",
	}
}

// endLines are those behind which whatever ends an entry stands.
var endLines = []string{"status", "status_reason", "updated_at"}

// useLines are those behind which a use stands.
func useLines() []string {
	return []string{"times_injected", "last_injected_at", "confidence", "evidence"}
}

// trace names the fields of an entry that a fact stands behind.
func trace(rows learn.Rows, key learn.Key, r events.Recorded) []string {
	id := events.ID(key.ID)
	switch p := r.Payload().(type) {
	case *events.Learning:
		return about(p.ID == id, entryLines())
	case *events.Proposal:
		return about(p.ID == id, append(entryLines(), "status_reason", "supersedes"))
	case *events.Revision:
		return about(p.ID == id, revised(p))
	case *events.Review:
		return about(p.ID == id, reviewed(p))
	case *events.Archival:
		return about(p.ID == id, endLines)
	case *events.Succession:
		return traceSuccession(id, p)
	case *events.Injection:
		return traceInjection(rows, id, r.Header(), p)
	case *events.Task:
		return about(turns(rows, key, p.TaskID) && known(rows, learn.RowPart(string(p.TaskID))).EndingBy == r.Header().Record, []string{tasksLine})
	case *events.Vote:
		return about(p.LearningID == id, voted(p.Helpful))
	case *events.AgentOutput:
		return traceOutput(id, p)
	}
	return nil
}

// tasksLine is what finished tasks tell of an entry.
const tasksLine = "evidence/tasks"

// traceInjection names what a task that was given an entry stands behind, or one that
// chance kept it from.
func traceInjection(rows learn.Rows, id events.ID, h *events.Head, p *events.Injection) (lines []string) {
	i := slices.IndexFunc(p.Items, func(i events.InjectedItem) bool { return i.LearningID == id })
	if i < 0 || p.Treated() != events.ArmTreatment {
		return nil
	}
	if !p.Items[i].LeftOut {
		lines = append(lines, useLines()...)
	}
	key := learningKey(string(id))
	last, _, _ := first[chance](rows, key, chanceRows+learn.RowPart(string(p.TaskID))+"/")
	if turns(rows, key, p.TaskID) && strings.HasSuffix(last, "/"+h.Record) {
		lines = append(lines, tasksLine)
	}
	return lines
}

// turns reports whether a task tells of an entry.
func turns(rows learn.Rows, key learn.Key, id events.ID) bool {
	return learn.Peek[turned](rows, key, turnRows+learn.RowPart(string(id))).Is
}

func about(is bool, lines []string) []string {
	if !is {
		return nil
	}
	return lines
}

// revised are the fields that a revision names.
func revised(r *events.Revision) []string {
	lines := []string{"updated_at", "evidence"}
	for _, f := range []struct {
		name  string
		given bool
	}{
		{"title", r.Title != nil},
		{"context", r.Context != nil},
		{"observation", r.Observation != nil},
		{"implication", r.Implication != nil},
		{"action", r.Action != nil},
		{"tags", r.Tags != nil},
		{"domain", r.Domain != nil},
		{"pattern_type", r.PatternType != ""},
		{"confidence", r.Confidence != nil},
		{"posterior", r.Confidence != nil},
	} {
		if f.given {
			lines = append(lines, f.name)
		}
	}
	return lines
}

// reviewed are the fields that a verdict changes: a proposal is a learning from its
// approval on.
func reviewed(r *events.Review) []string {
	if r.Verdict == events.ReviewApproved {
		return append(slices.Clone(endLines), "created_at")
	}
	return endLines
}

func voted(helpful bool) []string {
	lines := []string{"confidence", "posterior", "evidence", "updated_at"}
	if helpful {
		return append(lines, "times_helpful", "last_helpful_at")
	}
	return append(lines, "times_not_helpful")
}

func traceSuccession(id events.ID, s *events.Succession) []string {
	older, newer := parties(s)
	switch id {
	case older:
		return append(slices.Clone(endLines), "superseded_by")
	case newer:
		return []string{"supersedes", "updated_at"}
	}
	return nil
}

func traceOutput(id events.ID, o *events.AgentOutput) []string {
	if o.Derived == nil {
		return nil
	}
	for _, v := range slices.Backward(o.Derived.Votes) {
		if v.LearningID == id {
			return voted(v.Helpful)
		}
	}
	return nil
}
