package recall

import (
	"slices"

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

// Injection is what a task is given, and why, where it is nothing. Of the same task,
// terms and learnings it is the same.
type Injection struct {
	Arm        events.Arm
	Propensity float64 // of the arm
	Selected   []Selected
	Markdown   string // ready for a prompt; empty when nothing is given
	Note       search.Note
}

// Why a task is given nothing, beside what searches note.
const (
	HeldOut   search.Note = "the task is one of those that get nothing, so that it can be seen what learnings do"
	Elsewhere search.Note = "of what fits, nothing is in use, of enough confidence, and from another outcome"
	Doubted   search.Note = "what fits is not believed to help"
	TooLong   search.Note = "a block of the best alone would be longer than max_tokens"
	ByChance  search.Note = "all that was selected is left out by chance, so that it can be seen what it does"
)

// Selected is a learning that was selected for a task, and whether it is given.
type Selected struct {
	learnings.Chosen
	Learning learnings.Learning
	Revision uint64 // of its entry
}

// considered is how many of the best matches can be selected.
const considered = 50

// Inject selects learnings for a task.
func (s *Shelf) Inject(task Task, terms Terms) (in Injection) {
	in.Arm, in.Propensity = terms.Trial.Arm(task.ID)
	if in.Arm == events.ArmHoldout {
		in.Note = HeldOut
		return in
	}
	now := s.now.Load()
	q := search.Query{
		Text: task.query(), Limit: considered, Status: string(learnings.Active),
		ExcludeOutcome: task.Outcome, MinConfidence: max(task.MinConfidence, terms.Trial.LeastConfidence()),
	}
	found := s.taken(now.found.Search(q), q)
	selected, note := terms.fitting(task.ID, candidates(found.All, now.pool), found.All)
	if len(found.All) == 0 {
		note = missing(found.Note)
	}
	if in.Arm == events.ArmPlacebo {
		in.Markdown, in.Note = placebo(len(selected)), note
		return in
	}
	in.Selected = selected
	given := in.Given()
	if in.Markdown = block(given); len(selected) > 0 && len(given) == 0 {
		note = ByChance
	}
	in.Note = note
	return in
}

// missing is why a search for a task found nothing: its filters are not the caller's.
func missing(note search.Note) search.Note {
	if note == search.Filtered || note == "" {
		return Elsewhere
	}
	return note
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

// candidates are what selection knows of finds.
func candidates(found []Find, pool learnings.Pool) []learnings.Candidate {
	all := make([]learnings.Candidate, len(found))
	for i, f := range found {
		belief, effect := f.Learning.Standing(pool)
		all[i] = learnings.Candidate{
			ID: f.Learning.ID, Relevance: f.text, Belief: belief, Confidence: f.Learning.Confidence, Effect: effect.Company,
		}
	}
	return all
}

// fitting selects as many as make a block within the terms, or says why none does.
// Those that are left out count as if they were given: else chance would decide about
// the others, too.
func (t Terms) fitting(task string, candidates []learnings.Candidate, found []Find) ([]Selected, search.Note) {
	for trial := t.Trial; trial.Most > 0; trial.Most-- {
		var selected []Selected
		var all []learnings.Learning
		for _, c := range trial.Select(task, candidates) {
			f := found[slices.IndexFunc(found, func(f Find) bool { return f.Learning.ID == c.ID })]
			selected, all = append(selected, Selected{c, f.Learning, f.revision}), append(all, f.Learning)
		}
		switch {
		case len(selected) == 0:
			return nil, Doubted
		case Tokens(block(all)) <= t.Tokens:
			return selected, ""
		}
	}
	return nil, TooLong
}

// Effect is what is believed of a learning's effect on the success of tasks.
func (s *Shelf) Effect(l *learnings.Learning) (stats.Beta, learnings.Effect) {
	return l.Standing(s.now.Load().pool)
}
