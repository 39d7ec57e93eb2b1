package web

import (
	"strconv"

	"learnloop.dev/api"
	"learnloop.dev/learn/learnings"
	h "learnloop.dev/web/markup"
)

// learningPage is how many learnings a page lists.
const learningPage = 50

// learningStatuses are what a list may be narrowed to.
func learningStatuses() []option {
	return []option{{"active", "in use"}, {"archived", "archived"}, {"superseded", "superseded"}, {"all", "all"}}
}

// learningList searches learnings, or lists them; reviewers see what waits for them.
func learningList(v visit) (sheet, error) {
	search, status := v.query("q"), v.query("status")
	if status == "" {
		status = "active"
	}
	form := searchForm("/learnings", field{"q", "Words", search}, choice{"status", "Which", status, learningStatuses()})
	queue, err := v.queue()
	if err != nil {
		return sheet{}, err
	}
	found, err := v.foundLearnings(search, status)
	return sheet{title: "Learnings", follow: follows{topics: []string{learned}}, body: h.Join(form, queue, found)}, err
}

func (v visit) foundLearnings(search, status string) (h.Node, error) {
	if search != "" {
		var found api.SearchResults
		args := map[string]any{"q": search, "status": status, "min_confidence": 0, "limit": learningPage}
		if err := v.ask("learnings.search", args, &found); err != nil {
			return h.Node{}, err
		}
		list := make([]api.Learning, len(found.Results))
		for i, r := range found.Results {
			list[i] = r.Learning
		}
		return v.learningTable(list, found.Total, search), nil
	}
	offset, _ := strconv.Atoi(v.query("offset")) // what is no number begins at the beginning
	var list api.LearningList
	if err := v.ask("learnings.list", map[string]any{"status": status, "limit": learningPage, "offset": max(offset, 0)}, &list); err != nil {
		return h.Node{}, err
	}
	first, next := "", ""
	if offset > 0 {
		first = at("/learnings", "status", status)
	}
	if offset+learningPage < list.Total {
		next = at("/learnings", "status", status, "offset", number(offset+learningPage))
	}
	return h.Join(v.learningTable(list.Learnings, list.Total, search), pager(first, next)), nil
}

func (v visit) learningTable(list []api.Learning, total int, search string) h.Node {
	if len(list) == 0 {
		return empty(search, "There is no learning here.",
			h.Text("Agents write them down with "), code("POST /api/learnings"), h.Text(", or the loop makes them of "),
			code("discovery.observed"), h.Text(" events."))
	}
	rows := make([]h.Node, len(list))
	for i := range list {
		rows[i] = v.learningRow(&list[i].Learning)
	}
	return section(table(plural(int64(total), "learning", "learnings"),
		[]string{"Title", "Confidence", "#Injected", "#Helped", "#Did not", "Changed"}, rows))
}

func (v visit) learningRow(l *learnings.Learning) h.Node {
	return row(h.Join(link(at("/learning", "id", l.ID), titleOf(l)), h.Text(" "), statusTag(l)), confidence(l),
		amount(l.TimesInjected), amount(l.TimesHelpful), amount(l.TimesNotHelpful), v.when(l.UpdatedAt))
}

func titleOf(l *learnings.Learning) string {
	if l.Title == "" {
		return l.ID
	}
	return l.Title
}

func statusTag(l *learnings.Learning) h.Node {
	switch l.Status {
	case learnings.Active:
		return h.Node{}
	case learnings.Proposed:
		return tag("warn", "proposed")
	default:
		return tag("", string(l.Status))
	}
}

func confidence(l *learnings.Learning) h.Node {
	return h.El("span", h.At("class", "number"), length(l.Confidence),
		h.El("span", h.At("class", "rate"), h.Text(percent(&l.Confidence))))
}

// queue are the proposals that wait for a reviewer's word.
func (v visit) queue() (h.Node, error) {
	if !v.who.May(api.Review) {
		return h.Node{}, nil
	}
	var q api.Queue
	if err := v.ask("learnings.queue", nil, &q); err != nil {
		return h.Node{}, err
	}
	if q.Total == 0 {
		return h.Node{}, nil
	}
	parts := []h.Part{heading("Waiting for review"), h.El("p", minor(plural(int64(q.Total), "proposal", "proposals")+", the oldest first."))}
	for i := range q.Proposals[:min(len(q.Proposals), 10)] {
		l := &q.Proposals[i].Learning
		parts = append(parts, h.El("h3", link(at("/learning", "id", l.ID), titleOf(l))), coia(l), decide(l))
	}
	return section(parts...), nil
}

// decide are the two answers to a proposal.
func decide(l *learnings.Learning) h.Node {
	return h.El("div", h.At("class", "actions"),
		button("/learning/review", "Approve", "", hidden{"id", l.ID}, hidden{"verdict", "approved"}),
		button("/learning/review", "Reject", "danger", hidden{"id", l.ID}, hidden{"verdict", "rejected"}))
}

// coia is the card of a learning.
func coia(l *learnings.Learning) h.Node {
	said := func(name, text string) fact {
		if text == "" {
			return fact{name, minor("not said")}
		}
		return fact{name, h.El("span", h.At("dir", "auto"), h.Text(text))}
	}
	return facts(said("Context", l.Context), said("Observation", l.Observation), said("Implication", l.Implication), said("Action", l.Action))
}
