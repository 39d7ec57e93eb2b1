package docs

import (
	"slices"
	"strings"
)

// list writes a list, and returns how many lines it has.
func (r *renderer) list(lines []string) int {
	kind := marker(lines[0])
	tag := "ul"
	if kind[0] >= '0' && kind[0] <= '9' {
		tag = "ol"
	}
	var items [][]string
	n := 0
	for n < len(lines) && sameList(kind, marker(lines[n])) {
		length := itemLength(lines[n:])
		items = append(items, item(lines[n:n+length]))
		n += length
	}
	outside := r.tight
	r.tight = !loose(items)
	r.put("<" + tag + ">\n")
	for _, lines := range items {
		r.put("<li>")
		r.blocks(lines)
		r.put("</li>\n")
	}
	r.put("</" + tag + ">\n")
	r.tight = outside
	return n
}

// sameList reports whether two items stand in one list: numbers go with numbers.
func sameList(one, other string) bool {
	return other != "" && (one == other || strings.HasSuffix(one, ". ") && strings.HasSuffix(other, ". "))
}

// itemLength is how many lines the first item has: what is indented below it belongs
// to it, and the rest of its paragraph.
func itemLength(lines []string) int {
	width := strings.Repeat(" ", len(marker(lines[0])))
	n := 1
	for n < len(lines) {
		belongs := strings.HasPrefix(lines[n], width) || blank(lines[n]) || !blank(lines[n-1]) && !begins(lines[n])
		if !belongs || marker(lines[n]) != "" {
			break
		}
		n++
	}
	return n
}

// item is what an item holds, without its marker and what indents it.
func item(lines []string) []string {
	width := len(marker(lines[0]))
	inner := []string{lines[0][width:]}
	for _, line := range lines[1:] {
		indent := len(line) - len(strings.TrimLeft(line, " "))
		inner = append(inner, line[min(width, indent):])
	}
	return inner
}

// loose reports whether the items of a list are paragraphs: there are empty lines
// among them.
func loose(items [][]string) bool {
	for i, lines := range items {
		if i == len(items)-1 {
			lines = trimmed(lines)
		}
		if slices.ContainsFunc(lines, blank) {
			return true
		}
	}
	return false
}

// trimmed are lines without the empty ones at their end.
func trimmed(lines []string) []string {
	for len(lines) > 0 && blank(lines[len(lines)-1]) {
		lines = lines[:len(lines)-1]
	}
	return lines
}
