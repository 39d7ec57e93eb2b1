package docs

import (
	"html"
	"io/fs"
	"regexp"
	"strings"
)

// layout is a page around a text: the text, and the way to the others, beside it or on a
// phone below. It loads its stylesheet and nothing else.
func layout(file, text string) []byte {
	r := &renderer{file: file, slugs: map[string]int{}}
	r.put("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n" +
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n" +
		"<meta name=\"color-scheme\" content=\"light dark\">\n" +
		"<title>" + html.EscapeString(title(text)) + " · learnloop</title>\n" +
		"<link rel=\"stylesheet\" href=\"" + Root + "/style.css\">\n</head>\n<body>\n" +
		"<a class=\"pages\" href=\"#pages\">All pages</a>\n<main>\n")
	r.blocks(strings.Split(text, "\n"))
	r.put("</main>\n<nav id=\"pages\" aria-label=\"Pages\">\n<p><a href=\"/\">learnloop</a></p>\n")
	r.navigation()
	r.put("</nav>\n</body>\n</html>\n")
	return []byte(r.out.String())
}

// title is what the first heading of a page says.
func title(text string) string {
	first, _, _ := strings.Cut(text, "\n")
	return strings.TrimSpace(strings.TrimLeft(first, "#"))
}

// entry is an item of the index: a page and its name.
var entry = regexp.MustCompile(`^- \[([^\]]+)\]\(([^)#]+\.md)\)`)

// navigation lists the pages as the index groups them.
func (r *renderer) navigation() {
	text, _ := fs.ReadFile(FS, index) // it is there: go:embed names it
	here, open := address(r.file), false
	for line := range strings.Lines(string(text)) {
		m := entry.FindStringSubmatch(line)
		switch {
		case level(line) == 2:
			r.put(closing(open) + "<h2>" + html.EscapeString(title(line)) + "</h2>\n<ul>\n")
			open = true
		case m != nil && open:
			r.item(m[1], address(m[2]), here)
		}
	}
	r.put(closing(open))
}

func closing(open bool) string {
	if open {
		return "</ul>\n"
	}
	return ""
}

func (r *renderer) item(name, at, here string) {
	current := ""
	if at == here {
		current = ` aria-current="page"`
	}
	r.put(`<li><a href="` + html.EscapeString(at) + `"` + current + ">" + html.EscapeString(name) + "</a></li>\n")
}
