package outcomes

import (
	"strings"

	"learnloop.dev/events"
	"learnloop.dev/learn"
)

// Where in the log something was wiped: int64, by what of a key was.
const cutRows = "cut/"

// The parts of a type of step that can be wiped alone.
const (
	modelPart   = "model/"   // and the model
	featurePart = "feature/" // and the feature
	retryPart   = "retries"
)

// cut notes that what was known of a key, or a part of it, was wiped by a fact: records
// before it in the log have nothing to take back there any more.
func cut(rows learn.Rows, key learn.Key, what string, seq uint64) {
	*learn.At[int64](rows, key, cutRows+what) = int64(seq)
}

// wiped reports whether what a record left was wiped.
func wiped(rows learn.Rows, key learn.Key, what string, seq uint64) bool {
	return int64(seq) <= learn.Peek[int64](rows, key, cutRows+what)
}

// clearRows removes the rows of a key whose names begin with a prefix.
func clearRows[T comparable](rows learn.Rows, key learn.Key, prefix string) {
	var names []string
	for name := range learn.Scan[T](rows, key, prefix) {
		names = append(names, name)
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
	cut(rows, allKey(), "", f.Seq)
}

// empty wipes all that is known of a key.
func empty(rows learn.Rows, key learn.Key) {
	switch key.Kind {
	case KindTask:
		clearRows[stint](rows, key, stintRows)
		clearRows[octave](rows, key, lastingRows)
		clearRows[octave](rows, key, tokenRows)
		clearRows[featured](rows, key, featureRows)
		clearRows[picked](rows, key, chosenRows)
		clearRows[int64](rows, key, whySet)
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
}

// deleted forgets one pattern, and what it rests on: the runs of a type, or of one
// model; the retries; the runs with a feature; what was said under a tag; the tasks
// with a goal, or a plan. What comes later starts anew.
func deleted(rows learn.Rows, f *events.Fact[events.PatternDeleted]) {
	key, seq := string(f.Data.PatternKey), f.Seq
	switch f.Data.PatternType {
	case events.SubtaskSuccess:
		empty(rows, typeKey(key))
		cut(rows, typeKey(key), "", seq)
	case events.ModelFailure:
		id, model := within(rows, key, modelOf)
		dropModel(rows, typeKey(id), model)
		cut(rows, typeKey(id), modelPart+learn.RowPart(model), seq)
	case events.PromptEffective:
		id, feature := within(rows, key, featureOf)
		clearRows[featured](rows, typeKey(id), featureRows+learn.RowPart(feature)+"/")
		cut(rows, typeKey(id), featurePart+learn.RowPart(feature), seq)
	case events.RetryPattern:
		dropRetries(rows, typeKey(key))
		cut(rows, typeKey(key), retryPart, seq)
	case events.UserCorrection:
		dropTag(rows, key)
	case events.TaskTemplate:
		dropGoal(rows, key)
		cut(rows, goalKey(key), "", seq)
		empty(rows, templateKey(key))
		cut(rows, templateKey(key), "", seq)
	}
}

// within finds the type, and the model or feature of it, that a pattern's key joins by
// a slash. Either may have slashes of its own: what is known decides.
func within(rows learn.Rows, key string, known func(learn.Rows, learn.Key, string) bool) (id, name string) {
	for at := strings.IndexByte(key, '/'); at >= 0; {
		id, name = key[:at], key[at+1:]
		if known(rows, typeKey(id), name) {
			return id, name
		}
		next := strings.IndexByte(name, '/')
		if next < 0 {
			break
		}
		at += 1 + next
	}
	return id, name
}

func modelOf(rows learn.Rows, key learn.Key, model string) bool {
	for range learn.Scan[stint](rows, key, stintRows+learn.RowPart(model)+"/") {
		return true
	}
	return false
}

func featureOf(rows learn.Rows, key learn.Key, feature string) bool {
	for range learn.Scan[featured](rows, key, featureRows+learn.RowPart(feature)+"/") {
		return true
	}
	return false
}

// dropModel forgets what a model did of a type.
func dropModel(rows learn.Rows, key learn.Key, model string) {
	var n, days int64
	for _, s := range learn.Scan[stint](rows, key, stintRows+learn.RowPart(model)+"/") {
		for i, k := range s.Days {
			n, days = n+k, days+k*(s.Period*fortnight+int64(i))
		}
	}
	if n == 0 {
		return
	}
	clearRows[stint](rows, key, stintRows+learn.RowPart(model)+"/")
	clearRows[octave](rows, key, lastingRows+learn.RowPart(model)+"/")
	clearRows[octave](rows, key, tokenRows+learn.RowPart(model)+"/")
	list(rows, key, -n, -days)
}

// dropRetries forgets how often a type was tried again.
func dropRetries(rows learn.Rows, key learn.Key) {
	for _, s := range stints(rows, key) {
		row := learn.At[stint](rows, key, stintRows+s.name())
		row.Retries, row.Escalated = 0, 0
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

// dropGoal forgets the tasks with a goal, and the plans that they had.
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
