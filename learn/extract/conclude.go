package extract

import (
	"time"

	"learnloop.dev/events"
)

// Conclusion is one event that follows from a discovery. Its id follows from the
// discovery's record, so that concluding again changes nothing.
type Conclusion struct {
	ID      string
	At      time.Time // event time
	Kind    events.Kind
	Payload events.Payload
}

// Conclude says what is to be told, now that a learning was made of a discovery:
// mostly that there is one. Nothing is told of what waits for a person already or
// was rejected; the verdict says so.
func (m *Memory) Conclude(from *events.Fact[events.Discovery], l *events.Learning) ([]Conclusion, Verdict) {
	v := m.Judge(l)
	if commanding(l) && (v.Finding == New || v.Finding == Opposite) {
		v = Verdict{Finding: Doubtful, Reason: "reads as if it gave orders to the model that is shown it"}
	}
	name := "extracted/" + Name(from.Record) + "/"
	created := Conclusion{name + "created", from.Time, events.LearningCreated.Kind, l}
	switch v.Finding {
	case Same:
		return []Conclusion{{name + "revised", from.Time, events.LearningRevised.Kind, &events.Revision{
			ID: v.Of, SourceOutcomeID: l.SourceOutcomeID, SourceTaskID: l.SourceTaskID,
			SourceDiscoveryID: l.SourceDiscoveryID, Reason: "A further discovery " + v.Reason + ".",
		}}}, v
	case Opposite: // the new one last: once it is there the discovery is done with
		return []Conclusion{m.succession(name+"superseded", v, created), created}, v
	case Doubtful:
		return []Conclusion{{name + "proposed", from.Time, events.LearningProposed.Kind, proposal(l, v)}}, v
	case Undecided, Unwanted:
		return nil, v
	case New:
	}
	return []Conclusion{created}, v
}

// succession puts the later of two learnings that contradict each other in the place
// of the earlier: what comes late may tell of earlier times.
func (m *Memory) succession(name string, v Verdict, created Conclusion) Conclusion {
	older, newer, at := v.Of, created.Payload.(*events.Learning).ID, created.At
	if known := m.entries[v.Of].head.Time; created.At.Before(known) {
		older, newer, at = newer, older, known
	}
	return Conclusion{name, at, events.LearningSuperseded.Kind, &events.Succession{
		ID: older, SupersededBy: newer, Reason: "A further discovery " + v.Reason + ".",
	}}
}

// proposal asks a person about a learning.
func proposal(l *events.Learning, v Verdict) *events.Proposal {
	p := &events.Proposal{
		ID: l.ID, Title: l.Title, Context: l.Context, Observation: l.Observation, Implication: l.Implication,
		Action: l.Action, SourceOutcomeID: l.SourceOutcomeID, SourceTaskID: l.SourceTaskID,
		SourceDiscoveryID: l.SourceDiscoveryID, Tags: l.Tags, Domain: l.Domain, PatternType: l.PatternType,
		Confidence: l.Confidence, ExtractedBy: l.ExtractedBy, Reason: "It " + v.Reason + ".",
	}
	if v.Contradicts {
		p.Supersedes = v.Of
	}
	return p
}

// Overtaken says what somebody wrote about a discovery after the loop had made a
// learning of it: theirs counts.
func (m *Memory) Overtaken() (list []Conclusion) {
	for id, ours := range m.over {
		e, theirs := m.entries[ours], m.entries[id]
		if e == nil || theirs == nil || e.standing != active || theirs.standing != active {
			continue
		}
		said := &events.Succession{ID: e.id, SupersededBy: id, Reason: "Who made the discovery wrote its learning."}
		list = append(list, Conclusion{"overtaken/" + Name(e.head.Cause) + "/superseded",
			later(theirs.head.Time, e.head.Time), events.LearningSuperseded.Kind, said})
	}
	return list
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
