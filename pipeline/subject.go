// Package pipeline holds what the three stages share: the subjects they talk on,
// the messages they hand each other, dead letters, retries and observation.
package pipeline

import (
	"strconv"
	"strings"

	"learnloop.dev/events"
	"learnloop.dev/learn"
)

// Subject prefixes of the streams (DESIGN, "The log and its readers").
const (
	In    = events.InboxPrefix // what agents publish
	Log   = "learn.ev."        // learn.ev.<partition>.<kind>
	Known = "learn.know."      // learn.know.<partition>.<model>.<kind>.<id>
	Marks = "learn.at."        // learn.at.<partition>
)

// LogSubject is where a fact of the kind is appended.
func LogSubject(partition int, kind events.Kind) string {
	return Log + strconv.Itoa(partition) + "." + string(kind)
}

// ParseLog reads partition and kind from a log subject.
func ParseLog(subject string) (partition int, kind events.Kind, ok bool) {
	rest, ok := strings.CutPrefix(subject, Log)
	if !ok {
		return 0, "", false
	}
	num, name, ok := strings.Cut(rest, ".")
	if !ok {
		return 0, "", false
	}
	partition, err := strconv.Atoi(num)
	return partition, events.Kind(name), err == nil && partition >= 0
}

// KnowSubject is where a partition's insight about a key is published.
func KnowSubject(partition int, model string, key learn.Key) string {
	return knowSubject(strconv.Itoa(partition), model, key)
}

// KnowAnywhere matches the insights of all partitions about a key.
func KnowAnywhere(model string, key learn.Key) string { return knowSubject("*", model, key) }

// KnowPeople matches all insights about people.
const KnowPeople = Known + "*.*." + learn.KindPerson + ".*"

func knowSubject(partition, model string, key learn.Key) string {
	return Known + partition + "." + model + "." + events.Token(key.Kind) + "." + events.Token(key.ID)
}

// MarkSubject is where a partition's marker stands.
func MarkSubject(partition int) string { return Marks + strconv.Itoa(partition) }

// ParseMark reads the partition from a marker's subject.
func ParseMark(subject string) (partition int, ok bool) {
	rest, ok := strings.CutPrefix(subject, Marks)
	if !ok {
		return 0, false
	}
	partition, err := strconv.Atoi(rest)
	return partition, err == nil
}
