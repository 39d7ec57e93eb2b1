package privacy

import (
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// maxPath bounds what is looked at as a file name, in bytes.
const maxPath = 1024

// optOut knows the files whose content is never stored; the zero optOut knows none.
type optOut struct{ globs []glob }

// glob is a pattern in lower case; most are a literal with a star on one side.
type glob struct {
	kind    globKind
	literal string
}

type globKind uint8

const (
	anyGlob globKind = iota // as doublestar reads it
	exactName
	prefixOf
	suffixOf
)

func newOptOut(patterns []string) optOut {
	var o optOut
	for _, p := range patterns {
		o.globs = append(o.globs, newGlob(slashed(p)))
	}
	return o
}

func newGlob(pattern string) glob {
	const meta = "*?[{\\/"
	first, last := pattern[:1] == "*", pattern[len(pattern)-1:] == "*"
	switch {
	case !strings.ContainsAny(pattern, meta):
		return glob{exactName, pattern}
	case first && !strings.ContainsAny(pattern[1:], meta):
		return glob{suffixOf, pattern[1:]}
	case last && !strings.ContainsAny(pattern[:len(pattern)-1], meta):
		return glob{prefixOf, pattern[:len(pattern)-1]}
	}
	return glob{anyGlob, pattern}
}

// slashed is how paths are compared: lower case, with slashes.
func slashed(name string) string { return strings.ToLower(strings.ReplaceAll(name, `\`, "/")) }

// matches reports whether a name or path is opted out: by its last element, or as a whole where the
// pattern has a slash.
func (o optOut) matches(name string) bool {
	if len(o.globs) == 0 || name == "" || len(name) > maxPath || strings.IndexByte(name, '\n') >= 0 {
		return false
	}
	name = slashed(cleanPath(name))
	base := path.Base(name)
	for _, g := range o.globs {
		if g.matches(name, base) {
			return true
		}
	}
	return false
}

func (g glob) matches(name, base string) bool {
	switch g.kind {
	case exactName:
		return base == g.literal
	case prefixOf:
		return strings.HasPrefix(base, g.literal)
	case suffixOf:
		return strings.HasSuffix(base, g.literal)
	default:
		return doublestar.MatchUnvalidated(g.literal, base) ||
			strings.Contains(g.literal, "/") && doublestar.MatchUnvalidated("**/"+strings.TrimPrefix(g.literal, "/"), name)
	}
}

// cleanPath drops what stands around a path: quotes, the query of a URL, a line number.
func cleanPath(name string) string {
	name = strings.Trim(name, " \t\r\n\"'`()<>,;")
	if strings.Contains(name, "://") {
		name, _, _ = strings.Cut(name, "?")
		name, _, _ = strings.Cut(name, "#")
	}
	for range 2 { // file:12:3
		at := strings.LastIndexByte(name, ':')
		if at < 0 || digits.run(name, at+1) < len(name) {
			break
		}
		name = name[:at]
	}
	return name
}

// pathEndings are what names of members end in whose value is a file name or path.
var pathEndings = [...]string{"path", "paths", "file", "files", "filename", "filenames", "name", "uri", "url"}

// namesPath reports whether the value of a member may be a file name or path.
func namesPath(member string) bool {
	for _, e := range pathEndings {
		if endsIn(member, e) {
			return true
		}
	}
	return false
}
