package learnings

import (
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/stats"
)

// schemaLearning names the shape of a Learning.
const schemaLearning = "dev.learnloop.learning.v1"

// Learning is an entry as it is published, under its id: what was learned, where
// from, and how it fared. Confidences are 0..1, rounded to six digits.
type Learning struct {
	ID     string `json:"id"`
	Kind   string `json:"kind"`
	Schema string `json:"schema"`

	Title       string   `json:"title"`
	Context     string   `json:"context"`
	Observation string   `json:"observation"`
	Implication string   `json:"implication"`
	Action      string   `json:"action"`
	Tags        []string `json:"tags"`
	Domain      string   `json:"domain,omitzero"`
	PatternType string   `json:"pattern_type,omitzero"`

	SourceOutcomeID   string `json:"source_outcome_id,omitzero"`
	SourceTaskID      string `json:"source_task_id,omitzero"`
	SourceDiscoveryID string `json:"source_discovery_id,omitzero"`
	ExtractedBy       string `json:"extracted_by,omitzero"` // a model, or rules; nothing of what somebody wrote

	Status       Status `json:"status"`
	StatusReason string `json:"status_reason,omitzero"`
	SupersededBy string `json:"superseded_by,omitzero"`
	Supersedes   string `json:"supersedes,omitzero"`

	// Confidence is the documented walk; Posterior is what ranking and gating use.
	Confidence        float64   `json:"confidence"`
	InitialConfidence float64   `json:"initial_confidence"`
	Posterior         Posterior `json:"posterior"`

	TimesInjected   int64 `json:"times_injected"` // tasks
	TimesHelpful    int64 `json:"times_helpful"`
	TimesNotHelpful int64 `json:"times_not_helpful"`

	CreatedAt      time.Time `json:"created_at"` // event time; of a proposal: when it was approved
	UpdatedAt      time.Time `json:"updated_at"` // the entry or its confidence
	LastInjectedAt time.Time `json:"last_injected_at,omitzero"`
	LastHelpfulAt  time.Time `json:"last_helpful_at,omitzero"`

	Evidence Evidence `json:"evidence"`
}

// Posterior is how likely a learning is to help, from its votes with the initial
// confidence as prior.
type Posterior struct {
	Mean  float64 `json:"mean"`
	Lower float64 `json:"lower"` // 95 % bounds
	Upper float64 `json:"upper"`
}

// Evidence is what else stands behind a Learning.
type Evidence struct {
	Revisions     int64 `json:"revisions"`
	VotesWaiting  int64 `json:"votes_waiting"`  // by tasks into which no injection is known
	UnusedPeriods int64 `json:"unused_periods"` // of 30 days, since the last use

	// Prior and Votes are what the posterior was made of: the initial confidence or
	// what somebody set it to, and the votes from then on.
	Prior float64 `json:"prior"`
	Votes Votes   `json:"votes"`
	// Tasks are those that it was selected for by chance and that ended.
	Tasks Credit `json:"tasks,omitzero"`
	// Sources are where the same was found again, the latest first, twenty at most.
	Sources []Source `json:"sources,omitzero"`
}

// Source is where something was found.
type Source struct {
	OutcomeID   string    `json:"outcome_id,omitzero"`
	TaskID      string    `json:"task_id,omitzero"`
	DiscoveryID string    `json:"discovery_id,omitzero"`
	At          time.Time `json:"at"`
}

// Votes are how many people and agents said that a learning helped, or did not.
type Votes struct {
	Helpful    int64 `json:"helpful"`
	NotHelpful int64 `json:"not_helpful"`
}

// Standing is what is believed of a learning, and of its effect on the success of
// tasks. Both depend on how tasks do without learnings.
func (l *Learning) Standing(without Pool) (stats.Beta, Effect) {
	e := without.Effect(l.Evidence.Tasks)
	votes := l.Evidence.Votes
	return Belief(l.Evidence.Prior, stats.Share{X: votes.Helpful, N: votes.Helpful + votes.NotHelpful}, e), e
}

// schemaPool names the shape of a Pooled.
const schemaPool = "dev.learnloop.learnings.pool.v1"

// Pooled is a Pool as it is published, under the key pool.all.
type Pooled struct {
	Kind   string `json:"kind"`
	Schema string `json:"schema"`
	Pool   Pool   `json:"pool"`
}

const (
	sure   = 0.95 // confidence of the bounds
	digits = 6
)

// posteriorOf updates a prior of that mean by votes. A prior without doubt is shown
// as it is; nothing could ever move its bounds, which are those of a Belief.
func posteriorOf(prior float64, helpful, bad int64) Posterior {
	n := helpful + bad
	mean := (float64(priorVotes*prior) + float64(helpful)) / (priorVotes + float64(n))
	bounds := Belief(prior, stats.Share{X: helpful, N: n}, Effect{}).Interval(sure)
	return Posterior{
		Mean:  stats.Round(mean, digits),
		Lower: stats.Round(bounds.Lower, digits),
		Upper: stats.Round(bounds.Upper, digits),
	}
}

// render publishes entries that somebody created or approved, and the pool.
func render(key learn.Key, parts []insight) (any, bool) {
	if len(parts) > 0 && key == PoolKey() {
		return Pooled{KindPool, schemaPool, parts[0].Pool}, true
	}
	if len(parts) == 0 || key.Kind != KindLearning {
		return nil, false
	}
	l := parts[0].learning(key.ID)
	return l, l.Status != Proposed && l.Status != Rejected
}

func (k insight) learning(id string) Learning {
	f := k.Fields
	l := Learning{
		ID: id, Kind: KindLearning, Schema: schemaLearning,
		Title: f.Title, Context: f.Context, Observation: f.Observation, Implication: f.Implication, Action: f.Action,
		Tags: tagsOf(f.Tags), Domain: f.Domain, PatternType: string(f.PatternType),
		SourceOutcomeID: string(f.SourceOutcomeID), SourceTaskID: string(f.SourceTaskID),
		SourceDiscoveryID: string(f.SourceDiscoveryID), ExtractedBy: f.ExtractedBy,
		Status: k.Status, StatusReason: k.Reason, SupersededBy: k.SupersededBy, Supersedes: k.Supersedes,
		Confidence:        k.confidence().share(),
		InitialConfidence: k.Initial.share(),
		Posterior:         posteriorOf(k.Path.start(k.Initial).share(), k.Path.Helpful, k.Path.Bad),
		TimesInjected:     k.Usage.Injected, TimesHelpful: k.Usage.Helpful, TimesNotHelpful: k.Usage.Bad,
		CreatedAt: k.Created.time(), UpdatedAt: k.Updated.time(),
		Evidence: Evidence{
			Revisions: k.Revisions, VotesWaiting: k.Usage.Waiting, UnusedPeriods: k.Idle,
			Prior: k.Path.start(k.Initial).share(), Votes: Votes{k.Path.Helpful, k.Path.Bad}, Tasks: k.Credit,
			Sources: k.Sources,
		},
	}
	if k.LastUsed.Is {
		l.LastInjectedAt = k.LastUsed.At.time()
	}
	if k.LastHelped.Is {
		l.LastHelpfulAt = k.LastHelped.At.time()
	}
	return l
}

func tagsOf(tags events.Tags) []string {
	if tags == nil {
		return []string{}
	}
	return tags
}
