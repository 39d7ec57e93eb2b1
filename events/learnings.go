package events

// DiscoveryType sorts what an agent discovered.
type DiscoveryType string

// The discovery types of source document 001.
const (
	FoundBlocker    DiscoveryType = "blocker"
	FoundConstraint DiscoveryType = "constraint"
	FoundPattern    DiscoveryType = "pattern"
	FoundDecision   DiscoveryType = "decision"
	FoundDependency DiscoveryType = "dependency"
)

// Discovery is something an agent found out while working (001, extraction).
type Discovery struct {
	DiscoveryID     ID            `json:"discovery_id,omitzero" privacy:"id"`
	Type            DiscoveryType `json:"type" privacy:"enum"`
	Content         string        `json:"content" privacy:"text"`
	SourceTaskID    ID            `json:"source_task_id" privacy:"id"`
	TaskTitle       string        `json:"task_title,omitzero" privacy:"text"`
	SourceOutcomeID ID            `json:"source_outcome_id" privacy:"id"`
	OutcomeName     string        `json:"outcome_name,omitzero" privacy:"text"`
	Moment
}

// Identity is the discovery id.
func (d *Discovery) Identity() []string { return named(d.DiscoveryID) }

// Parts addresses the discovery to the learnings.
func (d *Discovery) Parts() []Part { return whole(Learnings, DiscoveryObserved.Kind, d) }

// Person is nobody.
func (*Discovery) Person() string { return "" }

// AgentOutput is what an agent wrote at the end of a task. Votes and references
// are parsed out of it at ingest, and the text is dropped.
type AgentOutput struct {
	TaskID ID     `json:"task_id" privacy:"id"`
	Output string `json:"output" privacy:"text"`
	UserID ID     `json:"user_id,omitzero" privacy:"person"`
	Moment
	// Derived is what ingest read in the text; producers cannot send it.
	Derived *OutputDerived `json:"derived,omitzero"`
}

// OutputDerived is what stays known of an agent's output.
type OutputDerived struct {
	// Votes are the votes that stand outside any injected block, in order.
	Votes []OutputVote `json:"votes,omitzero"`
	// References are the learnings that the text names otherwise.
	References []ID `json:"references,omitzero" privacy:"id"`
}

// OutputVote is one vote line of an agent's output.
type OutputVote struct {
	LearningID ID   `json:"learning_id" privacy:"id"`
	Helpful    bool `json:"helpful"`
}

// Identity is the envelope's source and id.
func (*AgentOutput) Identity() []string { return nil }

// Parts addresses the output to the learnings.
func (o *AgentOutput) Parts() []Part { return whole(Learnings, TaskOutput.Kind, o) }

// Person is the user the agent worked for.
func (o *AgentOutput) Person() string { return string(o.UserID) }

// Vote says whether a learning helped in a task (001, feedback loop).
type Vote struct {
	LearningID ID     `json:"learning_id" privacy:"id"`
	TaskID     ID     `json:"task_id" privacy:"id"`
	Helpful    bool   `json:"helpful"`
	Comment    string `json:"comment,omitzero" privacy:"text"`
	UserID     ID     `json:"user_id,omitzero" privacy:"person"`
	Moment
}

// Identity is the learning and the task: one vote for each pair.
func (v *Vote) Identity() []string { return []string{string(v.LearningID), string(v.TaskID)} }

// Parts addresses the vote to the learnings.
func (v *Vote) Parts() []Part { return whole(Learnings, FeedbackLearning.Kind, v) }

// Person is the user who voted.
func (v *Vote) Person() string { return string(v.UserID) }

// Arm is what a task got: its learnings, nothing, or a block of the same shape
// that says nothing.
type Arm string

// The arms; an injection that names none is treatment.
const (
	ArmTreatment Arm = "treatment"
	ArmHoldout   Arm = "holdout"
	ArmPlacebo   Arm = "placebo"
)

// Injection records what was put into a task's prompt (001, injection).
type Injection struct {
	InjectionID ID             `json:"injection_id,omitzero" privacy:"id"`
	TaskID      ID             `json:"task_id" privacy:"id"`
	OutcomeID   ID             `json:"outcome_id" privacy:"id"`
	Items       []InjectedItem `json:"items"` // empty in a holdout
	Arm         Arm            `json:"arm,omitzero" privacy:"enum"`
	// Shares are the probabilities of the arms; a record without them tells nothing
	// about what injection does.
	Shares    *ArmShares `json:"shares,omitzero"`
	Generator string     `json:"generator,omitzero" privacy:"id"`
	UserID    ID         `json:"user_id,omitzero" privacy:"person"`
	Moment
}

// ArmShares are the probabilities of the arms without learnings; treatment has
// the rest.
type ArmShares struct {
	Holdout float64 `json:"holdout,omitzero"` // 0..1
	Placebo float64 `json:"placebo,omitzero"` // 0..1
}

// InjectedItem names a learning or a context, and which revision of it was used.
// The rest is there where chance decided, and says how: without it an item tells
// nothing about what a learning does.
type InjectedItem struct {
	LearningID ID     `json:"learning_id,omitzero" privacy:"id"`
	ContextKey string `json:"context_key,omitzero" privacy:"id"`
	Revision   ID     `json:"revision,omitzero" privacy:"id"`

	LeftOut    bool     `json:"left_out,omitzero"`   // selected, but not injected
	Propensity *float64 `json:"propensity,omitzero"` // 0..1, of being injected once selected
	Chance     *float64 `json:"chance,omitzero"`     // 0..1, of being selected
	Beside     int64    `json:"beside,omitzero"`     // believed effect of the others on success, in hundredths
}

// Identity is the injection id.
func (i *Injection) Identity() []string { return named(i.InjectionID) }

// Parts addresses the injection to the learnings.
func (i *Injection) Parts() []Part { return whole(Learnings, InjectionRecorded.Kind, i) }

// Person is the user the task was done for.
func (i *Injection) Person() string { return string(i.UserID) }

// Treated returns the arm, treatment when none is named.
func (i *Injection) Treated() Arm {
	if i.Arm == "" {
		return ArmTreatment
	}
	return i.Arm
}
