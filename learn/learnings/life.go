package learnings

import (
	"slices"

	"learnloop.dev/events"
	"learnloop.dev/learn"

	"github.com/go-json-experiment/json"
)

// Status is what may be done with an entry.
type Status string

// The statuses. Only active entries are injected. The last two are of entries that
// nobody created: they wait for a person's word, or have it.
const (
	Active     Status = "active"
	Archived   Status = "archived"
	Superseded Status = "superseded"
	Proposed   Status = "proposed"
	Rejected   Status = "rejected"
)

// Rows of a learning's life: everything that was said about the entry itself.
const (
	lifeRows    = "life/"    // act, by time and record
	standRow    = "standing" // standing: what they come to
	entriesRows = "entry/"   // mention of every entry; of all of them
)

// act is one thing that was said.
type act struct {
	Kind events.Kind `json:"kind"`
	Data string      `json:"data"` // the payload, as JSON; of "heir" the other entry's id
}

// heir is the kind of an act that no event says by itself: a person approved an
// entry that was proposed in the place of this one.
const heir events.Kind = "heir"

// standing is what other rows need to know of an entry.
type standing struct {
	Status   Status `json:"status"`
	Created  moment `json:"created"`           // or approved
	Ended    moment `json:"ended,omitzero"`    // when it went out of use
	Replaces string `json:"replaces,omitzero"` // by approval
}

// entered makes a fold that adds to the life of the entry that id names.
func entered[P any](id func(*P) events.ID) func(learn.Rows, fact, *P) {
	return func(rows learn.Rows, f fact, p *P) { lead(rows, string(id(p)), f, p) }
}

// succeed adds to the lives of both entries: the older one and its heir.
func succeed(rows learn.Rows, f fact, p *events.Succession) {
	older, newer := parties(p)
	if older == newer {
		return
	}
	said := events.Succession{ID: older, SupersededBy: newer, Reason: p.Reason}
	lead(rows, string(older), f, &said)
	lead(rows, string(newer), f, &said)
}

// parties are the entries of a succession, which either of them may report.
func parties(p *events.Succession) (older, newer events.ID) {
	if p.SupersededBy == "" {
		return p.Supersedes, p.ID
	}
	return p.ID, p.SupersededBy
}

// lead adds an act to a life, or takes it out, and does what follows.
func lead(rows learn.Rows, id string, f fact, payload any) {
	data, err := json.Marshal(payload, json.Deterministic(true))
	if err != nil {
		return // it was JSON
	}
	key := learningKey(id)
	name := f.at.order() + "/" + f.record
	row := learn.At[act](rows, key, lifeRows+name)
	*row = act{}
	if f.by > 0 {
		*row = act{f.kind, string(data)}
	}
	if r, ok := payload.(*events.Revision); ok && r.Confidence != nil {
		step{Set: true, To: levelOf(r.Confidence)}.add(rows, key, name, f.by)
	}
	stand(rows, id)
}

// stand finds out how an entry stands now, and has those know who depend on it.
func stand(rows learn.Rows, id string) {
	key := learningKey(id)
	was, is := learn.At[standing](rows, key, standRow), replayed(rows, id).standing
	if *was == is {
		return
	}
	before := *was
	*was = is
	list := learn.At[mention](rows, allKey(), entriesRows+events.Token(id))
	*list = mention{}
	if is.Status != "" {
		*list = mention{id, true}
	}
	if before.Replaces != is.Replaces || before.Created != is.Created {
		inherit(rows, id, before, -1)
		inherit(rows, id, is, 1)
	}
	age(rows, id)
}

// inherit supersedes the entry that an approved one was proposed in the place of.
func inherit(rows learn.Rows, id string, s standing, by int64) {
	if s.Replaces != "" && s.Replaces != id {
		lead(rows, s.Replaces, fact{kind: heir, at: s.Created, record: events.Token(id), by: by}, id)
	}
}

// entry is how an entry reads after everything that was said about it.
type entry struct {
	standing
	Fields       fields
	Initial      level
	SupersededBy string
	Supersedes   string
	Reason       string // of its status
	Revisions    int64
	Updated      moment

	accepted bool   // created, or approved
	replaces string // what it was proposed in the place of
}

// fields are what an entry says.
type fields struct {
	Title             string      `json:"title"`
	Context           string      `json:"context"`
	Observation       string      `json:"observation"`
	Implication       string      `json:"implication"`
	Action            string      `json:"action"`
	SourceOutcomeID   events.ID   `json:"source_outcome_id,omitzero"`
	SourceTaskID      events.ID   `json:"source_task_id,omitzero"`
	SourceDiscoveryID events.ID   `json:"source_discovery_id,omitzero"`
	Tags              events.Tags `json:"tags"`
	Domain            string      `json:"domain,omitzero"`

	PatternType events.PatternType `json:"pattern_type,omitzero"`
}

// said is one act with its time.
type said struct {
	act
	at moment
}

// replayed goes over an entry's life: how it began, and then all else in the order
// of time.
func replayed(rows learn.Rows, id string) (e entry) {
	var life []said
	for row, a := range learn.Scan[act](rows, learningKey(id), lifeRows) {
		life = append(life, said{a, momentIn(row[len(lifeRows):])})
	}
	e.begin(life, events.LearningProposed.Kind)
	e.begin(life, events.LearningCreated.Kind)
	for _, s := range life {
		was := e.Status
		if e.follow(id, s); e.Status != was {
			e.Ended = s.at
		}
	}
	if e.Status == "" {
		return entry{}
	}
	if e.Status == Active {
		e.Ended = 0
	}
	return e
}

// begin takes over how an entry was created or proposed; of both creation counts.
func (e *entry) begin(life []said, kind events.Kind) {
	i := slices.IndexFunc(life, func(s said) bool { return s.Kind == kind })
	if i < 0 {
		return
	}
	var p events.Proposal // has all that a creation has
	if json.Unmarshal([]byte(life[i].Data), &p) != nil {
		return
	}
	e.Fields = fields{
		Title: p.Title, Context: p.Context, Observation: p.Observation, Implication: p.Implication, Action: p.Action,
		SourceOutcomeID: p.SourceOutcomeID, SourceTaskID: p.SourceTaskID, SourceDiscoveryID: p.SourceDiscoveryID,
		Tags: p.Tags, Domain: p.Domain, PatternType: p.PatternType,
	}
	e.Initial, e.Created, e.Updated = levelOf(p.Confidence), life[i].at, life[i].at
	if kind == events.LearningCreated.Kind {
		e.accepted, e.Status, e.Reason = true, Active, ""
		return
	}
	e.Status, e.Reason = Proposed, p.Reason
	e.replaces, e.Supersedes = string(p.Supersedes), string(p.Supersedes)
}

// follow is what one act makes of an entry.
func (e *entry) follow(id string, s said) {
	if e.Status == "" {
		return // nobody created or proposed it
	}
	e.Updated = max(e.Updated, s.at)
	switch s.Kind {
	case events.LearningRevised.Kind:
		e.revise(s.Data)
	case events.LearningReviewed.Kind:
		e.review(s)
	case events.LearningArchived.Kind:
		e.archive(s.Data)
	case events.LearningSuperseded.Kind:
		e.supersede(id, s.Data)
	case heir:
		e.yield(s.Data)
	}
}
