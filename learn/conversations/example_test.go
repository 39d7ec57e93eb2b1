package conversations_test

import (
	"fmt"

	"learnloop.dev/events"
	"learnloop.dev/learn/conversations"
)

// An answer that was copied, and of which else only its relevance is known.
func Example() {
	score := conversations.UsualWeights().Of(conversations.Observed{Relevance: new(0.5), Helpfulness: new(0.9)})
	fmt.Printf("%.4f with confidence %.2f\n", *score.Overall, score.Confidence)

	fmt.Println(conversations.Misfit(events.StylePreference, "length_preference", []byte(`"short"`)))
	// Output:
	// 0.6818 with confidence 0.55
	// a number from 0 to 1
}
