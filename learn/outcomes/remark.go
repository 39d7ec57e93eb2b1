package outcomes

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"learnloop.dev/inorder"
	"learnloop.dev/learn"
)

// remark is what people said, and how often.
type remark struct {
	Text  string `json:"text"`
	Tag   string `json:"tag"`
	N     int64  `json:"n"`
	First int64  `json:"first"` // day
	Last  int64  `json:"last"`
	// By is the newer remark that says the opposite, which counts.
	By string `json:"by,omitzero"`
}

// remarks lists what was said most often under a key, the newest first of the same
// number. Of two that contradict each other the newer counts; both are listed.
func remarks(rows learn.Rows, key learn.Key) []remark {
	list := gathered(rows, key, heardRemarks)
	settle(list)
	inorder.Sort(list, func(a, b remark) int {
		return cmp.Or(compareBool(a.By != "", b.By != ""), cmp.Compare(b.N, a.N))
	})
	return list[:min(len(list), mostRemarks)]
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// gathered adds up the newest of what was said, the same words once; the newest first.
func gathered(rows learn.Rows, key learn.Key, most int) (list []remark) {
	at := map[string]int{}
	for _, s := range learn.Scan[said](rows, key, saidRows) {
		if most--; most < 0 {
			break
		}
		folded := s.Tag + "\x00" + strings.ToLower(s.Text)
		i, again := at[folded]
		if !again {
			i, at[folded] = len(list), len(list)
			list = append(list, remark{Text: s.Text, Tag: s.Tag, First: s.Day, Last: s.Day})
		}
		list[i].N++
		list[i].First = min(list[i].First, s.Day)
	}
	return list
}

// settle has newer remarks of a tag outdate older ones that say the opposite.
func settle(newestFirst []remark) {
	gists := make([]gist, len(newestFirst))
	for i, r := range newestFirst {
		gists[i] = gistOf(r.Text)
		for j := range i {
			newer := &newestFirst[j]
			if newer.By == "" && newer.Tag == r.Tag && opposed(gists[j], gists[i]) {
				newestFirst[i].By = newer.Text
				break
			}
		}
	}
}

// opposed reports whether two instructions cannot both be followed, as far as their
// words tell: one forbids what the other asks for, or they differ in one word alone, or
// one prefers what the other prefers something else to.
func opposed(x, y gist) bool {
	if len(x.words) == 0 || len(y.words) == 0 {
		return false
	}
	shared := 0
	for _, w := range x.words {
		if slices.Contains(y.words, w) {
			shared++
		}
	}
	if x.forbids != y.forbids {
		return 2*shared >= len(x.words) && 2*shared >= len(y.words)
	}
	if x.rather != "" && slices.Contains(y.words, x.rather) && y.rather != x.rather ||
		y.rather != "" && slices.Contains(x.words, y.rather) && x.rather != y.rather {
		return shared > 0
	}
	return !x.forbids && len(x.words) == len(y.words) && shared > 0 && shared == len(x.words)-1
}

// gist is what an instruction comes to.
type gist struct {
	words   []string // that carry it, without what comes after "rather than"
	forbids bool
	rather  string // what it is preferred to
}

// Words that turn an instruction around, that introduce what is not wanted, and that
// carry nothing.
var (
	negations = []string{"not", "never", "dont", "don't", "no", "avoid", "without", "stop", "cannot", "can't"}
	others    = []string{"instead", "over", "than"}
	fillers   = []string{
		"a", "an", "the", "to", "for", "of", "in", "on", "with", "and", "or", "please", "always", "do", "it", "is", "are", "be",
		"this", "that", "my", "your", "our", "all", "any", "we", "i", "you", "should", "must", "would", "like", "rather", "from", "now",
	}
)

func gistOf(text string) (g gist) {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && r != '\''
	})
	after := false
	for _, w := range words {
		switch {
		case slices.Contains(negations, w):
			g.forbids = !after || g.forbids
		case slices.Contains(others, w):
			after = true
		case slices.Contains(fillers, w):
		case after:
			if g.rather == "" {
				g.rather = w
			}
		case !slices.Contains(g.words, w):
			g.words = append(g.words, w)
		}
	}
	return g
}
