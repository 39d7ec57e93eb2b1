package ingest

import (
	"bytes"
	"slices"
	"strconv"

	"learnloop.dev/events"
	"learnloop.dev/privacy"
)

// identity is what the loop will know an event by: keyed hashes of the raw ids,
// which stay the same however the event is masked and keys are rotated.
type identity struct {
	records    []string // per part; "" while nobody knows whose it is
	partitions [][]int  // per part
	person     string
	content    string

	// Of a part that is somebody's, apart, because feedback may have to wait for
	// the one: whose it is, and what names it among theirs.
	group, name string
}

// identify hashes the identity of a raw, not yet protected payload.
func (g *Gate) identify(env events.Envelope, payload events.Payload) identity {
	ids := identity{content: g.Keys.BlindData("content", compact(env.Data), env.Time.UTC().String())}
	ids.person = g.index(payload)
	name := payload.Identity()
	if len(name) == 0 {
		name = identityOf(env)
	}
	for n, part := range payload.Parts() {
		key := groupKey(part, payload)
		if part.Group == events.ByPerson {
			ids.group, ids.name = g.Keys.Blind("group", key), g.Keys.Blind("name", name...)
			ids.theirs(g.House, part, n)
			continue
		}
		parts := append(append(make([]string, 0, 8), string(part.Kind), key, strconv.Itoa(n)), name...)
		ids.records = append(ids.records, g.Keys.Blind("record", parts...))
		ids.partitions = append(ids.partitions, g.partitions(part.Group, key))
	}
	return ids
}

// index is the blind index of whom a payload is about, "" for nobody.
func (g *Gate) index(payload events.Payload) string {
	if who := payload.Person(); who != "" {
		return PersonIndex(g.Keys, who)
	}
	if m, ok := payload.(interface{ Unit() string }); ok && m.Unit() != "" {
		return UnitIndex(g.Keys, m.Unit())
	}
	return ""
}

// PersonIndex is the blind index of a person by the raw user id.
func PersonIndex(k *privacy.Keys, user string) string { return k.Blind("person", user) }

// UnitIndex is the blind index of a unit of experiments by its raw id.
func UnitIndex(k *privacy.Keys, unit string) string { return k.Blind("unit", unit) }

// Known is all that a person may be known by in what is stored.
type Known struct {
	Subjects []string // blind indexes
	Names    []string // pseudonyms and shielded ids
}

// KnownBy lists what becomes of a raw user id.
func KnownBy(k *privacy.Keys, user string) Known {
	return Known{
		Subjects: []string{PersonIndex(k, user), UnitIndex(k, user)},
		Names: []string{
			k.Pseudonym(privacy.Users, user), k.Pseudonym(privacy.Units, user), k.Pseudonym(privacy.Sessions, user),
			k.Shield(user), k.Blind("group", joined(events.ByPerson, "user", user)),
		},
	}
}

// theirs adds a part that is somebody's, whether or not it is known whose.
func (ids *identity) theirs(h House, part events.Part, n int) {
	if part.Exchange != "" {
		ids.records, ids.partitions = append(ids.records, ""), append(ids.partitions, nil)
		return
	}
	ids.records = append(ids.records, h.theirRecord(part.Kind, ids.group, n, ids.name))
	ids.partitions = append(ids.partitions, []int{events.Partition(ids.group, h.Partitions)})
}

// theirRecord is the identity of what is somebody's, whether it was known at
// once whose it is or later.
func (h House) theirRecord(kind events.Kind, group string, part int, name string) string {
	return h.Keys.Blind("record", string(kind), group, strconv.Itoa(part), name)
}

// groupKey is a part's key within its group and, among people, its namespace:
// the user 7 and the session 7 are not the same.
func groupKey(part events.Part, payload events.Payload) string {
	namespace := ""
	if part.Group == events.ByPerson {
		switch {
		case payload.Person() != "":
			namespace = "user"
		case part.Key != "":
			namespace = "session"
		}
	}
	return joined(part.Group, namespace, part.Key)
}

func joined(group events.Group, namespace, key string) string {
	return string(group) + "/" + namespace + "/" + key
}

// identityOf is the identity of an event whose data names none: a feedback's id
// defaults to the event's, every other kind is known by source and id.
func identityOf(env events.Envelope) []string {
	if env.Kind == events.FeedbackFix.Kind {
		return []string{env.ID}
	}
	return []string{env.Source, env.ID}
}

// partitions lists where a key goes: one partition, or all for control facts.
func (g *Gate) partitions(group events.Group, key string) []int {
	if group != events.Everywhere {
		return []int{g.partition(group, key)}
	}
	all := make([]int, g.Partitions)
	for p := range all {
		all[p] = p
	}
	return all
}

// A gate remembers the partitions of this many keys of at most this length, and
// of no person's.
const (
	lately    = 4096
	shortKeys = 128 // bytes
)

// partition is where a group's key goes.
func (g *Gate) partition(group events.Group, key string) int {
	if p, ok := g.where[key]; ok {
		return p
	}
	p := events.Partition(g.Keys.Blind("group", key), g.Partitions)
	if group != events.ByPerson && len(key) <= shortKeys {
		if len(g.where) == lately {
			clear(g.where)
		}
		g.where[key] = p
	}
	return p
}

// compact returns valid JSON without its insignificant white space; data itself
// when there is none.
func compact(data []byte) []byte {
	var out []byte
	copied := 0
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '"':
			i = stringEnd(data, i)
		case ' ', '\t', '\r', '\n':
			out = append(slices.Grow(out, len(data)-len(out)), data[copied:i]...)
			copied = i + 1
		}
	}
	if copied == 0 {
		return data
	}
	return append(out, data[copied:]...)
}

// stringEnd returns where the string that starts at i closes.
func stringEnd(data []byte, i int) int {
	for {
		n := bytes.IndexByte(data[i+1:], '"')
		if n < 0 {
			return len(data)
		}
		text := data[i+1 : i+1+n]
		i += 1 + n
		if escapes := len(text) - len(bytes.TrimRight(text, `\`)); escapes%2 == 0 {
			return i
		}
	}
}
