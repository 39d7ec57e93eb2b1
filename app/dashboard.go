package app

import (
	"net/http"
	"strings"

	"learnloop.dev/api"
	"learnloop.dev/web"

	"go.uber.org/zap"
)

// openDashboard serves the pages beside the operations.
func (l *Loop) openDashboard() {
	site := web.New(web.Deps{
		Loop:   l.operations,
		Gate:   l.operations.Gate(),
		Failed: func(page string, err error) { l.log.Error("page failed", zap.String("page", page), zap.Error(err)) },
	})
	site.Handle(func(pattern string, page http.Handler) {
		if _, path, _ := strings.Cut(pattern, " "); !strings.HasPrefix(path, "/signin") && !strings.HasPrefix(path, "/assets/") {
			page = api.Admit(api.Read, page) // on a closed loop nobody looks who did not sign in
		}
		l.operations.Handle(pattern, page)
	})
	l.operations.HandleAstray(api.Admit(api.Read, site.Astray()))
}

// openDocuments leads who opens a process without pages to its documentation.
func (l *Loop) openDocuments() {
	l.operations.Handle("GET /{$}", http.RedirectHandler("/docs", http.StatusSeeOther))
}
