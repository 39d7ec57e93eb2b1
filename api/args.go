package api

import (
	"maps"
	"strings"
	"unicode"
	"unicode/utf8"

	"learnloop.dev/kv"
	"learnloop.dev/learn"
	"learnloop.dev/learn/learnings"
)

// snake writes a name of the source documents our way: minConfidence as
// min_confidence.
func snake(name string) string {
	var b strings.Builder
	for i, c := range name {
		if unicode.IsUpper(c) {
			if i > 0 {
				b.WriteByte('_')
			}
			c = unicode.ToLower(c)
		}
		b.WriteRune(c)
	}
	return b.String()
}

// named returns the arguments under our names. Of two spellings of one argument
// the other spelling stays, and is refused as unknown.
func named[V any](args map[string]V, aliases map[string]string) map[string]V {
	out := maps.Clone(args)
	for given, value := range args {
		name := snake(given)
		if alias, ok := aliases[name]; ok {
			name = alias
		}
		if _, taken := out[name]; taken || name == given {
			continue
		}
		delete(out, given)
		out[name] = value
	}
	return out
}

// checkID refuses ids that no event can carry: empty ones and those that are not
// text.
func checkID(name, id string) error {
	switch {
	case id == "":
		return wrong(BadRequest, "/"+name, "an id that is not empty")
	case !utf8.ValidString(id):
		return wrong(BadRequest, "/"+name, "UTF-8 text")
	}
	return nil
}

// The kinds of contexts that operations know by name.
const (
	kindRule     = "rule"
	kindCategory = "category"
	kindUser     = "user"
	kindLearning = learnings.KindLearning
	kindSummary  = kv.Summary
)

// isKind reports whether a word can be the kind of a context.
func isKind(word string) bool {
	for i := range len(word) {
		if word[i] < 'a' || word[i] > 'z' {
			return false
		}
	}
	return word != ""
}

// ownID is how the ids of learnings begin that the loop gives.
const ownID = "learn_"

// parseKey reads a key as people type it: "rule.passive-voice", "summary", the id of
// a learning.
func parseKey(text string) learn.Key {
	if strings.HasPrefix(text, ownID) { // no kind has such letters
		return learn.Key{Kind: kindLearning, ID: text}
	}
	kind, id, _ := strings.Cut(text, ".")
	return learn.Key{Kind: kind, ID: id}
}

// checkTyped refuses keys, as people type them, that no context can have.
func checkTyped(text string) error {
	key := parseKey(text)
	if key.Kind != kindSummary && (!isKind(key.Kind) || key.ID == "") {
		return wrong(BadRequest, "/key", "kind.id, such as rule.oxford-comma")
	}
	return checkKey("key", key)
}

// checkKey refuses keys that no context can have.
func checkKey(name string, key learn.Key) error {
	if !isKind(key.Kind) {
		return wrong(BadRequest, "/"+name, "a kind of lower-case letters before the id")
	}
	if key.Kind != kindSummary {
		return checkID(name, key.ID)
	}
	if key.ID != "" {
		return wrong(BadRequest, "/"+name, "summary without an id: there is one")
	}
	return nil
}
