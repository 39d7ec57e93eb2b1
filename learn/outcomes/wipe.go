package outcomes

import (
	"iter"
	"strings"

	"learnloop.dev/events"
	"learnloop.dev/learn"
)

// cutRows are where in the log something was wiped: int64, by what was; of everything.
const cutRows = "cut/"

// everything is what a reset wipes; all else goes by the type of a pattern and its key.
const everything events.LearnedPattern = ""

func cutRow(what events.LearnedPattern, key string) string {
	return cutRows + string(what) + "/" + events.Token(key)
}

// cut notes that something was wiped by a fact: records before it in the log have
// nothing to take back there any more.
func cut(rows learn.Rows, what events.LearnedPattern, key string, seq uint64) {
	*learn.At[int64](rows, allKey(), cutRow(what, key)) = int64(seq)
}

// wiped reports whether what a record left was wiped.
func wiped(rows learn.Rows, what events.LearnedPattern, key string, seq uint64) bool {
	return int64(seq) <= learn.Peek[int64](rows, allKey(), cutRow(what, key))
}

// clearRows removes the rows of a key whose names begin with a prefix.
func clearRows[T comparable](rows learn.Rows, key learn.Key, prefix string) {
	clearSome(rows, key, prefix, func(T) bool { return true })
}

// clearSome removes those of them that are meant.
func clearSome[T comparable](rows learn.Rows, key learn.Key, prefix string, meant func(T) bool) {
	var names []string
	for name, row := range learn.Scan[T](rows, key, prefix) {
		if meant(row) {
			names = append(names, name)
		}
	}
	var zero T
	for _, name := range names {
		*learn.At[T](rows, key, name) = zero
	}
}

// reset forgets all that was learned. What comes later starts anew.
func reset(rows learn.Rows, f *events.Fact[events.DataReset]) {
	if f.Data.Model != Name {
		return
	}
	for _, kind := range []string{KindTask, KindGoal, KindTemplate, kindTag} {
		for _, l := range all(rows, kind) {
			empty(rows, learn.Key{Kind: kind, ID: l.ID})
		}
	}
	clearRows[end](rows, tasksKey(), endRow)
	clearRows[said](rows, tasksKey(), steerRows)
	clearRows[totals](rows, allKey(), totalRow)
	clearRows[int64](rows, allKey(), cutRows)
	cut(rows, everything, "", f.Seq)
}

// empty wipes all that is known of a key.
func empty(rows learn.Rows, key learn.Key) {
	switch key.Kind {
	case KindTask:
		clearRows[stint](rows, key, stintRows)
		clearRows[octave](rows, key, lastingRows)
		clearRows[octave](rows, key, tokenRows)
		clearRows[featured](rows, key, featureRows)
		clearRows[featured](rows, key, forgoneRows)
		clearRows[picked](rows, key, chosenRows)
		clearRows[int64](rows, key, whySet)
		clearRows[int64](rows, key, whoseRows)
	case KindGoal:
		clearRows[spell](rows, key, spellRows)
		clearRows[tried](rows, key, planRows)
	case KindTemplate:
		clearRows[ends](rows, key, provenRow)
		clearRows[wording](rows, key, wordingRows)
		clearRows[offered](rows, key, offerRows)
	}
	clearRows[said](rows, key, saidRows)
	l := listedOf(rows, key)
	list(rows, key, -l.N, -l.Days)
	beside(rows, key, -l.Beside)
}

// deleted forgets one pattern, and what it rests on: the runs of a type, or of one
// model; the retries; the runs with a feature; what was said under a tag; the tasks
// with a goal; or one template. What comes later starts anew.
func deleted(rows learn.Rows, f *events.Fact[events.PatternDeleted]) {
	key := string(f.Data.PatternKey)
	switch f.Data.PatternType {
	case events.SubtaskSuccess:
		empty(rows, typeKey(key))
	case events.ModelFailure:
		for id, model := range splits(key) {
			dropModel(rows, typeKey(id), model)
		}
	case events.PromptEffective:
		for id, feature := range splits(key) {
			forgo(rows, typeKey(id), feature)
		}
	case events.RetryPattern:
		dropRetries(rows, typeKey(key))
	case events.UserCorrection:
		dropTag(rows, key)
	case events.TaskTemplate:
		dropGoal(rows, key)
	case events.OneTemplate:
		dropTemplate(rows, key)
	default:
		return
	}
	cut(rows, f.Data.PatternType, key, f.Seq)
}

// splits are the ways in which a pattern's key may join a type, and a model or a feature
// of it, by a slash: either may have slashes of its own. All of them are meant, so that
// what a deletion does hangs on nothing but its key.
func splits(key string) iter.Seq2[string, string] {
	return func(yield func(id, name string) bool) {
		for at := range len(key) {
			if key[at] == '/' && !yield(key[:at], key[at+1:]) {
				return
			}
		}
	}
}

// dropModel forgets what a model did of a type.
func dropModel(rows learn.Rows, key learn.Key, model string) {
	part := learn.RowPart(model) + "/"
	var n, days int64
	for _, s := range learn.Scan[stint](rows, key, stintRows+part) {
		for i, k := range s.Days {
			n, days = n+k, days+k*(s.Period*fortnight+int64(i))
		}
	}
	if n == 0 {
		return
	}
	clearRows[stint](rows, key, stintRows+part)
	clearRows[octave](rows, key, lastingRows+part)
	clearRows[octave](rows, key, tokenRows+part)
	for _, part := range []string{featureRows, forgoneRows} {
		clearSome(rows, key, part, func(f featured) bool { return f.Model == model })
	}
	dropReasons(rows, key, whoseRows+part)
	list(rows, key, -n, -days)
}

// dropReasons forgets why runs of a model failed.
func dropReasons(rows learn.Rows, key learn.Key, prefix string) {
	gave := map[string]int64{}
	for name, n := range learn.Scan[int64](rows, key, prefix) {
		gave[name[len(prefix):]] = n
	}
	why := learn.TopOf(rows, key, whySet)
	for reason, n := range gave {
		why.Bump(reason, -n)
	}
	clearRows[int64](rows, key, prefix)
}

// forgo forgets what a feature did, but that these runs had it.
func forgo(rows learn.Rows, key learn.Key, feature string) {
	var past []featured
	for _, f := range learn.Scan[featured](rows, key, featureRows+learn.RowPart(feature)+"/") {
		past = append(past, f)
	}
	for _, f := range past {
		f.file(rows, key, featureRows, -1)
		f.file(rows, key, forgoneRows, 1)
	}
}

// dropRetries forgets how often a type was tried again.
func dropRetries(rows learn.Rows, key learn.Key) {
	for _, s := range stints(rows, key) {
		row := learn.At[stint](rows, key, stintRows+s.name())
		row.Retries, row.Retried, row.Raised = 0, calendar{}, 0
	}
}

// dropTag forgets what was said under a tag, wherever it is told.
func dropTag(rows learn.Rows, tag string) {
	key := tagKey(tag)
	var gone []instruction
	for name, is := range learn.Scan[said](rows, key, saidRows) {
		gone = append(gone, instruction{name[len(saidRows):], is, []string{tag}})
	}
	for _, i := range gone {
		i.put(rows, false)
		if i.is.Tag != tag {
			continue // told for its first tag
		}
		*learn.At[said](rows, tasksKey(), steerRows+i.is.Task+"/"+i.row) = said{}
		i.tell(rows, learn.Peek[end](rows, tasksKey(), endRow+i.is.Task), false)
	}
}

// dropGoal forgets the tasks with a goal, and what they taught of their plans.
func dropGoal(rows learn.Rows, goal string) {
	var plans []tried
	for _, t := range learn.Scan[tried](rows, goalKey(goal), planRows) {
		plans = append(plans, t)
	}
	for _, t := range plans {
		used := templateKey(t.Plan)
		clearRows[wording](rows, used, wordingRows+learn.RowPart(goal)+"/")
		e := learn.At[ends](rows, used, provenRow)
		*e = e.plus(t.Ends, -1)
		list(rows, used, -t.N, -t.Days)
	}
	empty(rows, goalKey(goal))
}

// dropTemplate forgets a plan that somebody added, or that tasks had, and how tasks that
// used it ended. The tasks themselves stay.
func dropTemplate(rows learn.Rows, id string) {
	if strings.HasPrefix(id, learnedPlan) {
		for _, l := range seen(rows, KindGoal) {
			clearRows[tried](rows, goalKey(l.ID), planRows+id)
		}
	}
	empty(rows, templateKey(id))
}
