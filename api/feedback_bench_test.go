package api

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// BenchmarkPostFeedback is feedback over HTTP until it is on disk; where many come at once
// they share a write (003: a capture blocks for 2 ms at most).
func BenchmarkPostFeedback(b *testing.B) {
	handler := build(b).api.Handler()
	var next atomic.Int64
	post := func() {
		body := fmt.Sprintf(`{"exchange_id":"x-%d","feedback_type":"thumbs_up","user_id":"ann"}`, next.Add(1))
		req := httptest.NewRequest(http.MethodPost, "/api/feedback", strings.NewReader(body))
		req.Host = "localhost"
		req.Header.Set("Content-Type", "application/json")
		res := httptest.NewRecorder()
		handler.ServeHTTP(res, req)
		if res.Code >= 300 {
			b.Errorf("%d %s", res.Code, res.Body)
		}
	}
	b.Run("one by one", func(b *testing.B) {
		for b.Loop() {
			post()
		}
	})
	b.Run("many at once", func(b *testing.B) {
		b.SetParallelism(32)
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				post()
			}
		})
	})
}
