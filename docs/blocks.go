package docs

import (
	"html"
	"slices"
	"strconv"
	"strings"
)

// renderer writes HTML for the Markdown that the manual is written in: headings,
// paragraphs, lists, quotes, tables, code. What it does not know it writes as text.
type renderer struct {
	out   strings.Builder
	file  string         // the page, which links are relative to
	tight bool           // paragraphs stand without a space around them
	slugs map[string]int // how many headings have a name already
}

// put writes HTML.
func (r *renderer) put(html string) { r.out.WriteString(html) }

// blocks writes the blocks of some lines.
func (r *renderer) blocks(lines []string) {
	for len(lines) > 0 {
		lines = lines[r.block(lines):]
	}
}

// block writes the block that begins at the first line, and returns how many lines
// it has.
func (r *renderer) block(lines []string) int {
	switch line := lines[0]; {
	case blank(line):
		return 1
	case strings.HasPrefix(line, "<!--"):
		return commented(lines)
	case strings.HasPrefix(line, fenceMark):
		return r.fence(lines)
	case level(line) > 0:
		return r.heading(line)
	case isTable(lines):
		return r.table(lines)
	case marker(line) != "":
		return r.list(lines)
	case strings.HasPrefix(line, ">"):
		return r.quote(lines)
	case strings.HasPrefix(line, indentMark):
		return r.indented(lines)
	}
	return r.paragraph(lines)
}

// commented is how many lines a comment has; nobody sees it.
func commented(lines []string) int {
	end := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, "-->") })
	if end < 0 {
		return len(lines)
	}
	return end + 1
}

const (
	fenceMark  = "```"
	indentMark = "    "
)

func blank(line string) bool { return strings.TrimSpace(line) == "" }

// begins reports whether a line starts a block of its own, even below a paragraph.
func begins(line string) bool {
	return blank(line) || strings.HasPrefix(line, "<!--") || strings.HasPrefix(line, fenceMark) ||
		level(line) > 0 || strings.HasPrefix(line, ">") || strings.HasPrefix(line, "|") ||
		marker(line) == "- " || marker(line) == "1. "
}

// level is how deep a heading is, 0 for what is none.
func level(line string) int {
	n := len(line) - len(strings.TrimLeft(line, "#"))
	if n > 6 || !strings.HasPrefix(line[n:], " ") {
		return 0
	}
	return n
}

// marker is how an item of a list begins, "" for what is none.
func marker(line string) string {
	digits := strings.TrimLeft(line, "0123456789")
	switch n := len(line) - len(digits); {
	case n == 0 && (strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ")):
		return line[:2]
	case n > 0 && strings.HasPrefix(digits, ". "):
		return line[:n+2]
	}
	return ""
}

func (r *renderer) heading(line string) int {
	n := level(line)
	text := strings.TrimSpace(line[n:])
	tag := "h" + strconv.Itoa(n)
	r.put("<" + tag + ` id="` + html.EscapeString(r.slug(text)) + `">`)
	r.inline(text)
	r.put("</" + tag + ">\n")
	return 1
}

// slug names a heading as links call it.
func (r *renderer) slug(text string) string {
	name := Slug(text)
	n := r.slugs[name]
	r.slugs[name]++
	if n > 0 {
		name += "-" + strconv.Itoa(n)
	}
	return name
}

func (r *renderer) fence(lines []string) int {
	info, _, _ := strings.Cut(strings.TrimPrefix(lines[0], fenceMark), " ")
	n := slices.Index(lines[1:], fenceMark)
	if n < 0 {
		n = len(lines) - 1
	}
	r.code(info, lines[1:1+n])
	return min(n+2, len(lines))
}

func (r *renderer) indented(lines []string) int {
	n := 0
	for n < len(lines) && strings.HasPrefix(lines[n], indentMark) {
		n++
	}
	var code []string
	for _, line := range lines[:n] {
		code = append(code, strings.TrimPrefix(line, indentMark))
	}
	r.code("", code)
	return n
}

// code writes lines as they are; who has no mouse can scroll to their ends.
func (r *renderer) code(language string, lines []string) {
	r.put(`<pre tabindex="0"><code`)
	if language != "" {
		r.put(` class="language-` + html.EscapeString(language) + `"`)
	}
	r.put(">")
	for _, line := range lines {
		r.put(html.EscapeString(line) + "\n")
	}
	r.put("</code></pre>\n")
}

func (r *renderer) quote(lines []string) int {
	n := 0
	var inner []string
	for n < len(lines) && strings.HasPrefix(lines[n], ">") {
		inner = append(inner, strings.TrimPrefix(strings.TrimPrefix(lines[n], ">"), " "))
		n++
	}
	r.put("<blockquote>\n")
	r.blocks(inner)
	r.put("</blockquote>\n")
	return n
}

func (r *renderer) paragraph(lines []string) int {
	n := 1
	for n < len(lines) && !begins(lines[n]) {
		n++
	}
	if !r.tight {
		r.put("<p>")
	}
	r.inline(strings.TrimSpace(strings.Join(lines[:n], "\n")))
	if !r.tight {
		r.put("</p>")
	}
	r.put("\n")
	return n
}
