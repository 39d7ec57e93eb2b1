package learnings

import (
	"learnloop.dev/events"
	"learnloop.dev/learn"

	"github.com/go-json-experiment/json"
)

// Rows of what people make an entry say. Of each field the first row is the one that
// counts, so that one edit among thousands costs as much as one alone, however late it
// comes.
const (
	editRows  = "edit/"  // edit, by time (the latest first) and record
	editsRow  = "edits"  // int64: how many there are
	wordsRows = "words/" // wording of a field, by its name, time (the latest first) and record
)

// edit is one revision that changes how an entry reads.
type edit struct {
	At    moment `json:"at"`
	Event string `json:"event,omitzero"`
	Is    bool   `json:"is"`
}

// wording is what an edit has a field say; of tags it is their JSON.
type wording struct {
	Text string `json:"text"`
	Is   bool   `json:"is"`
}

// reword takes an edit in, or out.
func reword(rows learn.Rows, key learn.Key, f fact, r *events.Revision) {
	place := f.at.backward() + "/" + f.record
	row := learn.At[edit](rows, key, editRows+place)
	*row = edit{}
	if f.by > 0 {
		*row = edit{f.at, f.event, true}
	}
	*learn.At[int64](rows, key, editsRow) += f.by
	for field, text := range wordings(r) {
		w := learn.At[wording](rows, key, wordsRows+field+"/"+place)
		*w = wording{}
		if f.by > 0 {
			*w = wording{text, true}
		}
	}
}

// wordings are what a revision has fields say, by their names.
func wordings(r *events.Revision) map[string]string {
	all := map[string]string{}
	for name, text := range map[string]*string{
		"title": r.Title, "context": r.Context, "observation": r.Observation, "implication": r.Implication,
		"action": r.Action, "domain": r.Domain,
	} {
		if text != nil {
			all[name] = *text
		}
	}
	if r.Tags != nil {
		data, _ := json.Marshal(r.Tags) // made of texts
		all["tags"] = string(data)
	}
	if r.PatternType != "" {
		all["pattern_type"] = string(r.PatternType)
	}
	return all
}

// edited are the fields of an entry after all edits, how many there were, and when the
// last of them was.
func edited(rows learn.Rows, key learn.Key, f fields) (now fields, edits int64, last instant) {
	if edits = learn.Peek[int64](rows, key, editsRow); edits == 0 {
		return f, 0, instant{}
	}
	for name, into := range map[string]*string{
		"title": &f.Title, "context": &f.Context, "observation": &f.Observation, "implication": &f.Implication,
		"action": &f.Action, "domain": &f.Domain, "pattern_type": (*string)(&f.PatternType),
	} {
		if _, w, found := first[wording](rows, key, wordsRows+name+"/"); found {
			*into = w.Text
		}
	}
	if _, w, found := first[wording](rows, key, wordsRows+"tags/"); found {
		f.Tags = nil
		_ = json.Unmarshal([]byte(w.Text), &f.Tags) // we wrote it
	}
	_, e, _ := first[edit](rows, key, editRows)
	return f, edits, instant{e.At, e.Is}
}
