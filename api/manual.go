package api

import (
	"net/http"

	"learnloop.dev/docs"
)

// manualPolicy lets a page of the manual load its stylesheet, and nothing else.
const manualPolicy = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// manual serves the pages of the manual.
func manual(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("page")
	if name == "style.css" {
		constant("text/css; charset=utf-8", docs.Style())(w, r)
		return
	}
	page, ok := docs.Page(name)
	if !ok {
		problem(NotFound, "no such page").hint("GET /docs lists them").reply(w)
		return
	}
	w.Header().Set("Content-Security-Policy", manualPolicy)
	constant("text/html; charset=utf-8", page)(w, r)
}
