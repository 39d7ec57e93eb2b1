// Package docs holds the manual, and makes pages for a browser of it.
package docs

import (
	"embed"
	"io/fs"
	"path"
	"strings"
)

// FS holds the pages as Markdown, and the stylesheet of what is made of them.
//
//go:embed *.md reference/*.md style.css
var FS embed.FS

// Root is the path that the pages are served under.
const Root = "/docs"

// index is the page that leads to all others.
const index = "README.md"

// Page returns a page for a browser by its path below Root ("" is the index, then
// "quickstart", "reference/cli"), and false when there is none.
func Page(name string) ([]byte, bool) {
	file := index
	if name != "" {
		file = name + ".md"
	}
	text, err := fs.ReadFile(FS, file)
	if err != nil || name+".md" == index {
		return nil, false
	}
	return layout(file, string(text)), true
}

// Style returns the stylesheet, which pages ask for as style.css below Root.
func Style() []byte {
	text, _ := fs.ReadFile(FS, "style.css") // it is there: go:embed names it
	return text
}

// address is where a page is served; "" when a file is no page.
func address(file string) string {
	if _, err := fs.Stat(FS, file); err != nil || path.Ext(file) != ".md" {
		return ""
	}
	return path.Join(Root, strings.TrimSuffix(strings.TrimSuffix(file, index), ".md"))
}
