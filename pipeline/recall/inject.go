package recall

import (
	"learnloop.dev/events"
	"learnloop.dev/learn/learnings"
	"learnloop.dev/search"
	"learnloop.dev/stats"
)

// Task is what somebody is about to do.
type Task struct {
	ID            string
	Title         string
	Description   string
	Outcome       string // nothing is selected that was learned in it
	MinConfidence float64
}

// query is what a task is searched by.
func (t Task) query() string { return t.Title + " " + t.Description }

// Terms are how learnings are selected, and how long their block may be.
type Terms struct {
	Trial  learnings.Trial
	Tokens int // at most, in the whole block, as Tokens counts them
}

// Injection is what a task is given. Of the same task, terms and learnings it is the same.
type Injection struct {
	Arm        events.Arm
	Propensity float64 // of the arm
	Selected   []Selected
	Markdown   string // ready for a prompt; empty when nothing is given
}

// Selected is a learning that was selected for a task, and whether it is given.
type Selected struct {
	learnings.Chosen
	Learning learnings.Learning
	Revision uint64 // of its entry
}

// considered is how many of the best matches can be selected.
const considered = 50

// Inject selects learnings for a task.
func (s *Shelf) Inject(task Task, terms Terms) (in Injection, err error) {
	in.Arm, in.Propensity = terms.Trial.Arm(task.ID)
	if in.Arm == events.ArmHoldout {
		return in, nil
	}
	found, _, err := s.find(Query{Query: search.Query{
		Text: task.query(), Limit: considered, Status: string(learnings.Active),
		ExcludeOutcome: task.Outcome, MinConfidence: max(task.MinConfidence, terms.Trial.LeastConfidence()),
	}})
	if err != nil {
		return in, err
	}
	selected := s.fitting(task.ID, found.All, terms)
	if in.Arm == events.ArmPlacebo {
		in.Markdown = placebo(len(selected))
		return in, nil
	}
	in.Selected = selected
	in.Markdown = block(in.Given())
	return in, nil
}

// Given are the learnings that a task really gets.
func (in Injection) Given() []learnings.Learning {
	var given []learnings.Learning
	for _, sel := range in.Selected {
		if !sel.LeftOut {
			given = append(given, sel.Learning)
		}
	}
	return given
}

// fitting selects as many as make a block within the terms. Those that are left out
// count as if they were given: else chance would decide about the others, too.
func (s *Shelf) fitting(task string, found []Find, terms Terms) []Selected {
	candidates, byID := make([]learnings.Candidate, len(found)), make(map[string]Find, len(found))
	for i, f := range found {
		candidates[i], byID[f.Learning.ID] = candidate(f), f
	}
	for trial := terms.Trial; trial.Most > 0; trial.Most-- {
		var selected []Selected
		var all []learnings.Learning
		for _, c := range trial.Select(task, candidates) {
			f := byID[c.ID]
			selected, all = append(selected, Selected{c, f.Learning, f.revision}), append(all, f.Learning)
		}
		if Tokens(block(all)) <= terms.Tokens {
			return selected
		}
	}
	return nil
}

// candidate is what selection knows of a find.
func candidate(f Find) learnings.Candidate {
	l := f.Learning
	return learnings.Candidate{
		ID: l.ID, Relevance: f.text, Confidence: l.Confidence,
		Belief: learnings.Belief(l.InitialConfidence, stats.Share{X: l.TimesHelpful, N: l.TimesHelpful + l.TimesNotHelpful}, learnings.Effect{}),
	}
}
