package web

import (
	"slices"
	"strings"
	"time"

	"learnloop.dev/api"
	"learnloop.dev/inorder"
	"learnloop.dev/learn/learnings"
	h "learnloop.dev/web/markup"
)

// learningSheet is one learning: what it says, how it fared, and what can be done to it.
func learningSheet(v visit) (sheet, error) {
	id := v.query("id")
	var l api.Learning
	if err := v.ask("learnings.get", map[string]any{"id": id}, &l); err != nil {
		return v.proposal(id, err)
	}
	var e api.Explanation
	if err := v.ask("explain", map[string]any{"key": "learning." + id}, &e); err != nil {
		return sheet{}, err
	}
	var lift api.Lift
	if err := v.ask("learnings.lift", map[string]any{"id": id}, &lift); err != nil {
		return sheet{}, err
	}
	body := h.Join(section(heading("Learning"), coia(&l.Learning), v.origin(&l.Learning)), v.fared(&l.Learning),
		walk(&l.Learning, e.Lines, v.site.deps.Now()), ownLift(lift.Learning), v.behind(e.Lines), v.edit(&l.Learning))
	return sheet{title: titleOf(&l.Learning), follow: follows{topics: []string{learned}}, body: body}, nil
}

// proposal is a learning that is not published: one that waits for review.
func (v visit) proposal(id string, missing error) (sheet, error) {
	if !v.who.May(api.Review) {
		return sheet{}, missing
	}
	var q api.Queue
	if err := v.ask("learnings.queue", nil, &q); err != nil {
		return sheet{}, err
	}
	for i := range q.Proposals {
		if l := &q.Proposals[i].Learning; l.ID == id {
			return sheet{title: titleOf(l), follow: follows{topics: []string{learned}}, body: h.Join(
				section(heading("Proposal"), coia(l), v.origin(l), decide(l)), v.edit(l))}, nil
		}
	}
	return sheet{}, missing
}

// origin is where a learning comes from and what it is about.
func (v visit) origin(l *learnings.Learning) h.Node {
	list := []fact{{"Id", code(l.ID)}, {"Status", h.Join(h.Text(string(l.Status)), minor(because(l.StatusReason)))}}
	add := func(name, text string) {
		if text != "" {
			list = append(list, fact{name, h.Text(text)})
		}
	}
	add("Field", l.Domain)
	add("Good for", l.PatternType)
	add("Tags", strings.Join(l.Tags, ", "))
	add("Learned in the task", l.SourceTaskID)
	add("Learned in the outcome", l.SourceOutcomeID)
	add("Made by", l.ExtractedBy)
	if l.SupersededBy != "" {
		list = append(list, fact{"Superseded by", link(at("/learning", "id", l.SupersededBy), l.SupersededBy)})
	}
	if l.Supersedes != "" {
		list = append(list, fact{"Supersedes", link(at("/learning", "id", l.Supersedes), l.Supersedes)})
	}
	return facts(append(list, fact{"Created", v.when(l.CreatedAt)}, fact{"Changed", v.when(l.UpdatedAt)})...)
}

func because(reason string) string {
	if reason == "" {
		return ""
	}
	return ": " + reason
}

func (v visit) fared(l *learnings.Learning) h.Node {
	return figures(
		figure{"Confidence", h.Text(percent(&l.Confidence)), minor("began at " + percent(&l.InitialConfidence))},
		figure{"Believed to help", h.Text(percent(&l.Posterior.Mean)),
			h.Join(bar(l.Posterior.Mean, l.Posterior.Lower, l.Posterior.Upper, shares()), h.El("br"),
				minor(percent(&l.Posterior.Lower)+" to "+percent(&l.Posterior.Upper)))},
		figure{"Injected", h.Text(count(l.TimesInjected)), h.Join(minor("last "), v.when(l.LastInjectedAt))},
		figure{"Helped", h.Text(count(l.TimesHelpful)), h.Join(minor("last "), v.when(l.LastHelpfulAt))},
		figure{"Did not help", h.Text(count(l.TimesNotHelpful)), minor(plural(l.Evidence.VotesWaiting, "vote waits", "votes wait"))},
	)
}

// walk draws the confidence from vote to vote, as far as the votes are known.
func walk(l *learnings.Learning, lines []api.ExplainedLine, now time.Time) h.Node {
	type vote struct {
		at   time.Time
		step float64
	}
	var votes []vote
	for _, line := range lines {
		helpful := line.Line == "times_helpful"
		if !helpful && line.Line != "times_not_helpful" {
			continue
		}
		for _, e := range line.Events {
			votes = append(votes, vote{e.Time, learnings.StepOf(helpful)})
		}
	}
	inorder.Sort(votes, func(a, b vote) int { return b.at.Compare(a.at) })
	last := point{0, day(now), l.Confidence, l.Confidence, l.Confidence}
	points := []point{last}
	level := l.Confidence
	for _, is := range votes { // backward, from where it is now
		points = append(points, point{-float64(len(points)), day(is.at), level, level, level})
		level = min(max(level-is.step, 0), 1)
	}
	if int64(len(votes)) == l.TimesHelpful+l.TimesNotHelpful {
		points = append(points, point{-float64(len(points)), day(l.CreatedAt), l.InitialConfidence, l.InitialConfidence, l.InitialConfidence})
	}
	slices.Reverse(points)
	return section(heading("Confidence over time"),
		shareOver("Confidence from "+percent(&points[0].value)+" to "+percent(&l.Confidence), points),
		h.El("p", minor("After each of the latest "+plural(int64(len(votes)), "vote", "votes")+". Time without use lowers it, too.")))
}

func day(t time.Time) string { return t.UTC().Format("2006-01-02") }

// ownLift is what a learning does to the success of tasks.
func ownLift(l *api.OwnLift) h.Node {
	if l == nil || l.With.N == 0 || l.Without.N == 0 {
		return section(heading("Does it help?"), para("Not known yet: tasks have to finish with it, and without it by chance."))
	}
	return section(heading("Does it help?"),
		h.El("p", bar(l.Effect, l.Lower, l.Upper, around(l.Lower, l.Upper)), h.Text(" "+points(l.Effect)+" of success "), verdict(l.Lower, l.Upper)),
		h.El("p", minor(plural(l.With.N, "task", "tasks")+" with it, "+count(l.Without.N)+" without; between "+points(l.Lower)+" and "+points(l.Upper)+".")))
}

// behind are the events that a learning rests on.
func (v visit) behind(lines []api.ExplainedLine) h.Node {
	var rows []h.Node
	for _, c := range changes(lines) {
		rows = append(rows, row(v.when(c.event.Time), code(string(c.event.Kind)), code(c.event.ID), h.Text(c.says())))
	}
	if len(rows) == 0 {
		return h.Node{}
	}
	return section(heading("Why"), table("What changed, the latest first", []string{"When", "Event", "Id", "Stands behind"}, rows))
}

// edit are the forms that change a learning; they are for reviewers.
func (v visit) edit(l *learnings.Learning) h.Node {
	if !v.who.May(api.Review) {
		return h.Node{}
	}
	forms := []h.Part{heading("Change it"), fold("Edit", act("/learning/edit", "Save", "", hidden{"id", l.ID},
		entry{name: "title", label: "Title", value: l.Title, required: true},
		entry{name: "context", label: "Context", value: l.Context, long: true},
		entry{name: "observation", label: "Observation", value: l.Observation, long: true},
		entry{name: "implication", label: "Implication", value: l.Implication, long: true},
		entry{name: "action", label: "Action", value: l.Action, long: true},
		entry{name: "domain", label: "Field", value: l.Domain},
		entry{name: "tags", label: "Tags, with commas between", value: strings.Join(l.Tags, ", ")}))}
	switch l.Status {
	case learnings.Proposed: // its review decides
	case learnings.Active:
		forms = append(forms,
			fold("Supersede", act("/learning/supersede", "Supersede", "danger", hidden{"id", l.ID},
				entry{name: "superseded_by", label: "Id of the learning that is better", required: true}, entry{name: "reason", label: "Why"})),
			fold("Archive", act("/learning/archive", "Archive", "danger", hidden{"id", l.ID}, entry{name: "reason", label: "Why"})))
	case learnings.Archived, learnings.Superseded, learnings.Rejected:
		forms = append(forms, button("/learning/restore", "Take it up again", "plain", hidden{"id", l.ID}))
	}
	return section(forms...)
}

// learningDeeds are what reviewers do to a learning.
func learningDeeds() map[string]deed {
	return map[string]deed{
		"/edit": editLearning, "/archive": archiveLearning, "/supersede": supersedeLearning,
		"/restore": restoreLearning, "/review": reviewLearning,
	}
}

func (v visit) learningPath(said string) string {
	return at("/learning", "id", v.field("id"), "said", said)
}

func editLearning(v visit) (string, sheet, error) {
	tags := []string{}
	for t := range strings.SplitSeq(v.field("tags"), ",") {
		if t = strings.TrimSpace(t); t != "" {
			tags = append(tags, t)
		}
	}
	args := map[string]any{"id": v.field("id"), "tags": tags}
	for _, name := range []string{"title", "context", "observation", "implication", "action", "domain"} {
		args[name] = strings.ReplaceAll(v.field(name), "\r\n", "\n")
	}
	return v.learningPath("saved"), sheet{}, v.ask("learnings.revise", args, nil)
}

func archiveLearning(v visit) (string, sheet, error) {
	return v.learningPath("archived"), sheet{}, v.ask("learnings.archive", map[string]any{"id": v.field("id"), "reason": v.field("reason")}, nil)
}

func supersedeLearning(v visit) (string, sheet, error) {
	return v.learningPath("superseded"), sheet{}, v.ask("learnings.supersede",
		map[string]any{"id": v.field("id"), "superseded_by": strings.TrimSpace(v.field("superseded_by")), "reason": v.field("reason")}, nil)
}

func restoreLearning(v visit) (string, sheet, error) {
	return v.learningPath("saved"), sheet{}, v.ask("learnings.revise", map[string]any{"id": v.field("id"), "status": "active"}, nil)
}

func reviewLearning(v visit) (string, sheet, error) {
	said := "approved"
	if v.field("verdict") != said {
		said = "rejected"
	}
	return at("/learnings", "said", said), sheet{}, v.ask("learnings.review", map[string]any{"id": v.field("id"), "verdict": v.field("verdict")}, nil)
}
