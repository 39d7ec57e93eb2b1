package web

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	h "learnloop.dev/web/markup"
)

// follows is what a page wants to hear of while it is open: the topics of the operation
// changes, and of contexts these kinds alone.
type follows struct {
	topics []string
	kinds  []string
	often  bool // it shows what no topic tells, and asks anew every few seconds
}

// Topics of the operation changes.
const (
	contexts    = "contexts"
	learned     = "learnings"
	settled     = "settings"
	deadLetters = "dead_letters"
)

// of are contexts of some kinds.
func of(kinds ...string) follows { return follows{topics: []string{contexts}, kinds: kinds} }

// attrs tell the script of a page what to follow.
func (f follows) attrs() []h.Part {
	if len(f.topics) == 0 && !f.often {
		return nil
	}
	changes := ""
	if len(f.topics) > 0 {
		changes = "/api/changes?" + url.Values{"topics": slices.Clone(f.topics)}.Encode()
	}
	every := ""
	if f.often {
		every = strconv.FormatInt(glance.Milliseconds(), 10)
	}
	return []h.Part{h.At("data-changes", changes), h.At("data-kinds", strings.Join(f.kinds, " ")), h.At("data-every", every)}
}
