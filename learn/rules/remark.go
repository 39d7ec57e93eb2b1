package rules

import (
	"cmp"
	"strings"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/stats"
)

// The rows of what people remarked when they rejected.
const (
	whySet = "why" // learn.Top of folded remarks: of a rule, and with "/<hash>" of a pattern
	saySet = "say" // learn.Top of spellings, with "/<digest>" of a folded remark
)

// Remark is what people wrote when they rejected, and how often.
type Remark struct {
	Text string `json:"text"`
	N    int64  `json:"n"`
}

func (d decision) countRemark() {
	if d.Data.Decision != events.Rejected {
		return
	}
	text := remark(d.Data.UserComment)
	if text == "" {
		return
	}
	folded := strings.ToLower(text)
	learn.TopOf(d.rows, d.rule, whySet).Bump(folded, d.by)
	learn.TopOf(d.rows, d.rule, spellings(folded)).Bump(text, d.by)
	if d.Data.Derived != nil && d.Data.Derived.Pattern != "" {
		learn.TopOf(d.rows, d.rule, whySet+"/"+d.Data.Derived.Pattern).Bump(folded, d.by)
	}
}

// spellings is the set of the ways a folded remark was written.
func spellings(folded string) string { return saySet + "/" + digest(folded) }

// remark is a comment as it is kept: on one line, without code fences and
// without tokens that models give a meaning of their own, short.
func remark(comment string) string {
	text := shortened(learn.Visible(comment), 2*longestRemark) // bounds the work, too
	return shortened(strings.TrimSpace(unmarked(text)), longestRemark)
}

var markers = strings.NewReplacer("```", "", "~~~", "", "<|", "", "|>", "")

// unmarked takes out fences and special tokens, those too that form when others
// have gone.
func unmarked(text string) string {
	for {
		less := markers.Replace(text)
		if less == text {
			return text
		}
		text = less
	}
}

// remarks lists the k most frequent remarks of a set, each as it is often written.
func remarks(rows learn.Rows, key learn.Key, set string, k int) []Remark {
	var list []Remark
	for _, folded := range learn.TopOf(rows, key, set).Best(k) {
		var written []Remark
		for _, w := range learn.TopOf(rows, key, spellings(folded.Label)).Best(mostSpellings) {
			written = append(written, Remark{w.Label, w.Count})
		}
		list = append(list, Remark{cmp.Or(steady(written), folded.Label), folded.Count})
	}
	return list
}

// How many remarks of a pattern, and spellings of a remark, are looked at.
const (
	mostReasons   = 5
	mostSpellings = 3
)

// steady is the first remark of a list by falling count, or the one before it by
// text of those that may be as frequent: where several are, it does not change
// with every feedback.
func steady(list []Remark) string {
	var text string
	for i, r := range list {
		if i == 0 || r.rivals(list[0]) && r.Text < text {
			text = r.Text
		}
	}
	return text
}

// rivals reports whether the remark may be as frequent as the most frequent one.
func (r Remark) rivals(top Remark) bool {
	return r.N >= enough && stats.Wilson(r.N, r.N+top.N, sure).Upper >= 0.5
}

// commonest are those of the highest count in a list by falling count.
func commonest(list []Remark) []Remark {
	for i, r := range list {
		if r.N < list[0].N {
			return list[:i]
		}
	}
	return list
}
