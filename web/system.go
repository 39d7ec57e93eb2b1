package web

import (
	"learnloop.dev/api"
	h "learnloop.dev/web/markup"
)

// system is the machinery: streams, their readers, and how far each partition is.
func system(v visit) (sheet, error) {
	if !v.who.May(api.Admin) {
		return v.closed("System"), nil
	}
	var st api.Status
	if err := v.ask("status", nil, &st); err != nil {
		return sheet{}, err
	}
	now := sightOf(&st, v.site.deps.Now())
	return sheet{title: "System", topics: topicPulse, body: h.Join(v.vital(&st, now), streams(&st), readers(&st), partitions(&st), documents())}, nil
}

func streams(st *api.Status) h.Node {
	rows := make([]h.Node, len(st.Streams))
	for i, s := range st.Streams {
		rows[i] = row(code(s.Name), amount(int64(s.Messages)), h.El("span", h.At("class", "number"), h.Text(bytesText(s.Bytes))),
			amount(int64(s.First)), amount(int64(s.Last)))
	}
	return section(heading("Streams"), table("What each holds", []string{"Stream", "#Messages", "#Size", "#First", "#Last"}, rows))
}

func readers(st *api.Status) h.Node {
	var rows []h.Node
	for _, s := range st.Streams {
		for _, c := range s.Consumers {
			rows = append(rows, row(code(c.Name), code(s.Name), amount(int64(c.Pending)), amount(int64(c.Unacked)), amount(int64(c.Floor))))
		}
	}
	if len(rows) == 0 {
		return h.Node{}
	}
	return section(heading("Readers"), table("How far each is", []string{"Reader", "Stream", "#To come", "#Under way", "#Done up to"}, rows))
}

func partitions(st *api.Status) h.Node {
	rows := make([]h.Node, len(st.Reflected))
	for p, seq := range st.Reflected {
		state := minor("nothing yet")
		if seq > 0 {
			state = amount(int64(seq))
		}
		rows[p] = row(h.Text(number(p)), state)
	}
	return section(heading("Partitions"), fold(plural(int64(st.Partitions), "partition", "partitions"),
		table("The log position that contexts reflect; the log ends at "+count(int64(st.Log)), []string{"Partition", "#Reflected"}, rows)))
}

// documents lead to what programs read.
func documents() h.Node {
	return section(heading("For programs"), h.El("p", link("/docs", "Operations"), h.Text(", "), link("/openapi.json", "OpenAPI"), h.Text(", "),
		link("/asyncapi.json", "AsyncAPI"), h.Text(", "), link("/schemas", "schemas of events"), h.Text(", "), link("/metrics", "metrics")))
}
