package web

import (
	"strconv"

	"learnloop.dev/api"
	"learnloop.dev/pipeline"
	h "learnloop.dev/web/markup"
)

// letterPage is how many dead letters a page lists.
const letterPage = 50

// letterList lists what was refused, the newest first.
func letterList(v visit) (sheet, error) {
	if !v.who.May(api.Admin) {
		return v.closed("Dead letters"), nil
	}
	args := map[string]any{"limit": letterPage}
	before, err := strconv.ParseUint(v.query("before"), 10, 64)
	if err == nil && before > 0 {
		args["before"] = before
	}
	var list api.Letters
	if err := v.ask("dlq.list", args, &list); err != nil {
		return sheet{}, err
	}
	made := sheet{title: "Dead letters", follow: follows{topics: []string{deadLetters}}}
	if len(list.Letters) == 0 {
		made.body = nothing("Nothing was refused in the last 14 days.",
			h.Text("Events that are wrong leave a letter here that says why, and never what was in them."))
		return made, nil
	}
	rows := make([]h.Node, len(list.Letters))
	for i := range list.Letters {
		l := &list.Letters[i]
		n := strconv.FormatUint(l.Number, 10)
		rows[i] = row(link(at("/letter", "n", n), n), v.when(l.At), h.Text(l.Stage), tag("bad", string(l.Reason)), code(string(l.Kind)), where(l))
	}
	first, next := "", ""
	if before > 0 {
		first = "/dead-letters"
	}
	if list.Next > 0 {
		next = at("/dead-letters", "before", strconv.FormatUint(list.Next, 10))
	}
	made.body = section(table("The newest first", []string{"Letter", "When", "Stage", "Reason", "Kind", "Where"}, rows), pager(first, next))
	return made, nil
}

// where is the first place that was wrong.
func where(l *api.Letter) h.Node {
	if len(l.Violations) == 0 {
		return minor("–")
	}
	more := ""
	if n := len(l.Violations) - 1; n > 0 {
		more = " and " + plural(int64(n), "more place", "more places")
	}
	return h.Join(code(l.Violations[0].Pointer), minor(more))
}

// letterSheet is one dead letter.
func letterSheet(v visit) (sheet, error) {
	if !v.who.May(api.Admin) {
		return v.closed("Dead letters"), nil
	}
	n, _ := strconv.ParseUint(v.query("n"), 10, 64) // none has the number 0
	var l api.Letter
	if err := v.ask("dlq.get", map[string]any{"sequence": n}, &l); err != nil {
		return sheet{}, err
	}
	var rows []h.Node
	for _, is := range l.Violations {
		rows = append(rows, row(code(is.Pointer), h.Text(is.Expected)))
	}
	about := []fact{{"Reason", tag("bad", string(l.Reason))}, {"Stage", h.Text(l.Stage)}, {"When", v.when(l.At)}, {"Kind", code(string(l.Kind))},
		{"Id", code(l.ID)}, {"Source", code(l.Source)}, {"Size", h.Text(bytesText(uint64(max(l.Size, 0))))}, {"SHA-256", code(l.SHA256)}}
	if l.Sequence > 0 {
		about = append(about, fact{"In the log", amount(int64(l.Sequence))})
	}
	if l.Replay != "" {
		about = append(about, fact{"Replay", code(l.Replay)})
	}
	body := section(facts(about...))
	if len(rows) > 0 {
		body = h.Join(body, section(table("What was wrong", []string{"Place", "Expected"}, rows)))
	}
	if l.Redriven > 0 {
		n := strconv.FormatUint(l.Redriven, 10)
		body = h.Join(body, section(h.El("p", h.Text("It was driven again for dead letter "), link(at("/letter", "n", n), n), h.Text("."))))
	}
	return sheet{title: "Dead letter " + strconv.FormatUint(l.Number, 10), body: h.Join(body, again(&l))}, nil
}

// again is what to do about a letter.
func again(l *api.Letter) h.Node {
	if l.Stage == pipeline.AnalyzeStage && l.Sequence > 0 {
		return section(heading("What to do"), para("The log has this event, and the analyzer could not fold it. After an upgrade, drive it again: "+
			"it counts once, however often it is driven."),
			button("/letter/redrive", "Drive again", "", hidden{"n", strconv.FormatUint(l.Number, 10)}))
	}
	return section(heading("What to do"), para("Ids are keyed hashes, and what was in the event is not kept: it had not been anonymised. "+
		"Mend the event where it is made, and send it again under the same id."))
}

// redriveLetter drives again what the analyzer refused, and says what became of it.
func redriveLetter(v visit) (to string, answer sheet, err error) {
	n, _ := strconv.ParseUint(v.field("n"), 10, 64) // none has the number 0
	var r api.Redriven
	if err := v.ask("dlq.redrive", map[string]any{"sequence": n}, &r); err != nil {
		return "", answer, err
	}
	if r.Refused > 0 {
		return at("/letter", "n", strconv.FormatUint(r.Refused, 10), "said", "again"), answer, nil
	}
	return at("/letter", "n", strconv.FormatUint(n, 10), "said", "driven"), answer, nil
}
