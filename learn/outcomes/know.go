package outcomes

import (
	"cmp"
	"slices"
	"strings"

	"learnloop.dev/inorder"
	"learnloop.dev/learn"
	"learnloop.dev/stats"

	"github.com/go-json-experiment/json"
)

// How much a context lists.
const (
	mostDoers    = 40
	mostPeriods  = 26 // fortnights told one by one; what is older counts with the oldest
	mostReasons  = 5
	mostFeatures = 20
	mostRemarks  = 5
	mostPlans    = 3
	mostGoals    = 8 // that a template was used for

	heardRemarks = 200 // the newest are looked at
)

// insight is what is known about one key.
type insight struct {
	Type     *typeKnown     `json:"type,omitzero"`
	Goal     *goalKnown     `json:"goal,omitzero"`
	Template *templateKnown `json:"template,omitzero"`
}

// know condenses the rows of a type, a goal or a template.
func know(rows learn.Rows, key learn.Key) (insight, bool) {
	l := listedOf(rows, key)
	if l.N <= 0 || l.stale(rows) && !added(rows, key) {
		return insight{}, false
	}
	switch key.Kind {
	case KindTask:
		return insight{Type: knowType(rows, key)}, true
	case KindGoal:
		return insight{Goal: knowGoal(rows, key)}, true
	case KindTemplate:
		t, ok := knowTemplate(rows, key)
		return insight{Template: t}, ok
	}
	return insight{}, false
}

// typeKnown is what is known about a type of step.
type typeKnown struct {
	Total    record         `json:"total"`
	Span     span           `json:"span"`
	Doers    []doerKnown    `json:"doers"` // by runs
	Unlisted int64          `json:"unlisted,omitzero"`
	Why      []learn.Ranked `json:"why,omitzero"`
	Features []featureKnown `json:"features,omitzero"`
	Said     []remark       `json:"said,omitzero"`
	Picked   []picked       `json:"picked,omitzero"`
}

// doerKnown is what a model did at a tier.
type doerKnown struct {
	Model   string   `json:"model"`
	Tier    int64    `json:"tier,omitzero"`
	Record  record   `json:"record"`
	Periods []period `json:"periods"`
	Lasting []int64  `json:"lasting,omitzero"` // microseconds: half, and nineteen of twenty, take at most
	Tokens  []int64  `json:"tokens,omitzero"`  // likewise
}

// period is how runs of one fortnight went.
type period struct {
	Fortnight int64 `json:"fortnight"` // since 1970
	Runs      int64 `json:"runs"`
	Successes int64 `json:"successes"`
	Raised    int64 `json:"raised,omitzero"`
}

// featureKnown is how runs with a feature went.
type featureKnown struct {
	Feature   string `json:"feature"`
	Span      span   `json:"span"`
	Successes int64  `json:"successes"`
	// Forgone are the runs with it that a deleted pattern rested on.
	Forgone stats.Share `json:"forgone,omitzero"`
}

func knowType(rows learn.Rows, key learn.Key) *typeKnown {
	k := &typeKnown{Doers: []doerKnown{}}
	for _, s := range stints(rows, key) {
		k.Total = k.Total.plus(s.record())
		k.Span = k.Span.with(s.Days, s.Period)
		k.Doers = take(k.Doers, s)
	}
	inorder.Sort(k.Doers, func(a, b doerKnown) int { return cmp.Compare(b.Record.Runs, a.Record.Runs) })
	k.Unlisted = int64(max(len(k.Doers)-mostDoers, 0))
	k.Doers = k.Doers[:min(len(k.Doers), mostDoers)]
	for i := range k.Doers {
		name := doer{k.Doers[i].Model, k.Doers[i].Tier}.name()
		k.Doers[i].Lasting = sketch{rows, key, lastingRows + name}.quantiles(50, 95)
		k.Doers[i].Tokens = sketch{rows, key, tokenRows + name}.quantiles(50, 95)
	}
	k.Why = learn.TopOf(rows, key, whySet).Best(mostReasons)
	k.Features = featuresOf(rows, key)
	k.Features = k.Features[:min(len(k.Features), mostFeatures)]
	k.Said = remarks(rows, key)
	for _, p := range learn.Scan[picked](rows, key, chosenRows) {
		k.Picked = append(k.Picked, p)
	}
	inorder.Sort(k.Picked, func(a, b picked) int { return cmp.Compare(b.N, a.N) })
	k.Picked = k.Picked[:min(len(k.Picked), mostDoers)]
	return k
}

// take adds a stint to that of its model and tier, which lies beside it.
func take(doers []doerKnown, s stint) []doerKnown {
	last := len(doers) - 1
	if last < 0 || doers[last].Model != s.Model || doers[last].Tier != s.Tier {
		doers = append(doers, doerKnown{Model: s.Model, Tier: s.Tier})
		last++
	}
	d := &doers[last]
	d.Record = d.Record.plus(s.record())
	d.Periods = append(d.Periods, period{s.Period, s.Days.sum(), s.Days.sum() - s.Failed.sum(), s.Raised})
	if len(d.Periods) > mostPeriods {
		oldest, rest := d.Periods[0], d.Periods[1:]
		rest[0].Runs += oldest.Runs
		rest[0].Successes += oldest.Successes
		rest[0].Raised += oldest.Raised
		d.Periods = rest
	}
	return doers
}

// featuresOf lists the features of a type's prompts, by runs.
func featuresOf(rows learn.Rows, key learn.Key) (list []featureKnown) {
	for _, f := range learn.Scan[featured](rows, key, featureRows) {
		last := len(list) - 1
		if last < 0 || list[last].Feature != f.Feature {
			list = append(list, featureKnown{Feature: f.Feature})
			last++
		}
		list[last].Span = list[last].Span.with(f.Days, f.Period)
		list[last].Successes += f.Successes
	}
	for i := range list {
		for _, f := range learn.Scan[featured](rows, key, forgoneRows+learn.RowPart(list[i].Feature)+"/") {
			list[i].Forgone.N += f.Days.sum()
			list[i].Forgone.X += f.Successes
		}
	}
	inorder.Sort(list, func(a, b featureKnown) int { return cmp.Compare(b.Span.N, a.Span.N) })
	return list
}

// goalKnown is what is known about a kind of goal.
type goalKnown struct {
	Ends  ends        `json:"ends"`
	Span  span        `json:"span"`
	Plans []planKnown `json:"plans,omitzero"`
	Said  []remark    `json:"said,omitzero"`
}

// planKnown is a plan and how tasks with it ended.
type planKnown struct {
	ID    string   `json:"id"`
	Steps []string `json:"steps"`
	Ends  ends     `json:"ends"`
}

func knowGoal(rows learn.Rows, key learn.Key) *goalKnown {
	k := &goalKnown{Said: remarks(rows, key)}
	for _, s := range learn.Scan[spell](rows, key, spellRows) {
		k.Ends = k.Ends.plus(s.Ends, 1)
		k.Span = k.Span.with(s.Days, s.Period)
	}
	for _, t := range learn.Scan[tried](rows, key, planRows) {
		p := planKnown{ID: t.Plan, Ends: t.Ends}
		_ = json.Unmarshal([]byte(t.Steps), &p.Steps) // we wrote it
		k.Plans = append(k.Plans, p)
	}
	inorder.Sort(k.Plans, func(a, b planKnown) int { return cmp.Compare(b.Ends.score(), a.Ends.score()) })
	k.Plans = k.Plans[:min(len(k.Plans), mostPlans)]
	return k
}

// templateKnown is a plan that can be used again.
type templateKnown struct {
	Name     string   `json:"name,omitzero"` // of one that somebody added
	Keywords []string `json:"keywords,omitzero"`
	Goals    []string `json:"goals,omitzero"` // that it was used for, some of them
	Steps    []Step   `json:"steps,omitzero"`
	Ends     ends     `json:"ends"`
	Problem  string   `json:"problem,omitzero"`
}

// knowTemplate tells of a plan that somebody added, or that completed a task; of
// others only how they fared, for who has the plan elsewhere.
func knowTemplate(rows learn.Rows, key learn.Key) (*templateKnown, bool) {
	k := &templateKnown{Ends: learn.Peek[ends](rows, key, provenRow)}
	for _, o := range learn.Scan[offered](rows, key, offerRows) {
		k.Name, k.Problem = key.ID, o.Problem
		_ = json.Unmarshal([]byte(o.Keywords), &k.Keywords) // checked when it came
		_ = json.Unmarshal([]byte(o.Plan), &k.Steps)        // likewise
		return k, true
	}
	for _, w := range learn.Scan[wording](rows, key, wordingRows) {
		if k.Steps == nil {
			_ = json.Unmarshal([]byte(w.Steps), &k.Steps) // we wrote it
		}
		if !slices.Contains(k.Goals, w.Goal) {
			k.Goals = append(k.Goals, w.Goal)
		}
		if len(k.Goals) == mostGoals {
			break
		}
	}
	return k, k.Steps != nil || !strings.HasPrefix(key.ID, learnedPlan)
}
