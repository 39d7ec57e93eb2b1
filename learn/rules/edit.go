package rules

import (
	"learnloop.dev/events"
	"learnloop.dev/learn"
)

// The rows of how people changed suggestions.
const (
	editRows = "edit/" // edit, by its digest
	editSet  = "edits" // learn.Top of edits
)

// edit is a suggestion, what people made of it, and how often.
type edit struct {
	N           int64  `json:"n"`
	Suggestion  string `json:"suggestion"`
	Edit        string `json:"edit"`
	Improvement string `json:"improvement"`
}

func (d decision) countEdit() {
	is, id, ok := editOf(&d.Data)
	if !ok {
		return
	}
	e := learn.At[edit](d.rows, d.rule, editRows+id)
	was := e.N
	*e = is
	if e.N = was + d.by; e.N == 0 {
		*e = edit{}
	}
	learn.TopOf(d.rows, d.rule, editSet).Move(is.label(id), was, was+d.by)
}

// editOf is the useful edit that a feedback shows and its digest, if any.
func editOf(f *events.FixFeedback) (edit, string, bool) {
	if f.Decision != events.Modified || f.Derived == nil || f.Derived.Improvement == "" {
		return edit{}, "", false
	}
	e := edit{
		Suggestion:  shortened(learn.Visible(f.SuggestedText), longestPattern),
		Edit:        shortened(learn.Visible(edited(f)), longestPattern),
		Improvement: f.Derived.Improvement,
	}
	return e, digest(e.Suggestion, e.Edit, e.Improvement), true
}

// longestLabel bounds the part of the suggestion that orders edits, in runes.
const longestLabel = 64

func (e edit) label(id string) string {
	return shortened(e.Suggestion, longestLabel) + labelSep + id
}

// bestEdits lists the k most frequent edits of a rule, and their digests.
func bestEdits(rows learn.Rows, key learn.Key, k int) []knownEdit {
	var best []knownEdit
	for _, ranked := range learn.TopOf(rows, key, editSet).Best(k) {
		id := hashOf(ranked.Label)
		best = append(best, knownEdit{id, learn.Peek[edit](rows, key, editRows+id)})
	}
	return best
}

// knownEdit is an edit as an insight lists it.
type knownEdit struct {
	ID   string `json:"id"`
	Edit edit   `json:"edit"`
}
