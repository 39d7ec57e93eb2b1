package outcomes

import "learnloop.dev/stats"

// GoalContext is what generators are told about a kind of goal.
type GoalContext struct {
	Kind   string `json:"kind"`
	ID     string `json:"id"`
	Schema string `json:"schema"`
	Prompt string `json:"prompt"`

	SampleCount        int64          `json:"sample_count"` // tasks, those that were cancelled too
	Completed          int64          `json:"completed"`
	Failed             int64          `json:"failed"`
	Cancelled          int64          `json:"cancelled"`
	SuccessRate        *float64       `json:"success_rate"` // without those that were cancelled
	Success            stats.Interval `json:"success"`
	AvgDurationSeconds *float64       `json:"avg_duration_seconds"` // of those that completed
	Plans              []PlanRecord   `json:"plans"`                // by the lower bound of success
	Corrections        []Correction   `json:"corrections"`
	Evidence           GoalEvidence   `json:"evidence"`
}

// PlanRecord is a plan, and how tasks with the goal ended that had it.
type PlanRecord struct {
	Template    string   `json:"template"`
	Steps       []string `json:"steps"`
	Completed   int64    `json:"completed"`
	Failed      int64    `json:"failed"`
	SuccessRate *float64 `json:"success_rate"`
	Lower       float64  `json:"lower"`
	Upper       float64  `json:"upper"`
}

// GoalEvidence is what a context of a goal rests on.
type GoalEvidence struct {
	First string `json:"first"`
	Last  string `json:"last"`
}

func goalContext(id string, k *goalKnown) GoalContext {
	c := GoalContext{
		Kind: KindGoal, ID: id, Schema: schemaGoal,
		SampleCount: k.Span.N, Completed: k.Ends.Completed, Failed: k.Ends.Failed, Cancelled: k.Ends.Cancelled,
		SuccessRate: rate(k.Ends.success()), Success: bounds(k.Ends.success()),
		AvgDurationSeconds: seconds(k.Ends.Micros, k.Ends.Timed),
		Plans:              []PlanRecord{}, Corrections: corrections(k.Said),
		Evidence: GoalEvidence{k.Span.first(), k.Span.last()},
	}
	for _, p := range k.Plans {
		b := bounds(p.Ends.success())
		c.Plans = append(c.Plans, PlanRecord{p.ID, p.Steps, p.Ends.Completed, p.Ends.Failed, rate(p.Ends.success()), b.Lower, b.Upper})
	}
	c.Prompt = c.prompt()
	return c
}

// success is of the tasks that nobody stopped.
func (e ends) success() stats.Share { return stats.Share{X: e.Completed, N: e.Completed + e.Failed} }

// score is what plans are ordered by: what they do at least.
func (e ends) score() float64 { return stats.Wilson(e.Completed, e.Completed+e.Failed, sure).Lower }

// Template is a plan that can be used again, and how tasks that used it ended.
type Template struct {
	Kind   string `json:"kind"`
	ID     string `json:"id"`
	Schema string `json:"schema"`
	Prompt string `json:"prompt"`

	Name        string   `json:"name"`
	Source      string   `json:"source"` // learned, added, builtin or folder
	Keywords    []string `json:"keywords"`
	Goals       []string `json:"goals"` // of tasks that it completed, some of them
	Plan        []Step   `json:"plan"`  // empty where the plan is not kept here
	Completed   int64    `json:"completed"`
	Failed      int64    `json:"failed"`
	SuccessRate *float64 `json:"success_rate"`
	Lower       float64  `json:"lower"`
	Upper       float64  `json:"upper"`
	Problem     string   `json:"problem,omitzero"` // why it is never offered
}

// Where templates come from.
const (
	Learned = "learned" // a plan that completed a task
	Added   = "added"   // by an event
	BuiltIn = "builtin"
	Folder  = "folder" // of a user
)

func templateContext(id string, k *templateKnown) Template {
	t := Template{
		Kind: KindTemplate, ID: id, Schema: schemaTemplate, Name: id, Source: Learned,
		Keywords: k.Keywords, Goals: k.Goals, Plan: k.Steps, Completed: k.Ends.Completed, Failed: k.Ends.Failed, Problem: k.Problem,
	}
	if k.Name != "" {
		t.Source = Added
	}
	return t.Rated()
}

// Replaced is the template once somebody adds another of its name: how tasks that used
// it ended stays.
func (t Template) Replaced(name string, keywords []string, plan []Step) Template {
	return templateContext(name, &templateKnown{
		Name: name, Keywords: keywords, Steps: plan, Ends: ends{Completed: t.Completed, Failed: t.Failed},
	})
}

// Rated fills in what follows from the rest.
func (t Template) Rated() Template {
	s := stats.Share{X: t.Completed, N: t.Completed + t.Failed}
	b := bounds(s)
	t.SuccessRate, t.Lower, t.Upper = rate(s), b.Lower, b.Upper
	if t.Keywords == nil {
		t.Keywords = []string{}
	}
	if t.Goals == nil {
		t.Goals = []string{}
	}
	if t.Plan == nil {
		t.Plan = []Step{}
	}
	t.Prompt = t.prompt()
	return t
}
