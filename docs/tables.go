package docs

import (
	"regexp"
	"strings"
)

// ruled is the line below the head of a table.
var ruled = regexp.MustCompile(`^\|(\s*:?-+:?\s*\|)+\s*$`)

func isTable(lines []string) bool {
	return len(lines) > 1 && strings.HasPrefix(lines[0], "|") && ruled.MatchString(lines[1])
}

// table writes a table, in a frame that scrolls where the window is too narrow.
func (r *renderer) table(lines []string) int {
	columns := cells(lines[1])
	r.put(`<div class="wide" tabindex="0" role="region" aria-label="table"><table>` + "\n<thead>")
	r.row("th", columns, lines[0])
	r.put("</thead>\n<tbody>\n")
	n := 2
	for n < len(lines) && strings.HasPrefix(lines[n], "|") {
		r.row("td", columns, lines[n])
		n++
	}
	r.put("</tbody></table></div>\n")
	return n
}

func (r *renderer) row(tag string, columns []string, line string) {
	r.put("<tr>")
	for i, text := range cells(line) {
		r.put("<" + tag)
		if i < len(columns) && strings.HasSuffix(columns[i], ":") {
			r.put(` class="number"`)
		}
		r.put(">")
		r.inline(text)
		r.put("</" + tag + ">")
	}
	r.put("</tr>\n")
}

// cells are what stands between the bars of a line; a bar behind a backslash is text.
func cells(line string) []string {
	const bar = "\x00"
	line = strings.ReplaceAll(strings.TrimSpace(line), `\|`, bar)
	all := strings.Split(strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|"), "|")
	for i, text := range all {
		all[i] = strings.ReplaceAll(strings.TrimSpace(text), bar, "|")
	}
	return all
}
