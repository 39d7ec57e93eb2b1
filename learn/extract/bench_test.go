package extract_test

import (
	"fmt"
	"testing"

	"learnloop.dev/events"
	"learnloop.dev/learn/extract"
)

func BenchmarkJudgeAmongThousands(b *testing.B) {
	m := extract.NewMemory()
	verbs, things := []string{"Pin", "Scan", "Retry", "Cache", "Batch"}, []string{"image", "request", "migration", "webhook", "token", "index", "queue"}
	for i := range 8_000 {
		text := fmt.Sprintf("%s the %s of service alpha%c%c%c in region %s before release train starts.", verbs[i%5], things[i%7],
			'a'+rune(i%26), 'a'+rune(i/26%26), 'a'+rune(i/676%26), things[i/7%7])
		d := found(fmt.Sprint(i), events.FoundPattern, text)
		remember(m, d, []extract.Conclusion{{ID: "c", Kind: events.LearningCreated.Kind, Payload: extract.Rules(&d.Data).Learning(d, extract.ByRules)}})
	}
	d := found("x", events.FoundPattern, "Pin the image of service alphaqqq in region queue before release train starts.")
	l := extract.Rules(&d.Data).Learning(d, extract.ByRules)
	for b.Loop() {
		m.Judge(l)
	}
}
