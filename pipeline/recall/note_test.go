package recall

import (
	"testing"

	"learnloop.dev/learn/learnings"
	"learnloop.dev/search"
)

func TestWhoIsGivenNothingIsToldWhy(t *testing.T) {
	weak, old := lesson("learn_weak", "Sign the body"), lesson("learn_old", "Sign the body")
	weak.Evidence.Votes.NotHelpful = 40
	old.Status = learnings.Archived
	fits := lesson("learn_a", "Sign the body")
	holdout := terms(func(t *Terms) { t.Trial.Holdout = 0.5 })
	away := terms(func(t *Terms) { t.Trial.LeftOut = 0.999 })
	short := terms(func(t *Terms) { t.Tokens = 10 })
	for name, c := range map[string]struct {
		shelf []learnings.Learning
		task  Task
		terms Terms
		note  search.Note
	}{
		"an empty shelf":     {nil, Task{ID: "t", Title: "sign a body"}, terms(), search.NoDocs},
		"no title":           {[]learnings.Learning{fits}, Task{ID: "t"}, terms(), search.NoWords},
		"nothing relevant":   {[]learnings.Learning{fits}, Task{ID: "t", Title: "paint fences"}, terms(), search.Unknown},
		"out of use":         {[]learnings.Learning{old}, Task{ID: "t", Title: "sign a body"}, terms(), Elsewhere},
		"too little trusted": {[]learnings.Learning{fits}, Task{ID: "t", Title: "sign a body", MinConfidence: 0.9}, terms(), Elsewhere},
		"not believed in":    {[]learnings.Learning{weak}, Task{ID: "t", Title: "sign a body"}, terms(), Doubted},
		"a short budget":     {[]learnings.Learning{fits}, Task{ID: "t", Title: "sign a body"}, short, TooLong},
		"left out":           {[]learnings.Learning{fits}, Task{ID: "t", Title: "sign a body"}, away, ByChance},
		"a holdout":          {[]learnings.Learning{fits}, Task{ID: taskIn(t, holdout.Trial, "holdout"), Title: "sign a body"}, holdout, HeldOut},
		"what fits":          {[]learnings.Learning{fits}, Task{ID: "t", Title: "sign a body"}, terms(), ""},
	} {
		in := shelved(t, c.shelf...).Inject(c.task, c.terms)
		if in.Note != c.note || (in.Markdown == "") != (c.note != "") {
			t.Errorf("%s: %q is said of %q", name, in.Note, in.Markdown)
		}
	}
}
