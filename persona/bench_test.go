package persona_test

import (
	"fmt"
	"strings"
	"testing"

	"learnloop.dev/persona"
)

// Source document 003 allows 2 ms.
func BenchmarkTune(b *testing.B) {
	p, base := anna(), slotted+strings.Repeat("Stay on the matter at hand. ", 100)
	b.ReportAllocs()
	for b.Loop() {
		persona.Tune(base, p, persona.Usual())
	}
}

// Source document 003 allows 3 ms.
func BenchmarkRerankFifty(b *testing.B) {
	p := anna()
	for i := range 18 {
		p.Topics = append(p.Topics, p.Topics[0])
		p.Topics[len(p.Topics)-1].Topic = fmt.Sprint("topic number ", i)
	}
	var results []persona.Result
	for i := range 50 {
		text := strings.Repeat(fmt.Sprintf("Result %d says nothing of what was asked. ", i), 100)
		results = append(results, persona.Result{ID: fmt.Sprint(i), Score: float64(i*37%50) / 50, Text: text})
	}
	b.ReportAllocs()
	for b.Loop() {
		persona.Rerank(results, p, persona.Usual())
	}
}
