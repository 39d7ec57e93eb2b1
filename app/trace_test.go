package app_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"learnloop.dev/kv"
)

const (
	traceID  = "4bf92f3577b34da6a3ce929d0e0e4736"
	sampled  = "00-" + traceID + "-00f067aa0ba902b7-01"
	unwanted = "00-11112f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00"
)

// decided is feedback about a rule, with a trace context unless it is empty.
func decided(n int, rule, trace string) []byte {
	if trace != "" {
		trace = `"traceparent":"` + trace + `",`
	}
	return fmt.Appendf(nil, `{"specversion":"1.0","id":"t-%d","source":"urn:test","type":"dev.learnloop.feedback.fix.v1",`+
		`"time":"2026-01-02T03:04:%02dZ",%s"data":{"feedback_id":"t-%d","suggestion_id":"s-%d","deviation_id":"d",`+
		`"rule_id":%q,"category":"style","decision":"accepted",`+
		`"original_text":"utilize","suggested_text":"use","final_text":"use","original_confidence":0.8}}`, n, n, trace, n, n, rule)
}

// besides waits until a context counts so many decisions and returns the trace beside it.
func besides(t *testing.T, contexts *kv.Reader, rule string, samples int) string {
	t.Helper()
	counts := func(c kv.Context) bool {
		return strings.Contains(string(c.Value), fmt.Sprintf(`"sample_count":%d,`, samples))
	}
	trace := func(c kv.Context) string { return strings.Join(c.Header["traceparent"], " ") }
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	changes := contexts.Changes(ctx, kv.Key("rule", rule)) // from here on
	if c, ok := contexts.Get(kv.Key("rule", rule)); ok && counts(c) {
		return trace(c)
	}
	for c := range changes {
		if counts(c) {
			return trace(c)
		}
	}
	t.Fatalf("the context of %s does not count %d decisions", rule, samples)
	return ""
}

func TestATraceGoesFromItsProducerToTheContext(t *testing.T) {
	requests := make(chan string, 16)
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		requests <- r.Method + " " + r.URL.Path + " " + r.Header.Get("Content-Type") + " " + string(body)
	}))
	defer collector.Close()
	l, stop := start(t, t.TempDir(), "telemetry.otlp_endpoint="+collector.URL)
	contexts, err := kv.NewReader(t.Context(), l.nc, kv.ReaderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer contexts.Close()

	l.publish(t, [][]byte{decided(1, "traced", sampled), decided(2, "other", unwanted), decided(3, "third", "")})
	if got := besides(t, contexts, "traced", 1); got != sampled {
		t.Errorf("beside the context stands %q, want %q", got, sampled)
	}
	if got := besides(t, contexts, "other", 1); got != unwanted {
		t.Errorf("beside the other stands %q, want %q", got, unwanted)
	}
	if got := besides(t, contexts, "third", 1); got != "" {
		t.Errorf("beside the third stands %q", got)
	}
	l.publish(t, [][]byte{decided(4, "traced", "")})
	if got := besides(t, contexts, "traced", 2); got != "" {
		t.Errorf("beside what nobody traced stands %q", got)
	}
	stop() // sends what waits
	close(requests)

	var spans strings.Builder
	for r := range requests {
		if !strings.HasPrefix(r, "POST /v1/traces application/json {") {
			t.Errorf("the collector got %.80s", r)
		}
		spans.WriteString(r)
	}
	for _, name := range []string{"append to the log", "publish insight", "put context"} {
		one := regexp.MustCompile(`\{"traceId":"` + traceID + `","spanId":"[0-9a-f]{16}","parentSpanId":"00f067aa0ba902b7","flags":1,"name":"` +
			name + `","kind":5,"startTimeUnixNano":"\d{19}","endTimeUnixNano":"\d{19}"\}`)
		if !one.MatchString(spans.String()) {
			t.Errorf("no span %q among %s", name, spans.String())
		}
	}
	if strings.Contains(spans.String(), "11112f35") {
		t.Error("a trace that nobody wants to see was exported")
	}
}

func TestACollectorThatIsAwayKeepsNobodyWaiting(t *testing.T) {
	l, stop := start(t, t.TempDir(), "telemetry.otlp_endpoint=http://127.0.0.1:1")
	contexts, err := kv.NewReader(t.Context(), l.nc, kv.ReaderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer contexts.Close()
	l.publish(t, [][]byte{decided(1, "traced", sampled)})
	besides(t, contexts, "traced", 1)
	stop()
}
