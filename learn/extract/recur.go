package extract

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/inorder"
	"learnloop.dev/privacy"
)

// Recurrence is something that keeps coming back: a person may want to make a
// learning of it.
type Recurrence struct {
	Learning events.Learning // as it would be
	Reason   string
	At       time.Time // of the last time
}

// often is in how many tasks something has to come back.
const often = 3

// RulePattern is a fix of a rule about which decisions are beyond doubt.
type RulePattern struct {
	Rule, Hash          string
	Original, Suggested string // as privacy has left them
	Rejected            bool   // else kept
	Alike, Count        int64  // decisions of that kind, and all about the fix
	Last                time.Time
}

// Telling reports whether somebody who reads the pattern knows where it applies:
// words that privacy has masked, and a place where there was nothing, are anywhere.
func (p RulePattern) Telling() bool {
	from, to := clean(p.Original, longestText), clean(p.Suggested, longestText)
	return from != to && strings.TrimSpace(privacy.Unmarked(from)) != ""
}

// OfRule proposes what people always decide about a fix.
func OfRule(p RulePattern) Recurrence {
	from, to := clean(p.Original, longestTitle/3), clean(p.Suggested, longestTitle/3)
	fix, do, dont := fmt.Sprintf("%q for %q", to, from), fmt.Sprintf("Put %q instead of %q", to, from), fmt.Sprintf("suggest %q", to)
	if to == "" {
		fix, do, dont = fmt.Sprintf("deleting %q", from), fmt.Sprintf("Delete %q", from), "delete it"
	}
	says, so, action := "keep", "keep it", do+" at once."
	if p.Rejected {
		says, so, action = "turn down", "turn it down", fmt.Sprintf("Leave %q as it is; do not %s.", from, dont)
	}
	r := Recurrence{At: p.Last, Reason: fmt.Sprintf("%d of %d decisions about the same fix of rule %s were alike.", p.Alike, p.Count, p.Rule)}
	r.Learning = proposedFor("rule/"+p.Rule+"/"+p.Hash, Draft{
		Title:       fmt.Sprintf("%s: people %s %s", p.Rule, says, fix),
		Context:     fmt.Sprintf("Text that rule %s looks at.", p.Rule),
		Observation: fmt.Sprintf("Where the suggestion is %s, people %s: %d times of %d.", fix, so, p.Alike, p.Count),
		Implication: "Another suggestion of the same kind will probably be decided the same way.",
		Action:      action, Tags: []string{p.Rule}, Domain: "style",
	})
	r.Learning.PatternType = events.BestPractice
	return r
}

// proposedFor is a draft as the learning that it would be, under an id that follows
// from what recurs.
func proposedFor(what string, d Draft) events.Learning {
	d = d.cleaned()
	confidence := trust(events.FoundPattern)
	return events.Learning{ID: ID("recurring/" + what), Title: d.Title, Context: d.Context, Observation: d.Observation,
		Implication: d.Implication, Action: d.Action, Tags: events.Tags(d.Tags), Domain: d.Domain,
		Confidence: &confidence, ExtractedBy: ByRules}
}

// Recurring counts what comes back from task to task. It is fed records in order of
// time, and is not safe for concurrent use.
type Recurring struct {
	corrections map[string]*sighting
	retries     map[string]*sighting
}

// sighting is one thing, and the tasks in which it was seen.
type sighting struct {
	text, of string // the last words, and what they are about
	tags     []string
	tasks    map[events.ID]bool
	at       time.Time
}

// NewRecurring has seen nothing yet.
func NewRecurring() *Recurring {
	return &Recurring{map[string]*sighting{}, map[string]*sighting{}}
}

// Take counts a record.
func (r *Recurring) Take(rec events.Recorded) {
	at := rec.Header().Time
	switch p := rec.Payload().(type) {
	case *events.TaskCorrection:
		r.correct(p.TaskID, events.TaskInstruction{Tags: p.Tags, Instruction: p.Instruction}, at)
	case *events.Task:
		for _, c := range p.Corrections {
			r.correct(p.TaskID, c, at)
		}
		for _, s := range p.Subtasks {
			if s.RetryCount > 0 && len(s.FailureReasons) > 0 {
				r.retry(p.TaskID, s, at)
			}
		}
	}
}

func (r *Recurring) correct(task events.ID, c events.TaskInstruction, at time.Time) {
	if len(words(c.Instruction)) == 0 {
		return
	}
	tags := slices.Sorted(slices.Values(c.Tags))
	see(r.corrections, strings.Join(tags, ",")+"/"+signature(c.Instruction), sighting{text: c.Instruction, of: strings.Join(tags, ", "), tags: tags, at: at}, task)
}

func (r *Recurring) retry(task events.ID, s events.Subtask, at time.Time) {
	for _, reason := range s.FailureReasons {
		if len(words(reason)) > 0 {
			see(r.retries, string(s.ID)+"/"+signature(reason), sighting{text: reason, of: string(s.ID), tags: []string{string(s.ID)}, at: at}, task)
		}
	}
}

func see(all map[string]*sighting, key string, s sighting, task events.ID) {
	known := all[key]
	if known == nil {
		s.tasks = map[events.ID]bool{}
		known = &s
		all[key] = known
	}
	known.tasks[task] = true
	if s.at.After(known.at) {
		known.at, known.text = s.at, s.text
	}
}

// signature is the same for texts that differ only in the forms and the order of
// their words, and in small words.
func signature(text string) string {
	p := partOf(text)
	if len(p.words)+len(p.numbers) == 0 {
		return strings.ToLower(text)
	}
	inorder.Sort(p.ends, func(a, b side) int { return strings.Compare(a.axis, b.axis) })
	return fmt.Sprint(p.words, p.numbers, p.ends, p.against)
}

// Often lists what came back in three tasks or more, in order of its ids.
func (r *Recurring) Often() (list []Recurrence) {
	for key, s := range r.corrections {
		if len(s.tasks) >= often {
			list = append(list, s.corrected(key))
		}
	}
	for key, s := range r.retries {
		if len(s.tasks) >= often {
			list = append(list, s.retried(key))
		}
	}
	inorder.Sort(list, func(a, b Recurrence) int { return strings.Compare(string(a.Learning.ID), string(b.Learning.ID)) })
	return list
}

func (s *sighting) corrected(key string) Recurrence {
	about := "Tasks of any kind."
	if s.of != "" {
		about = "Tasks about " + s.of + "."
	}
	r := Recurrence{At: s.at, Reason: fmt.Sprintf("The same correction was given in %d tasks.", len(s.tasks))}
	r.Learning = proposedFor("correction/"+key, Draft{
		Title: ended(strings.TrimSpace(s.text)), Context: about,
		Observation: "People keep giving the same instruction: " + s.text,
		Implication: "Who follows it from the start is not corrected.",
		Action:      s.text, Tags: append(slices.Clone(s.tags), keywords("", s.text)...), Domain: domain("", s.text),
	})
	r.Learning.Title = strings.TrimRight(r.Learning.Title, ".")
	r.Learning.PatternType = events.BestPractice
	return r
}

func (s *sighting) retried(key string) Recurrence {
	r := Recurrence{At: s.at, Reason: fmt.Sprintf("Steps of this type were tried again for the same reason in %d tasks.", len(s.tasks))}
	r.Learning = proposedFor("retry/"+key, Draft{
		Title: fmt.Sprintf("%s keeps failing at first: %s", s.of, s.text), Context: fmt.Sprintf("Steps of type %s.", s.of),
		Observation: "They are tried again and again for the same reason: " + s.text,
		Implication: "A plan that does not deal with it first pays for a retry.",
		Action:      "Before a step of this type, make sure that this cannot happen: " + s.text,
		Tags:        append(slices.Clone(s.tags), keywords("", s.text)...), Domain: domain("", s.text),
	})
	r.Learning.PatternType = events.Gotcha
	return r
}

// mostWaiting is how many proposals may wait for a person before no more is proposed:
// nobody reads a queue of hundreds.
const mostWaiting = 50

// waiting counts the proposals that nobody has decided about.
func (m *Memory) waiting() (n int) {
	for _, e := range m.entries {
		if e.standing == proposed {
			n++
		}
	}
	return n
}

// Propose says which of the things that recur a person has not been asked about, and
// that nobody has learned yet.
func (m *Memory) Propose(all []Recurrence) (list []Conclusion) {
	room := mostWaiting - m.waiting()
	for _, r := range all {
		if m.entries[r.Learning.ID] != nil || len(list) >= room {
			continue
		}
		if v := m.Judge(&r.Learning); v.Of != "" && !v.Contradicts { // it is known already
			continue
		}
		p := proposal(&r.Learning, Verdict{})
		p.Reason = r.Reason
		list = append(list, Conclusion{"recurring/" + Name(string(r.Learning.ID)) + "/proposed", r.At, events.LearningProposed.Kind, p})
	}
	return list
}
