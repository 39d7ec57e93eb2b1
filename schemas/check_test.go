package schemas

import (
	"testing"
	"fmt"
)

func TestTry(t *testing.T) {
	for _, d := range []string{
		`{"suggestion_id":"","deviation_id":1.5,"rule_id":null,"decision":"maybe","original_text":5,"suggested_text":"","original_confidence":1e1000000000,"secret@x.org":1,"timestamp":"yesterday","user_id":18446744073709551616}`,
		`{"a":1,"a":2}`, `{"a":"`+"\xff"+`"}`, `{"a":NaN}`, `[`, ``, `{} x`, `3`,
	} {
		v, ok := Check("feedback.fix", []byte(d))
		fmt.Println(d, ok)
		for _, x := range v { fmt.Println("  ", x.Pointer, "|", x.Expected, "|", x.Sent) }
	}
	for k, d := range map[string]string{"injection.recorded": `{"task_id":1,"outcome_id":2,"items":[{},{"learning_id":null},{"learning_id":1,"zip":2}]}`,
		"sample.captured": `{"sample_id":1,"sample_family":"x","created_at":"2025-12-01T00:00:00Z","input":{},"output":{},"meta":{"quality_score":2}}`,
		"learning.superseded": `{"id":1,"superseded_by":null}`,
		"task.finished": `{"task_id":1,"goal":"","status":"ok","subtasks":[{"id":1,"duration_seconds":-1}]}`} {
		v, ok := Check(k, []byte(d))
		fmt.Println(d, ok)
		for _, x := range v { fmt.Println("  ", x.Pointer, "|", x.Expected, "|", x.Sent) }
	}
}

func BenchmarkCompile(b *testing.B) {
	for b.Loop() { compile("feedback.fix") }
}
func BenchmarkCheck(b *testing.B) {
	for b.Loop() { Check("task.finished", []byte(`{"task_id":1,"goal":"","status":"completed","subtasks":[{"id":1,"duration_seconds":1,"success":true}]}`)) }
}
