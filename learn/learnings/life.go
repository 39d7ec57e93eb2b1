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

// Rows of a learning's life: how it began, and what was decided about it.
const (
	lifeRows    = "life/"    // act, by time and record
	summaryRow  = "summary"  // summary: what the acts come to
	standRow    = "standing" // standing: of it what others need
	entriesRows = "entry/"   // mention of every entry; of all of them
	waitsRows   = "waits/"   // mention of every entry that is proposed; of all of them
)

// act is one thing that was said.
type act struct {
	Kind  events.Kind `json:"kind"`
	Data  string      `json:"data"`           // the payload, as JSON; of "heir" the other entry's id
	Event string      `json:"event,omitzero"` // that says so, by its id
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
	name := f.at.order() + "/" + f.record
	row, life := learn.At[act](rows, learningKey(id), lifeRows+name), learn.At[summary](rows, learningKey(id), summaryRow)
	*row = act{}
	if f.by > 0 {
		*row = act{f.kind, string(data), f.event}
	}
	if f.by < 0 || name < life.Last || begins(f.kind) {
		*life = relived(rows, id)
	} else {
		*life = life.then(id, said{*row, f.at, name})
	}
	stand(rows, id, life.entry())
}

// stand finds out how an entry stands now, and has those know who depend on it.
func stand(rows learn.Rows, id string, now entry) {
	key := learningKey(id)
	was, is := learn.At[standing](rows, key, standRow), now.standing
	if *was == is {
		return
	}
	before := *was
	*was = is
	*learn.At[mention](rows, allKey(), entriesRows+events.Token(id)) = mentionOf(id, is.Status != "")
	*learn.At[mention](rows, allKey(), waitsRows+events.Token(id)) = mentionOf(id, is.Status == Proposed)
	if before.Replaces != is.Replaces || before.Created != is.Created {
		inherit(rows, id, before, -1)
		inherit(rows, id, is, 1)
	}
	age(rows, id)
}

// inherit supersedes the entry that an approved one was proposed in the place of.
func inherit(rows learn.Rows, id string, s standing, by int64) {
	if s.Replaces != "" {
		lead(rows, s.Replaces, fact{kind: heir, at: s.Created, record: events.Token(id), by: by}, id)
	}
}

// entry is how an entry stands after everything that was decided about it, and how it
// read at first.
type entry struct {
	standing     `json:",inline"`
	Fields       fields `json:"fields"`
	Initial      level  `json:"initial"`
	SupersededBy string `json:"superseded_by,omitzero"`
	Supersedes   string `json:"supersedes,omitzero"`
	Reason       string `json:"reason,omitzero"` // of its status
	Updated      moment `json:"updated"`

	Accepted bool   `json:"accepted,omitzero"` // created, or approved
	Offered  string `json:"offered,omitzero"`  // what it was proposed in the place of
	Creator  string `json:"creator,omitzero"`  // the event that created it
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
	ExtractedBy string             `json:"extracted_by,omitzero"`
}

// said is one act with its time, and its place in the order of time.
type said struct {
	act
	at   moment
	name string
}

// summary is what a life has come to, so that the next act need not go over it again.
type summary struct {
	Last  string `json:"last"`           // names the last act
	Entry string `json:"entry,omitzero"` // as JSON; empty while nobody created or proposed it
}

func summaryOf(last string, e entry) summary {
	if e.Status == "" {
		return summary{Last: last}
	}
	data, err := json.Marshal(e, json.Deterministic(true))
	if err != nil {
		return summary{Last: last} // made of texts and numbers
	}
	return summary{last, string(data)}
}

func (s summary) entry() (e entry) {
	if s.Entry != "" {
		_ = json.Unmarshal([]byte(s.Entry), &e) // we wrote it
	}
	return e
}

// then is the life with one more act at its end, which does not begin it.
func (s summary) then(id string, next said) summary {
	e := s.entry()
	e.live(id, next)
	return summaryOf(next.name, e)
}

func begins(kind events.Kind) bool {
	return kind == events.LearningProposed.Kind || kind == events.LearningCreated.Kind
}

// relived goes over an entry's life: how it began, and then all else in the order
// of time.
func relived(rows learn.Rows, id string) summary {
	var e entry
	var life []said
	for row, a := range learn.Scan[act](rows, learningKey(id), lifeRows) {
		name := row[len(lifeRows):]
		life = append(life, said{a, momentIn(name), name})
	}
	if len(life) == 0 {
		return summary{}
	}
	e.begin(life, events.LearningProposed.Kind)
	e.begin(life, events.LearningCreated.Kind)
	for _, s := range life {
		e.live(id, s)
	}
	return summaryOf(life[len(life)-1].name, e)
}

// live has an entry go through an act, and note when it went out of use.
func (e *entry) live(id string, s said) {
	was := e.Status
	e.follow(id, s)
	switch {
	case e.Status == Active:
		e.Ended = 0
	case e.Status != was:
		e.Ended = s.at
	}
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
		Tags: p.Tags, Domain: p.Domain, PatternType: p.PatternType, ExtractedBy: p.ExtractedBy,
	}
	e.Initial, e.Created, e.Updated = levelOf(p.Confidence), life[i].at, life[i].at
	if kind == events.LearningCreated.Kind {
		e.Accepted, e.Status, e.Reason, e.Creator = true, Active, "", life[i].Event
		return
	}
	e.Status, e.Reason = Proposed, p.Reason
	if p.Supersedes != p.ID {
		e.Offered, e.Supersedes = string(p.Supersedes), string(p.Supersedes)
	}
}

// follow is what one act makes of an entry.
func (e *entry) follow(id string, s said) {
	if e.Status == "" {
		return // nobody created or proposed it
	}
	e.Updated = max(e.Updated, s.at)
	switch s.Kind {
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
