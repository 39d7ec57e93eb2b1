package ingest

import (
	"fmt"
	"strconv"

	"learnloop.dev/events"
	"learnloop.dev/learn"

	"github.com/go-json-experiment/json"
)

// Address makes a fact of a derived one: it finds its partition and gives it an
// identity that follows from its cause, so that deriving it again is harmless.
func (h House) Address(d learn.Derived) (partition int, rec events.Recorded, err error) {
	spec, ok := events.Lookup(d.Part.Kind)
	if !ok {
		return 0, nil, fmt.Errorf("derive %s: not in the vocabulary", d.Part.Kind)
	}
	data, err := json.Marshal(d.Part.Data, json.Deterministic(true))
	if err != nil {
		return 0, nil, fmt.Errorf("derive %s: %w", d.Part.Kind, err)
	}
	name := d.Part.Data.Identity()
	if len(name) == 0 {
		name = []string{d.Cause.Record}
	}
	key := groupKey(d.Part, d.Part.Data)
	parts := append([]string{string(d.Part.Kind), key, "derived"}, name...)
	head := events.Head{
		SpecVersion: "1.0", ID: d.Cause.ID + "/" + string(d.Part.Kind), Source: Source, Type: d.Part.Kind.Type(),
		Time: d.Cause.Time, Recorded: d.Cause.Recorded, Stamp: d.Cause.Stamp,
		Record: h.Keys.Blind("record", parts...), Content: h.Keys.Blind("content", string(data), strconv.FormatBool(d.Withdrawn)),
		Group: d.Part.Group, Key: d.Part.Key, Person: d.Cause.Person, Cause: d.Cause.Record, Withdrawn: d.Withdrawn,
		Trace: d.Cause.Trace,
	}
	partition = events.Partition(h.Keys.Blind("group", key), h.Partitions)
	return partition, spec.Fact(head, d.Part.Data), nil
}
