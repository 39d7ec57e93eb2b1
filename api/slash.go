package api

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// serveSlash answers a request of which a part of the path is one escaped slash,
// an id like any other: http.ServeMux takes it for the slash at the end of a path.
// It reports whether there is such a part, and a route for it.
func (g guard) serveSlash(w http.ResponseWriter, r *http.Request) bool {
	parts := strings.Split(r.URL.EscapedPath(), "/")
	if !slices.ContainsFunc(parts, isSlash) {
		return false
	}
	plain := r.Clone(r.Context())
	plain.URL.Path = strings.Join(masked(parts), "/")
	plain.URL.RawPath = ""
	route, pattern := g.mux.Handler(plain)
	_, path, _ := strings.Cut(pattern, " ")
	names := strings.Split(path, "/")
	if len(names) != len(parts) {
		return false
	}
	for i, name := range names {
		if name, found := strings.CutPrefix(name, "{"); found {
			value, _ := url.PathUnescape(parts[i]) // the path was unescaped before
			r.SetPathValue(strings.TrimSuffix(name, "}"), value)
		}
	}
	r.Pattern = pattern
	route.ServeHTTP(w, r)
	return true
}

func isSlash(part string) bool { return strings.EqualFold(part, "%2f") }

// masked puts a word in the place of each slash, and of what has to be escaped.
func masked(parts []string) []string {
	out := slices.Clone(parts)
	for i, part := range out {
		if strings.Contains(part, "%") {
			out[i] = "x"
		}
	}
	return out
}
