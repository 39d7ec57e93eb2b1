package api

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"learnloop.dev/kv"
	"learnloop.dev/learn"
)

// followed are contexts in memory that follow their bucket, or do not.
type followed struct {
	shelf
	live   bool
	caught int
}

func (f *followed) Live() bool                    { return f.live }
func (f *followed) CatchUp(context.Context) error { f.caught++; return nil }

func TestContextsAreReadFromMemoryWhileItFollowsTheirBucket(t *testing.T) {
	const remembered = `{"id":"passive","kind":"rule","prompt":"from memory"}`
	memory := &followed{shelf: shelf{"rule.passive": {Key: "rule.passive", Value: []byte(remembered), Revision: 7}}, live: true}
	h := furnished(t, func(d *Deps) { d.Contexts = memory })
	got := h.get(t, "/api/contexts/rule/passive")
	if got.body != remembered || got.header.Get("Learnloop-Revision") != "7" || got.header.Get("ETag") != etag([]byte(remembered)) {
		t.Errorf("%v %s", got.header, got.body)
	}
	if again := h.get(t, "/api/contexts/rule/passive", "If-None-Match: "+got.header.Get("ETag")); again.status != http.StatusNotModified || again.body != "" {
		t.Errorf("%d %s", again.status, again.body)
	}
	if missing := h.get(t, "/api/contexts/category/style"); missing.status != http.StatusNotFound { // it stands in the bucket
		t.Errorf("%d %s", missing.status, missing.body)
	}
	memory.live = false
	if got := h.get(t, "/api/contexts/rule/passive"); got.body != passive {
		t.Errorf("while the bucket is not followed: %s", got.body)
	}
}

func TestWhoWaitedForContextsReadsThem(t *testing.T) {
	memory := &followed{shelf: shelf{}, live: true}
	h := furnished(t, func(d *Deps) { d.Contexts = memory })
	var r Replay
	if h.get(t, "/api/replays/x").read(t, &r); !r.Reflected || memory.caught != 1 {
		t.Errorf("reflected %t, %d times caught up", r.Reflected, memory.caught)
	}
	if err := h.api.await(briefly(t), 0, 7); err != nil || memory.caught != 2 {
		t.Errorf("%v, %d times caught up", err, memory.caught)
	}
}

// BenchmarkReadAContext answers requests for a context of 2 KB, without the network: from
// memory, and as while its bucket is not followed.
func BenchmarkReadAContext(b *testing.B) {
	var reader *kv.Reader
	h := build(b, func(d *Deps) {
		var err error
		if reader, err = kv.NewReader(b.Context(), d.Conn, kv.ReaderOptions{Bucket: learn.Contexts}); err != nil {
			b.Fatal(err)
		}
		d.Contexts = reader
	})
	b.Cleanup(reader.Close)
	h.put(b, "rule", "passive", `{"id":"passive","kind":"rule","prompt":"`+strings.Repeat("Prefer the active voice. ", 80)+`"}`)
	if err := reader.CatchUp(b.Context()); err != nil {
		b.Fatal(err)
	}
	for name, contexts := range map[string]Contexts{"memory": reader, "bucket": shelf{}} {
		b.Run(name, func(b *testing.B) {
			h.api.deps.Contexts = contexts
			benchmarkRead(b, h.api.Handler())
		})
	}
}

func benchmarkRead(b *testing.B, handler http.Handler) {
	b.Helper()
	b.ReportAllocs()
	before := cpu()
	for b.Loop() {
		r := httptest.NewRequest(http.MethodGet, "/api/contexts/rule/passive", nil)
		r.Host = "localhost"
		w := httptest.NewRecorder()
		if handler.ServeHTTP(w, r); w.Code != http.StatusOK {
			b.Fatal(w.Body)
		}
	}
	b.ReportMetric(float64((cpu()-before).Nanoseconds())/1000/float64(b.N), "cpu-µs/read")
}
