package features_test

import (
	"fmt"
	"strings"

	"learnloop.dev/events"
	"learnloop.dev/learn/features"
)

// What stays known of an exchange when its texts are dropped.
func Example() {
	e := &events.Exchange{
		SessionID: "p7_s", UserText: "How do I train a machine learning model? My GPU has little memory.",
		AgentText: "Train the model in small batches:\n\n- keep one batch in memory\n- accumulate gradients\n\nFor example:\n\n```python\nloss.backward()\n```",
	}
	blind := func(label string, parts ...string) string { return label + strings.Join(parts, "/") } // privacy.Keys.Blind
	f := features.NewReader().Read(e, blind)
	fmt.Printf("%q %s %.3f\n", f.Topics, f.Language, f.Relevance.Float())
	fmt.Println("question:", f.Question.Words, "words,", f.Question.Questions, "question")
	fmt.Println("answer:", f.Answer.ListItems, "list items,", f.Answer.CodeBlocks, "code block,", f.Answer.Examples, "example")
	// Output:
	// ["machine learning" "model" "memory" "gpu"] en 0.259
	// question: 13 words, 1 question
	// answer: 2 list items, 1 code block, 1 example
}
