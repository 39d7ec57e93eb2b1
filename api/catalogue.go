package api

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/kv"
	"learnloop.dev/learn/learnings"

	"github.com/go-json-experiment/json"
)

// Entries are the learnings as they are published, kept in memory.
type Entries interface {
	Get(key string) (kv.Context, bool)
	All(prefix string) iter.Seq[kv.Context]
}

// catalogue remembers of every learning what lists choose by, so that a list reads
// only what it shows. Safe for concurrent use.
type catalogue struct {
	mu    sync.Mutex
	cards map[string]card // guarded by mu; by key
}

// card is what lists choose and order by.
type card struct {
	revision   uint64
	ID         string           `json:"id"`
	Status     learnings.Status `json:"status"`
	Domain     string           `json:"domain"`
	Confidence float64          `json:"confidence"`
	CreatedAt  time.Time        `json:"created_at"`
	key        string
}

// chosen lists the cards that a choice lets through, the newest first.
func (c *catalogue) chosen(all Entries, choice func(card) bool) ([]card, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	next := make(map[string]card, len(c.cards))
	var list []card
	for e := range all.All("") {
		if !kv.IsEntry(e.Key) {
			continue
		}
		known, ok := c.cards[e.Key]
		if !ok || known.revision != e.Revision {
			known = card{revision: e.Revision, key: e.Key}
			if err := json.Unmarshal(e.Value, &known); err != nil {
				return nil, fmt.Errorf("read learning %s: %w", e.Key, events.Unquoted(err))
			}
		}
		next[e.Key] = known
		if choice(known) {
			list = append(list, known)
		}
	}
	c.cards = next
	slices.SortFunc(list, func(a, b card) int { return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(a.ID, b.ID)) })
	return list, nil
}

// mentions reports whether a learning's texts hold a text, whatever its case.
func mentions(l *learnings.Learning, text string) bool {
	text = strings.ToLower(text)
	all := append([]string{l.ID, l.Title, l.Context, l.Observation, l.Implication, l.Action}, l.Tags...)
	return slices.ContainsFunc(all, func(s string) bool { return strings.Contains(strings.ToLower(s), text) })
}
