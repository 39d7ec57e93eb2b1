// Package kv is where learning contexts are kept: a Writer that puts what
// differs into a bucket, and the Reader from which generators take what they
// inject into a prompt.
package kv

import (
	"strings"

	"learnloop.dev/events"
)

// The buckets of the loop.
const (
	Contexts  = "learn_contexts"  // what generators inject, by Key
	Learnings = "learn_learnings" // learnings, by the token of their id
	Owners    = "learn_owners"    // which person an exchange belongs to
	Settings  = "learn_settings"  // settings, experiments and markers
	Receipts  = "learn_receipts"  // answers to requests that may be sent again
)

// Summary is the kind of the one context that has no id.
const Summary = "summary"

// Key returns the key of a context: "rule.<token of id>". The summary's key is
// its kind alone.
func Key(kind, id string) string {
	if kind == Summary {
		return Summary
	}
	return kind + "." + events.Token(id)
}

// EntryKey returns the key of a learning, which is its id alone.
func EntryKey(id string) string { return events.Token(id) }

// IsEntry reports whether a key of the bucket of learnings is that of a learning;
// others name their kind, and are about all of them.
func IsEntry(key string) bool { return !strings.Contains(key, ".") }

// ParseKey returns the kind and the id that a key was made of; false when it is
// malformed or when its id was so long that only a hash is left.
func ParseKey(key string) (kind, id string, ok bool) {
	if key == Summary {
		return Summary, "", true
	}
	kind, token, found := strings.Cut(key, ".")
	if !found || kind == "" || token == "" || kind == Summary {
		return "", "", false
	}
	id, ok = events.Untoken(token)
	return kind, id, ok
}

// valid reports whether a bucket takes the key: parts of A-Z a-z 0-9 - _ / =
// between dots.
func valid(key string) bool {
	for part := range strings.SplitSeq(key, ".") {
		if part == "" || strings.ContainsFunc(part, foreign) {
			return false
		}
	}
	return true
}

func foreign(c rune) bool { return !strings.ContainsRune(keyRunes, c) }

const keyRunes = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_/="

// subject returns where a bucket keeps a key, or the keys that match a pattern.
func subject(bucket, key string) string { return "$KV." + bucket + "." + key }

// streamOf names the stream behind a bucket.
func streamOf(bucket string) string { return "KV_" + bucket }
