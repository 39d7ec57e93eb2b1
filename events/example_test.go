package events_test

import (
	"fmt"

	"learnloop.dev/events"
)

// An agent's report arrives as a CloudEvent, is read, and says where it belongs.
func Example() {
	header := map[string][]string{
		"ce-specversion": {"1.0"},
		"ce-id":          {"8e0c"},
		"ce-source":      {"/agents/reviewer"},
		"ce-type":        {"dev.learnloop.feedback.fix.v1"},
	}
	body := []byte(`{"suggestion_id":1,"deviation_id":2,"rule_id":"passive-voice","category":"style",
		"decision":"rejected","original_text":"was done","suggested_text":"did"}`)

	for _, item := range events.Unpack(header, body) {
		spec, _ := events.Lookup(item.Kind)
		payload, refusal := events.Decode(spec, item.Data)
		if refusal.Refused() {
			fmt.Println(refusal.Reason, refusal.Violations)
			continue
		}
		for _, part := range payload.Parts() {
			fmt.Println(item.Kind, "goes to", part.Group, part.Key)
		}
	}
	// Output:
	// feedback.fix goes to rule passive-voice
}

// A refusal says where and what was expected, never what was sent.
func ExampleDecode() {
	_, refusal := events.Decode(events.FeedbackLearning, []byte(`{"learning_id":"l","task_id":"t","helpful":"very"}`))
	for _, v := range refusal.Violations {
		fmt.Printf("%s at %s: expected %s\n", refusal.Reason, v.Pointer, v.Expected)
	}
	// Output:
	// schema at /helpful: expected boolean
}
