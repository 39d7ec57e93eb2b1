package forget

import (
	"bytes"
	"slices"
	"strings"

	"learnloop.dev/events"
	"learnloop.dev/kv"
	"learnloop.dev/learn"
	"learnloop.dev/learn/settings"
	"learnloop.dev/store"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// needles are what a person is looked for by.
type needles struct {
	job     Job
	texts   [][]byte
	keys    []string // of the person's contexts
	digests [][]byte // what stands for the blind indexes in the state
}

// shortest is the shortest name that is looked for by itself, in bytes: a shorter
// one is part of too many others, and is looked for where it can only mean a person.
const shortest = 6

func needlesOf(job Job) needles {
	n := needles{job: job, digests: store.Digests(job.Subjects...)}
	for _, name := range job.Names {
		n.keys = append(n.keys, kv.Key("user", name))
		if len(name) >= shortest {
			n.texts = append(n.texts, []byte(name), []byte(events.Token(name)))
		} else {
			n.texts = append(n.texts, meant(name)...)
		}
	}
	return n
}

// meant is a name in the places where it means a person: members of facts, kind and id
// of an insight, the key of a context, and in the state groups and rows named after
// people.
func meant(name string) (texts [][]byte) {
	quoted, err := json.Marshal(name)
	if err != nil || name == "" {
		return nil
	}
	for _, before := range []string{`"user_id":`, `"anonymized_user_id":`, `"unit_id":`, `"kind":"user","id":`} {
		texts = append(texts, append([]byte(before), quoted...))
	}
	texts = append(texts, []byte(kv.Key("user", name)+`"`))
	return append(texts, store.Written("user", name), store.Written(learn.People+events.Token(name)))
}

// in reports whether the person stands in some data.
func (n needles) in(data []byte) bool {
	for _, text := range n.texts {
		if bytes.Contains(data, text) {
			return true
		}
	}
	return slices.ContainsFunc(n.job.Subjects, func(subject string) bool { return strays(data, subject) })
}

// choice comes before the blind index of a person in an insight about what the person
// chose. Elsewhere it is settings.Person and one byte: a dot, or what parts names in
// the state. Like the tombstone a choice is an order about the person, and has to
// outlive the records.
const choice = `"kind":"` + settings.Person + `","id":"`

// strays reports whether a blind index stands anywhere but in a choice.
func strays(data []byte, subject string) bool {
	for at := 0; ; at += len(subject) {
		next := bytes.Index(data[at:], []byte(subject))
		if next < 0 {
			return false
		}
		at += next
		before := data[:at]
		if !bytes.HasSuffix(before, []byte(choice)) && !bytes.HasSuffix(before[:max(at-1, 0)], []byte(settings.Person)) {
			return true
		}
	}
}

// inSubject reports whether the person stands in a subject.
func (n needles) inSubject(subject string) bool {
	return n.in([]byte(subject)) || slices.ContainsFunc(n.keys, func(key string) bool {
		return strings.HasSuffix(subject, "."+key)
	})
}

// trace is what it means that a person stands somewhere.
type trace int

const (
	none    trace = iota
	newer         // of what the person did after the cut-off
	mention       // in what is somebody else's
	older
)

// inFact judges a fact as the log has it. A tombstone is no trace.
func (n needles) inFact(data []byte) trace {
	if !n.in(data) {
		return none
	}
	var h events.Head
	if json.Unmarshal(data, &h) != nil || !strings.HasPrefix(h.Type, events.TypePrefix) || !strings.HasSuffix(h.Type, events.TypeSuffix) {
		return mention
	}
	switch {
	case h.Kind() == events.ControlForgotten.Kind:
		return none
	case !slices.Contains(n.job.Subjects, h.Person):
		return mention
	case !h.Older(n.job.Before):
		return newer
	}
	return older
}

// inFacts judges facts that stand one after the other: the worst counts.
func (n needles) inFacts(data []byte) (worst trace) {
	if !n.in(data) {
		return none
	}
	for d := jsontext.NewDecoder(bytes.NewReader(data)); ; {
		fact, err := d.ReadValue()
		if err != nil {
			return worst
		}
		worst = max(worst, n.inFact(fact))
	}
}

// inState reports whether the person stands in a key or value of the state that is
// no block of facts.
func (n needles) inState(text []byte) bool {
	return n.in(text) || slices.ContainsFunc(n.digests, func(d []byte) bool { return bytes.Contains(text, d) })
}

// inMark reports whether what is yet to be told, or was told just now, is about the
// person.
func (n needles) inMark(m store.Mark) bool {
	return n.inState(store.Written(m.Model, m.Key.Kind, m.Key.ID))
}
