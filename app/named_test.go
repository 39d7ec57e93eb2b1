package app_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Routes and subjects as the manual names them within code: `GET /api/rules/{id}`,
// `learn.svc.route`.
var (
	namedRoute   = regexp.MustCompile("`(?:(GET|POST|PATCH|PUT|DELETE) )?(/(?:api|v1)/[^`\\s?…]+)[^`]*`")
	namedSubject = regexp.MustCompile("`(learn\\.svc\\.[a-z.-]*[a-z])`")
)

func TestEveryRouteThatTheManualNamesIsServed(t *testing.T) {
	l, _ := start(t, t.TempDir())
	doc, subjects := l.described(t)
	served := map[string]bool{}
	for _, subject := range subjects {
		served[subject] = true
	}
	files, err := filepath.Glob("../docs/*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("no manual: %v", err)
	}
	for _, file := range append(files, "../README.md") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range namedRoute.FindAllStringSubmatch(string(text), -1) {
			if !doc.serves(m[1], m[2]) {
				t.Errorf("%s: nothing is served at %s %s", file, m[1], m[2])
			}
		}
		for _, m := range namedSubject.FindAllStringSubmatch(string(text), -1) {
			if !served[m[1]] {
				t.Errorf("%s: nobody answers to %s", file, m[1])
			}
		}
	}
}

// serves reports whether a path has a method; any will do where none is named. What
// stands in a path may be an example of what the document has in braces.
func (d openAPI) serves(method, path string) bool {
	parts := strings.Split(path, "/")
	for template, methods := range d.Paths {
		at := strings.Split(template, "/")
		if len(at) != len(parts) || method != "" && methods[strings.ToLower(method)] == nil {
			continue
		}
		same := true
		for i := range at {
			same = same && (at[i] == parts[i] || strings.HasPrefix(at[i], "{"))
		}
		if same {
			return true
		}
	}
	return false
}
