package docs_test

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"learnloop.dev/docs"
)

// pages are the names of all pages.
func pages(t *testing.T) (names []string) {
	t.Helper()
	err := fs.WalkDir(docs.FS, ".", func(file string, _ fs.DirEntry, err error) error {
		if path.Ext(file) == ".md" {
			names = append(names, strings.TrimSuffix(file, ".md"))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// shown is a page as a browser gets it.
func shown(t *testing.T, name string) string {
	t.Helper()
	page, ok := docs.Page(strings.TrimPrefix(name, "README"))
	if !ok {
		t.Fatalf("there is no page %s", name)
	}
	return string(page)
}

var (
	address = regexp.MustCompile(`(?:href|src)="([^"]*)"`)
	named   = regexp.MustCompile(` id="([^"]*)"`)
)

func TestEveryLinkOfThePagesLeadsSomewhere(t *testing.T) {
	there := map[string]bool{"/": true, "/docs/style.css": true, "/openapi.json": true, "/asyncapi.json": true, "/schemas": true, "/metrics": true}
	for _, name := range pages(t) {
		at := strings.TrimSuffix(docs.Root+"/"+strings.TrimPrefix(name, "README"), "/")
		there[at] = true
		for _, m := range named.FindAllStringSubmatch(shown(t, name), -1) {
			there[at+"#"+m[1]] = true
		}
	}
	for _, name := range pages(t) {
		at := strings.TrimSuffix(docs.Root+"/"+strings.TrimPrefix(name, "README"), "/")
		for _, m := range address.FindAllStringSubmatch(shown(t, name), -1) {
			to := m[1]
			if strings.HasPrefix(to, "#") {
				to = at + to
			}
			if !there[to] && !strings.HasPrefix(to, "https://") && !strings.HasPrefix(to, "http://127.0.0.1") {
				t.Errorf("%s: nothing is at %s", name, m[1])
			}
		}
	}
}

// written is a link in Markdown.
var written = regexp.MustCompile(`\]\(([^)\s]+)\)`)

func TestEveryLinkOfTheRepositoryLeadsToAFile(t *testing.T) {
	files := []string{"../README.md", "../CONTRIBUTING.md", "../CHANGELOG.md"}
	for _, glob := range []string{"*.md", "reference/*.md", "adr/*.md", "../examples/*/README.md", "../deploy/*/README.md"} {
		more, err := filepath.Glob(glob)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, more...)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range written.FindAllStringSubmatch(string(text), -1) {
			to, part, _ := strings.Cut(m[1], "#")
			if strings.Contains(to, "://") || strings.HasPrefix(to, "/") {
				continue
			}
			if err := leads(file, to, part); err != nil {
				t.Error(err)
			}
		}
	}
}

// leads reports what is missing of a link from a file.
func leads(file, to, part string) error {
	target := file
	if to != "" {
		target = filepath.Join(filepath.Dir(file), to)
	}
	info, err := os.Stat(target)
	if err != nil {
		return fmt.Errorf("%s: nothing is at %s", file, to)
	}
	if part == "" || info.IsDir() {
		return nil
	}
	text, err := os.ReadFile(target)
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") && docs.Slug(strings.TrimSpace(strings.TrimLeft(line, "#"))) == part {
			return nil
		}
	}
	return fmt.Errorf("%s: %s has no heading %s (%w)", file, to, part, err)
}

func TestTheIndexLeadsToEveryPage(t *testing.T) {
	home := shown(t, "README")
	for _, name := range pages(t) {
		if at := docs.Root + "/" + name; name != "README" && strings.Count(home, `href="`+at+`"`) < 2 {
			t.Errorf("%s is not in docs/README.md, or not among the links beside every page: begin a line with \"- [Name](%s.md)\"", name, name)
		}
	}
}

func TestAPageLoadsItsStylesheetAndNothingElse(t *testing.T) {
	for _, name := range pages(t) {
		page := shown(t, name)
		for _, bad := range []string{"<script", "<img", "<iframe", " style=", " onclick", "src="} {
			if strings.Contains(page, bad) {
				t.Errorf("%s has %s", name, bad)
			}
		}
		if !strings.HasPrefix(page, "<!doctype html>") || strings.Count(page, "<h1") != 1 {
			t.Errorf("%s is no page with one title", name)
		}
	}
	if !strings.Contains(string(docs.Style()), "prefers-color-scheme: dark") {
		t.Error("there is no dark side")
	}
}

func TestThereIsNoPageOfAnotherName(t *testing.T) {
	for _, name := range []string{"README", "none", "../README", "adr/0001-record-decisions", "style.css", "reference", "quickstart.md", "/"} {
		if _, ok := docs.Page(name); ok {
			t.Errorf("%q is a page", name)
		}
	}
}

func TestMarkdownBecomesHTML(t *testing.T) {
	for text, want := range map[string]string{
		"# A `b` & c":                  `<h1 id="a-b--c">A <code>b</code> &amp; c</h1>`,
		"one\ntwo\n\nthree":            "<p>one\ntwo</p>\n<p>three</p>",
		"**a** *b* `c*d*` 2 * 3 * 4":   "<p><strong>a</strong> <em>b</em> <code>c*d*</code> 2 * 3 * 4</p>",
		"[a `b`](privacy.md#clearing)": `<a href="/docs/privacy#clearing">a <code>b</code></a>`,
		"[a](README.md)":               `<a href="/docs">a</a>`,
		"[a](../bus)":                  `<span class="elsewhere" title="in the repository">a</span>`,
		"<https://a.example>":          `<a href="https://a.example">https://a.example</a>`,
		"<script>alert(1)</script>":    "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>",
		"- a\n- b\n  c\n  - d\n\ne":    "<ul>\n<li>a\n</li>\n<li>b\nc\n<ul>\n<li>d\n</li>\n</ul>\n</li>\n</ul>\n<p>e</p>",
		"1. a\n2. b":                   "<ol>\n<li>a\n</li>\n<li>b\n</li>\n</ol>",
		"- a\n\n- b":                   "<ul>\n<li><p>a</p>\n</li>\n<li><p>b</p>\n</li>\n</ul>",
		"- a\n\n  ```sh\n  b\n  ```\n": "<ul>\n<li><p>a</p>\n<pre tabindex=\"0\"><code class=\"language-sh\">b\n</code></pre>\n</li>\n</ul>",
		"> a\n> b":                     "<blockquote>\n<p>a\nb</p>\n</blockquote>",
		"    a <b>\n    c":             "<pre tabindex=\"0\"><code>a &lt;b&gt;\nc\n</code></pre>",
		"| a | b |\n|---|---:|\n| `x\\|y` | 1 |": "<th>a</th><th class=\"number\">b</th></tr>\n</thead>\n<tbody>\n" +
			"<tr><td><code>x|y</code></td><td class=\"number\">1</td></tr>",
		"a\n<!-- b\nc -->\nd":  "<p>a</p>\n<p>d</p>",
		"<!-- never closed\na": "",
		"```\nnever closed":    "<pre tabindex=\"0\"><code>never closed\n</code></pre>",
		"a \\* b \\* c":        "<p>a * b * c</p>",
	} {
		if got := docs.Body(text); !strings.Contains(got, want) {
			t.Errorf("%q becomes\n%s\nwant\n%s", text, got, want)
		}
	}
}

func FuzzNoTextBreaksAPage(f *testing.F) {
	for _, seed := range []string{"- ", "1. \n", "|\n|-|", "> > - 1. ```", "<!--", "[a](b)", "`", "****", "    ", "# "} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := docs.Body(text)
		if strings.Contains(got, "<script") || strings.Contains(got, "<img") {
			t.Errorf("%q becomes %q", text, got)
		}
	})
}
