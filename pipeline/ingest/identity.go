package ingest

import (
	"slices"
	"strconv"

	"learnloop.dev/events"

	"github.com/go-json-experiment/json/jsontext"
)

// identity is what the loop will know an event by: keyed hashes of the raw ids,
// which stay the same however the event is masked and keys are rotated.
type identity struct {
	records    []string // per part
	partitions [][]int  // per part
	person     string
	content    string
}

// identify hashes the identity of a raw, not yet protected payload.
func (g *Gate) identify(env events.Envelope, payload events.Payload) identity {
	ids := identity{content: g.Keys.Blind("content", compact(env.Data), env.Time.UTC().String())}
	if who := payload.Person(); who != "" {
		ids.person = g.Keys.Blind("person", who)
	}
	name := payload.Identity()
	if len(name) == 0 {
		name = identityOf(env)
	}
	for n, part := range payload.Parts() {
		parts := append([]string{string(part.Kind), string(part.Group), part.Key, strconv.Itoa(n)}, name...)
		ids.records = append(ids.records, g.Keys.Blind("record", parts...))
		ids.partitions = append(ids.partitions, g.partitions(part))
	}
	return ids
}

// identityOf is the identity of an event whose data names none: a feedback's id
// defaults to the event's, every other kind is known by source and id.
func identityOf(env events.Envelope) []string {
	if env.Kind == events.FeedbackFix.Kind {
		return []string{env.ID}
	}
	return []string{env.Source, env.ID}
}

// partitions lists where a part goes: one partition, or all for control facts.
func (g *Gate) partitions(part events.Part) []int {
	if part.Group != events.Everywhere {
		return []int{events.Partition(g.Keys.Blind("group", string(part.Group), part.Key), g.Partitions)}
	}
	all := make([]int, g.Partitions)
	for p := range all {
		all[p] = p
	}
	return all
}

// compact returns the data without insignificant white space.
func compact(data []byte) string {
	v := jsontext.Value(slices.Clone(data))
	if v.Compact() != nil {
		return string(data)
	}
	return string(v)
}
