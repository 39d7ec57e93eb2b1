package api

import (
	"cmp"
	"context"
	"encoding/base64"
	"iter"
	"slices"
	"strings"
	"sync"
	"time"

	"learnloop.dev/inorder"
	"learnloop.dev/kv"
	"learnloop.dev/learn/learnings"

	"github.com/go-json-experiment/json"
)

// Entries are the learnings as they are published, kept in memory.
type Entries interface {
	Get(key string) (kv.Context, bool)
	All(prefix string) iter.Seq[kv.Context]
	// Changes yields what changes from the call on.
	Changes(ctx context.Context, prefix string) iter.Seq[kv.Context]
}

// Contexts are the published ones as they are known in memory.
type Contexts interface {
	Entries
	// Live reports whether they are followed: what is known is then as old as a message
	// is on its way.
	Live() bool
	// CatchUp returns when everything is known that was published at the time of the call.
	CatchUp(ctx context.Context) error
}

// catalogue remembers of every learning what lists choose by, so that a list reads
// only what it shows. Safe for concurrent use.
type catalogue struct {
	mu    sync.Mutex
	cards map[string]card // guarded by mu; by key
}

// card is what lists choose and order by.
type card struct {
	key        string
	revision   uint64
	unreadable bool

	id         string
	status     learnings.Status
	domain     string
	confidence float64
	created    time.Time
}

func cardOf(e kv.Context) card {
	var l learnings.Learning
	if json.Unmarshal(e.Value, &l) != nil {
		return card{key: e.Key, revision: e.Revision, unreadable: true}
	}
	return card{e.Key, e.Revision, false, l.ID, l.Status, l.Domain, l.Confidence, l.CreatedAt}
}

// chosen lists the cards that a choice lets through, the newest first, and counts the
// entries that nobody can read.
func (c *catalogue) chosen(all Entries, choice func(card) bool) (list []card, unreadable int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	next := make(map[string]card, len(c.cards))
	for e := range all.All("") {
		if !kv.IsEntry(e.Key) {
			continue
		}
		known, ok := c.cards[e.Key]
		if !ok || known.revision != e.Revision {
			known = cardOf(e)
		}
		next[e.Key] = known
		switch {
		case known.unreadable:
			unreadable++
		case choice(known):
			list = append(list, known)
		}
	}
	c.cards = next
	inorder.Sort(list, byAge)
	return list, unreadable
}

// byAge puts the newest first.
func byAge(a, b card) int {
	return cmp.Or(b.created.Compare(a.created), cmp.Compare(a.id, b.id))
}

// cursor names the place behind a card, whatever comes and goes before and after it.
func (c card) cursor() string {
	return base64.RawURLEncoding.EncodeToString([]byte(c.created.UTC().Format(time.RFC3339Nano) + " " + c.id))
}

// theNext is what a cursor has to be.
const theNext = "the next of an answer"

func readCursor(text string) (c card, ok bool) {
	if text == "" {
		return c, true
	}
	place, err := base64.RawURLEncoding.DecodeString(text)
	created, id, found := strings.Cut(string(place), " ")
	if err == nil {
		c.created, err = time.Parse(time.RFC3339Nano, created)
	}
	c.id = id
	return c, err == nil && found
}

// mentions reports whether a learning's texts hold a text, whatever its case.
func mentions(l *learnings.Learning, text string) bool {
	text = strings.ToLower(text)
	all := append([]string{l.ID, l.Title, l.Context, l.Observation, l.Implication, l.Action}, l.Tags...)
	return slices.ContainsFunc(all, func(s string) bool { return strings.Contains(strings.ToLower(s), text) })
}
