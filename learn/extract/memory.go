package extract

import (
	"slices"

	"learnloop.dev/events"
)

// standing is what became of a learning.
type standing int

const (
	active standing = iota
	proposed
	rejected
	archived
	superseded
)

// entry is what is remembered of a learning: enough to tell whether another says
// the same, and no text.
type entry struct {
	head      events.Head // what a sweep goes by
	id        events.ID
	discovery uint64 // hash of the id of the one that it was made from
	standing  standing
	gist      gist
}

// extracted reports whether the loop made the learning, and nobody else.
func (e *entry) extracted() bool { return e.head.Cause != "" }

// Memory knows the learnings of a log: which discoveries have theirs, and what they
// say. It is fed the facts in log order, and is not safe for concurrent use.
type Memory struct {
	entries map[events.ID]*entry
	order   []events.ID // as they came
	words   map[uint64][]*entry
	causes  map[uint64]bool // hashes of the records of discoveries that something follows from
	cited   map[uint64]bool // hashes of the ids of discoveries
	sweeps  []events.Recorded
	made    map[uint64]events.ID    // what the loop made, by the discovery's id
	over    map[events.ID]events.ID // the same, by what somebody wrote about the same discovery
}

// most is how many learnings are compared with: the latest.
const most = 50_000

// NewMemory knows nothing yet.
func NewMemory() *Memory {
	return &Memory{entries: map[events.ID]*entry{}, words: map[uint64][]*entry{},
		causes: map[uint64]bool{}, cited: map[uint64]bool{}, made: map[uint64]events.ID{}, over: map[events.ID]events.ID{}}
}

// Knows reports whether a discovery has its learning, made here or elsewhere.
func (m *Memory) Knows(d *events.Fact[events.Discovery]) bool {
	return m.causes[hash(d.Record)] || d.Data.DiscoveryID != "" && m.cited[hash(string(d.Data.DiscoveryID))]
}

// Take remembers a fact. Kinds that are not about learnings change nothing, but for
// those that take records out.
func (m *Memory) Take(rec events.Recorded) {
	h := rec.Header()
	if _, ok := rec.Payload().(events.Sweeper); ok {
		m.sweep(rec)
		return
	}
	for _, s := range m.sweeps {
		if takes(s, h) {
			return
		}
	}
	if h.Cause != "" && h.Kind() != events.LearningSuperseded.Kind {
		m.causes[hash(h.Cause)] = true
	}
	switch p := rec.Payload().(type) {
	case *events.Learning:
		m.cite(p.SourceDiscoveryID)
		m.add(h, p, active)
	case *events.Proposal:
		m.cite(p.SourceDiscoveryID)
		m.add(h, proposedLearning(p), proposed)
	case *events.Revision:
		m.cite(p.SourceDiscoveryID)
		m.revise(p)
	default:
		m.turn(rec.Payload())
	}
}

// turn follows what becomes of a learning.
func (m *Memory) turn(p events.Payload) {
	switch p := p.(type) {
	case *events.Review:
		if p.Verdict == events.ReviewApproved {
			m.stand(p.ID, active)
		} else {
			m.stand(p.ID, rejected)
		}
	case *events.Archival:
		m.stand(p.ID, archived)
	case *events.Succession:
		if p.SupersededBy != "" {
			m.succeed(p.ID, p.SupersededBy)
		} else {
			m.succeed(p.Supersedes, p.ID)
		}
	}
}

// succeed puts one learning in the place of another; an heir that was superseded itself
// is in use again.
func (m *Memory) succeed(older, newer events.ID) {
	if older == newer {
		return
	}
	m.stand(older, superseded)
	if e := m.entries[newer]; e != nil && e.standing == superseded {
		e.standing = active
	}
}

func (m *Memory) stand(id events.ID, s standing) {
	if e := m.entries[id]; e != nil {
		e.standing = s
	}
}

func (m *Memory) cite(discovery events.ID) {
	if discovery != "" {
		m.cited[hash(string(discovery))] = true
	}
}

// add remembers what a learning says. One that is known keeps its standing.
func (m *Memory) add(h *events.Head, l *events.Learning, s standing) {
	if old := m.entries[l.ID]; old != nil {
		m.unindex(old)
		s = old.standing
	} else {
		m.order = append(m.order, l.ID)
	}
	e := &entry{head: kept(h), id: l.ID, standing: s, gist: gistOf(l)}
	m.entries[l.ID] = e
	m.index(e)
	m.compare(e, l.SourceDiscoveryID)
	if len(m.entries) > most {
		m.forget(m.entries[m.oldest()])
	}
}

// kept is what sweeps ask of a head.
func kept(h *events.Head) events.Head {
	return events.Head{Type: h.Type, Time: h.Time, Recorded: h.Recorded, Record: h.Record, Group: h.Group, Key: h.Key,
		Person: h.Person, Cause: h.Cause}
}

// compare notes who made what of a discovery.
func (m *Memory) compare(e *entry, discovery events.ID) {
	if discovery == "" || e.standing == proposed {
		return
	}
	e.discovery = hash(string(discovery))
	ours := m.made[e.discovery]
	switch {
	case e.extracted():
		m.made[e.discovery] = e.id
	case ours != "":
		m.over[e.id] = ours
	}
}

// oldest takes the id that came first off the order.
func (m *Memory) oldest() events.ID {
	for {
		id := m.order[0]
		m.order = m.order[1:]
		if m.entries[id] != nil {
			return id
		}
	}
}

func (m *Memory) index(e *entry) {
	for _, w := range e.gist.about() {
		m.words[w] = append(m.words[w], e)
	}
}

func (m *Memory) unindex(e *entry) {
	for _, w := range e.gist.about() {
		left := slices.DeleteFunc(m.words[w], func(other *entry) bool { return other == e })
		if m.words[w] = left; len(left) == 0 {
			delete(m.words, w)
		}
	}
}

func (m *Memory) forget(e *entry) {
	m.unindex(e)
	delete(m.entries, e.id)
	delete(m.over, e.id)
	if m.made[e.discovery] == e.id {
		delete(m.made, e.discovery)
	}
}

// revise follows a change of text.
func (m *Memory) revise(r *events.Revision) {
	e := m.entries[r.ID]
	if e == nil {
		return
	}
	if r.Title == nil && r.Observation == nil && r.Action == nil {
		return
	}
	m.unindex(e)
	e.gist = e.gist.revised(r)
	m.index(e)
}

// sweep forgets what a fact takes out, now and when it comes again.
func (m *Memory) sweep(s events.Recorded) {
	m.sweeps = append(m.sweeps, s)
	for _, e := range m.entries {
		if takes(s, &e.head) {
			m.forget(e)
		}
	}
}

// takes reports whether a fact takes a record out.
func takes(s events.Recorded, record *events.Head) bool {
	return s.Payload().(events.Sweeper).Takes(s.Header(), record)
}

// proposedLearning is a proposal as the learning that it would be.
func proposedLearning(p *events.Proposal) *events.Learning {
	return &events.Learning{ID: p.ID, Title: p.Title, Context: p.Context, Observation: p.Observation,
		Implication: p.Implication, Action: p.Action, SourceTaskID: p.SourceTaskID}
}
