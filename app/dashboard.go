package app

import (
	"context"
	"crypto/subtle"
	"net/http"
	"strings"
	"time"

	"learnloop.dev/kv"
	"learnloop.dev/web"

	"go.uber.org/zap"
)

// openDashboard serves the pages beside the operations, and tells them what changes.
func (l *Loop) openDashboard(token string) {
	site := web.New(web.Deps{
		Loop: l.operations,
		Gate: web.NewSessions(func(given string) bool {
			return subtle.ConstantTimeCompare([]byte(strings.TrimSpace(given)), []byte(token)) == 1
		}, time.Now),
		Failed: func(page string, err error) { l.log.Error("page failed", zap.String("page", page), zap.Error(err)) },
	})
	site.Handle(l.operations.Handle)
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
