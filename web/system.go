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
	return sheet{title: "System", follow: follows{often: true},
		body: h.Join(v.vital(&st), streams(&st), readers(&st), partitions(&st), snapshots(), documents())}, nil
}

func streams(st *api.Status) h.Node {
	rows := make([]h.Node, len(st.Streams))
	for i, s := range st.Streams {
		rows[i] = row(code(s.Name), amount(int64(s.Messages)), numeric(bytesText(s.Bytes)),
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

// mostPartitions is how many are shown to who does not ask for them.
const mostPartitions = 8

func partitions(st *api.Status) h.Node {
	rows := make([]h.Node, len(st.Reflected))
	for p, seq := range st.Reflected {
		state := numeric("nothing yet")
		if seq > 0 {
			state = amount(int64(seq))
		}
		rows[p] = row(h.Text(number(p)), state)
	}
	list := table("The log position that contexts reflect; the log ends at "+count(int64(st.Log)), []string{"Partition", "#Reflected"}, rows)
	if len(rows) > mostPartitions {
		list = fold(plural(int64(st.Partitions), "partition", "partitions"), list)
	}
	return section(heading("Partitions"), list)
}

// snapshots say what would be there after a crash, and what is for operators to copy.
func snapshots() h.Node {
	return section(heading("Snapshots"),
		para("What was learned is written down together with how far in the log it is, partition by partition: after a crash the loop goes on from "+
			"there, and what is lost is made again of the log. Copies of the data folder are yours to make, while the loop is stopped."),
		h.El("p", link("/docs/operations#backup-and-restore", "How to back up and restore")))
}

// documents lead to what programs read.
func documents() h.Node {
	return section(heading("For programs"), h.El("p", link("/docs", "Operations"), h.Text(", "), link("/openapi.json", "OpenAPI"), h.Text(", "),
		link("/asyncapi.json", "AsyncAPI"), h.Text(", "), link("/schemas", "schemas of events"), h.Text(", "), link("/metrics", "metrics")))
}
