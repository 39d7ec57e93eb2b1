package schemas

import "testing"

func BenchmarkCompile(b *testing.B) {
	for b.Loop() {
		compile("feedback.fix")
	}
}

func BenchmarkCheck(b *testing.B) {
	doc := []byte(`{"learning_id":"l","task_id":"t","helpful":true,"comment":"saved a round of retries"}`)
	for b.Loop() {
		if found, _ := Check("feedback.learning", doc); found != nil {
			b.Fatal(found)
		}
	}
}
