package events

import (
	"slices"
	"strings"
)

// What an agent writes to vote, the id of the learning behind it (001, feedback
// loop).
const (
	VoteHelpful    = "LEARNING_HELPFUL:"
	VoteNotHelpful = "LEARNING_NOT_HELPFUL:"
)

// How the block of learnings in a prompt begins and ends. Agents repeat what they
// were given; nothing in a block is a vote. Each learning's part of it begins with
// a heading of the third level, and its last line names its id.
const (
	BlockBegin = "## Relevant Learnings"
	BlockEnd   = "<!-- end of learnings -->"
	blockPart  = "### "
	blockID    = "_ID: "
)

// mostSaid is how many votes, and how many references, of one output are kept.
const mostSaid = 100

// Settle reads the votes and references in the text, before anything in it is
// replaced: ids are then protected like those that other events carry.
func (o *AgentOutput) Settle() {
	d := readOutput(o.Output)
	if len(d.Votes) > 0 || len(d.References) > 0 {
		o.Derived = &d
	}
}

// readOutput finds votes and references in the lines outside any block.
func readOutput(text string) (d OutputDerived) {
	var b block
	for line := range strings.Lines(text) {
		line = strings.TrimLeft(strings.TrimSpace(line), "> \t")
		if b.holds(line) {
			continue
		}
		votes, rest := readVotes(line)
		d.Votes = append(d.Votes, votes...)
		d.refer(rest)
	}
	d.Votes = d.Votes[max(len(d.Votes)-mostSaid, 0):] // the last count
	d.References = slices.DeleteFunc(d.References, d.votedOn)
	return d
}

// block follows lines into and out of a block of learnings.
type block struct {
	inside bool
	ending bool // a learning is over: another one follows, or the block is
}

// holds reports whether a line belongs to a block.
func (b *block) holds(line string) bool {
	switch {
	case strings.HasPrefix(line, BlockBegin):
		*b = block{inside: true}
	case !b.inside:
	case line == BlockEnd:
		*b = block{}
		return true
	case b.ending && line != "" && !strings.HasPrefix(line, blockPart) && !strings.HasPrefix(line, blockID):
		*b = block{}
	default:
		b.ending = strings.HasPrefix(line, blockID) || b.ending && line == ""
	}
	return b.inside
}

// readVotes returns the votes of a line and what else stands in it.
func readVotes(line string) (votes []OutputVote, rest string) {
	for {
		at, word, helpful := firstVote(line)
		if at < 0 {
			return votes, rest + line
		}
		rest += line[:at] + " "
		line = strings.TrimLeft(line[at+len(word):], " \t`*_\"'")
		id := line[:idEnd(line)]
		line = line[len(id):]
		if id = strings.TrimRight(id, ".:-_/"); id != "" {
			votes = append(votes, OutputVote{ID(id), helpful})
		}
	}
}

func firstVote(line string) (at int, word string, helpful bool) {
	good, bad := strings.Index(line, VoteHelpful), strings.Index(line, VoteNotHelpful)
	if bad >= 0 && (good < 0 || bad < good) {
		return bad, VoteNotHelpful, false
	}
	return good, VoteHelpful, true
}

// idEnd is where the id that a text begins with ends.
func idEnd(text string) int {
	if i := strings.IndexFunc(text, func(r rune) bool { return !inID(r) }); i >= 0 {
		return i
	}
	return len(text)
}

func inID(r rune) bool {
	return r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || strings.ContainsRune("._:/-", r)
}

// ownID is how the ids begin that the loop gives (001).
const ownID = "learn_"

// refer adds the ids that a text names otherwise.
func (d *OutputDerived) refer(text string) {
	for len(d.References) < mostSaid {
		_, after, found := strings.Cut(text, ownID)
		if !found {
			return
		}
		end := strings.IndexFunc(after, func(r rune) bool { return !inID(r) || strings.ContainsRune("._:/-", r) })
		if end < 0 {
			end = len(after)
		}
		if id := ID(ownID + after[:end]); end > 0 && !slices.Contains(d.References, id) {
			d.References = append(d.References, id)
		}
		text = after[end:]
	}
}

// votedOn reports whether an id is voted on.
func (d *OutputDerived) votedOn(id ID) bool {
	return slices.ContainsFunc(d.Votes, func(v OutputVote) bool { return v.LearningID == id })
}
