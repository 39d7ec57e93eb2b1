package app

import (
	"context"
	"net/http"
	"strings"

	"learnloop.dev/api"
	"learnloop.dev/kv"
	"learnloop.dev/web"

	"go.uber.org/zap"
)

// openDashboard serves the pages beside the operations, and tells them what changes.
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
	l.run("pages", site.Run)
	l.run("pages of contexts", telling(l.contexts, func(key string) {
		kind, _, _ := strings.Cut(key, ".")
		site.Tell(kind)
	}))
	l.run("pages of learnings", telling(l.learnings, func(string) { site.Tell(web.TopicLearning) }))
}

// telling tells of every key that changes.
func telling(r *kv.Reader, tell func(key string)) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		for c := range r.Changes(ctx, "") {
			tell(c.Key)
		}
		return nil
	}
}

// openDocuments leads who opens a process without pages to its documentation.
func (l *Loop) openDocuments() {
	l.operations.Handle("GET /{$}", http.RedirectHandler("/docs", http.StatusSeeOther))
}
