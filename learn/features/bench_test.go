package features

import (
	"strings"
	"testing"

	"learnloop.dev/events"
)

const paragraph = "How should I tune the garbage collector of a Go service that keeps a large cache in memory? We see pauses of 40 ms at peak load, " +
	"and the heap grows to 6 GiB although only half of it is live. For example, `GOGC=50` helps the pauses but costs throughput. "

func BenchmarkAnExchangeOfAKilobyte(b *testing.B) { benchmark(b, 500) }

func BenchmarkAnExchangeOf64KiBEach(b *testing.B) { benchmark(b, 64<<10) }

func benchmark(b *testing.B, size int) {
	b.Helper()
	text := strings.Repeat(paragraph, size/len(paragraph)+1)[:size]
	e := &events.Exchange{SessionID: "s", UserText: text, AgentText: text}
	r := NewReader()
	b.ReportAllocs()
	for b.Loop() {
		r.Read(e, unkeyed)
	}
}

func unkeyed(label string, parts ...string) string { return label + strings.Join(parts, "/") }
