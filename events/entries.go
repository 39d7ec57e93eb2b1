package events

// PatternType sorts learnings by what they are good for.
type PatternType string

// The pattern types of source document 001.
const (
	Solution     PatternType = "solution"
	Gotcha       PatternType = "gotcha"
	BestPractice PatternType = "best-practice"
	HardLimit    PatternType = "constraint"
)

// Learning is a new entry of what past tasks taught: context, observation,
// implication, action (001, COIA format).
type Learning struct {
	ID                ID          `json:"id,omitzero" privacy:"id"` // default: derived from the event id
	Title             string      `json:"title" privacy:"text"`     // at most 100 characters
	Context           string      `json:"context" privacy:"text"`
	Observation       string      `json:"observation" privacy:"text"`
	Implication       string      `json:"implication" privacy:"text"`
	Action            string      `json:"action" privacy:"text"`
	SourceOutcomeID   ID          `json:"source_outcome_id,omitzero" privacy:"id"`
	SourceTaskID      ID          `json:"source_task_id,omitzero" privacy:"id"`
	SourceDiscoveryID ID          `json:"source_discovery_id,omitzero" privacy:"id"`
	Tags              Tags        `json:"tags,omitzero" privacy:"text"`
	Domain            string      `json:"domain,omitzero" privacy:"id"`
	PatternType       PatternType `json:"pattern_type,omitzero" privacy:"enum"`
	Confidence        *float64    `json:"confidence,omitzero"` // 0..1, initial
	// ExtractedBy is what made the entry of a discovery: a model, or rules; empty for
	// one that somebody wrote.
	ExtractedBy string `json:"extracted_by,omitzero" privacy:"id"`
	UserID      ID     `json:"user_id,omitzero" privacy:"person"`
	Moment
}

// Identity is the learning's id.
func (l *Learning) Identity() []string { return named(l.ID) }

// Parts addresses the entry to the learnings.
func (l *Learning) Parts() []Part { return whole(Learnings, LearningCreated.Kind, l) }

// Person is the author.
func (l *Learning) Person() string { return string(l.UserID) }

// Proposal asks a person whether an entry should be made: of something that
// keeps coming back, or in place of another learning.
type Proposal struct {
	ID                ID          `json:"id" privacy:"id"`
	Title             string      `json:"title,omitzero" privacy:"text"`
	Context           string      `json:"context,omitzero" privacy:"text"`
	Observation       string      `json:"observation,omitzero" privacy:"text"`
	Implication       string      `json:"implication,omitzero" privacy:"text"`
	Action            string      `json:"action,omitzero" privacy:"text"`
	SourceOutcomeID   ID          `json:"source_outcome_id,omitzero" privacy:"id"`
	SourceTaskID      ID          `json:"source_task_id,omitzero" privacy:"id"`
	SourceDiscoveryID ID          `json:"source_discovery_id,omitzero" privacy:"id"`
	Tags              Tags        `json:"tags,omitzero" privacy:"text"`
	Domain            string      `json:"domain,omitzero" privacy:"id"`
	PatternType       PatternType `json:"pattern_type,omitzero" privacy:"enum"`
	Confidence        *float64    `json:"confidence,omitzero"`
	Supersedes        ID          `json:"supersedes,omitzero" privacy:"id"`
	Reason            string      `json:"reason,omitzero" privacy:"text"`
	ExtractedBy       string      `json:"extracted_by,omitzero" privacy:"id"`
	UserID            ID          `json:"user_id,omitzero" privacy:"person"`
	Moment
}

// Identity is the learning's id.
func (p *Proposal) Identity() []string { return named(p.ID) }

// Parts addresses the proposal to the learnings.
func (p *Proposal) Parts() []Part { return whole(Learnings, LearningProposed.Kind, p) }

// Person is who proposed.
func (p *Proposal) Person() string { return string(p.UserID) }

// ReviewVerdict is what a reviewer decided.
type ReviewVerdict string

// The verdicts of a review.
const (
	ReviewApproved ReviewVerdict = "approved"
	ReviewRejected ReviewVerdict = "rejected"
)

// Review is a person's verdict about a learning.
type Review struct {
	ID      ID            `json:"id" privacy:"id"`
	Verdict ReviewVerdict `json:"verdict" privacy:"enum"`
	Comment string        `json:"comment,omitzero" privacy:"text"`
	UserID  ID            `json:"user_id,omitzero" privacy:"person"`
	Moment
}

// Identity is the envelope's source and id: every review stands, the last one counts.
func (*Review) Identity() []string { return nil }

// Parts addresses the verdict to the learnings.
func (r *Review) Parts() []Part { return whole(Learnings, LearningReviewed.Kind, r) }

// Person is the reviewer.
func (r *Review) Person() string { return string(r.UserID) }

// Revision changes the fields of a learning that it names; empty tags clear them.
type Revision struct {
	ID          ID          `json:"id" privacy:"id"`
	Title       *string     `json:"title,omitzero" privacy:"text"`
	Context     *string     `json:"context,omitzero" privacy:"text"`
	Observation *string     `json:"observation,omitzero" privacy:"text"`
	Implication *string     `json:"implication,omitzero" privacy:"text"`
	Action      *string     `json:"action,omitzero" privacy:"text"`
	Tags        Tags        `json:"tags,omitzero" privacy:"text"`
	Domain      *string     `json:"domain,omitzero" privacy:"id"`
	PatternType PatternType `json:"pattern_type,omitzero" privacy:"enum"`
	Confidence  *float64    `json:"confidence,omitzero"`
	// SourceOutcomeID, SourceTaskID and SourceDiscoveryID name further evidence: where
	// the same was found again.
	SourceOutcomeID   ID     `json:"source_outcome_id,omitzero" privacy:"id"`
	SourceTaskID      ID     `json:"source_task_id,omitzero" privacy:"id"`
	SourceDiscoveryID ID     `json:"source_discovery_id,omitzero" privacy:"id"`
	Reason            string `json:"reason,omitzero" privacy:"text"`
	UserID            ID     `json:"user_id,omitzero" privacy:"person"`
	Moment
}

// Identity is the envelope's source and id: revisions add up.
func (*Revision) Identity() []string { return nil }

// Parts addresses the revision to the learnings.
func (r *Revision) Parts() []Part { return whole(Learnings, LearningRevised.Kind, r) }

// Person is the editor.
func (r *Revision) Person() string { return string(r.UserID) }

// Archival takes a learning out of use.
type Archival struct {
	ID     ID     `json:"id" privacy:"id"`
	Reason string `json:"reason,omitzero" privacy:"text"`
	UserID ID     `json:"user_id,omitzero" privacy:"person"`
	Moment
}

// Identity is the envelope's source and id.
func (*Archival) Identity() []string { return nil }

// Parts addresses the archival to the learnings.
func (a *Archival) Parts() []Part { return whole(Learnings, LearningArchived.Kind, a) }

// Person is who archived.
func (a *Archival) Person() string { return string(a.UserID) }

// Succession puts one learning in the place of another: ID is the old one beside
// SupersededBy, or the new one beside Supersedes.
type Succession struct {
	ID           ID     `json:"id" privacy:"id"`
	SupersededBy ID     `json:"superseded_by,omitzero" privacy:"id"`
	Supersedes   ID     `json:"supersedes,omitzero" privacy:"id"`
	Reason       string `json:"reason,omitzero" privacy:"text"`
	UserID       ID     `json:"user_id,omitzero" privacy:"person"`
	Moment
}

// Identity is the envelope's source and id.
func (*Succession) Identity() []string { return nil }

// Parts addresses the succession to the learnings.
func (s *Succession) Parts() []Part { return whole(Learnings, LearningSuperseded.Kind, s) }

// Person is who decided.
func (s *Succession) Person() string { return string(s.UserID) }
