package settings

import (
	"cmp"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/inorder"
	"learnloop.dev/learn"

	"github.com/go-json-experiment/json/jsontext"
)

// AskHistory asks for every change there was: nothing → []Change. Each partition
// has heard of all of them, or will.
const AskHistory = "history"

// Change is one change of a group of settings.
type Change struct {
	Record string         `json:"record"` // the same in every partition
	Group  string         `json:"group"`
	Value  jsontext.Value `json:"value"` // whole; null when it was taken back
	Actor  string         `json:"actor,omitzero"`
	At     time.Time      `json:"at"` // event time
	Seq    uint64         `json:"seq"`
}

func answerHistory(q learn.Question) (any, error) {
	changes := []Change{}
	for rec := range q.Records.Each(learn.Select{Kind: events.ControlSettings.Kind}) {
		if f, ok := rec.(*events.Fact[events.SettingsChanged]); ok {
			changes = append(changes, Change{f.Record, f.Data.Key, f.Data.Value, f.Data.Actor, f.Time.UTC(), f.Seq})
		}
	}
	return changes, nil
}

// MergeHistory joins what partitions know, in the order in which changes count.
func MergeHistory(parts ...[]Change) []Change {
	first := map[string]Change{} // the same change is in the log once per partition
	for _, part := range parts {
		for _, c := range part {
			if known, ok := first[c.Record]; !ok || c.Seq < known.Seq {
				first[c.Record] = c
			}
		}
	}
	all := make([]Change, 0, len(first))
	for _, c := range first {
		all = append(all, c)
	}
	inorder.Sort(all, func(a, b Change) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Seq, b.Seq)) })
	return all
}
