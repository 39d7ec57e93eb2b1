package providers_test

import (
	"context"
	"fmt"
	"time"

	"learnloop.dev/providers"
)

func Example() {
	local := providers.NewOpenAI(providers.Account{BaseURL: "http://127.0.0.1:11434/v1", Model: "qwen3:4b"})
	w := providers.Bound(local, providers.Limits{Timeout: 30 * time.Second, Retries: 2, PerHour: 100, AtOnce: 2})
	ctx, cancel := context.WithCancel(context.Background())
	cancel() // so that nobody is asked here
	_, err := w.Write(ctx, providers.Question{System: "Answer in JSON.", Turns: []providers.Turn{{Text: "What was learned?"}}})
	fmt.Println(w.Name(), err)
	// Output: openai/qwen3:4b context canceled
}
