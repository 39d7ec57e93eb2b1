package kv_test

import (
	"context"
	"fmt"
	"log"

	"learnloop.dev/internal/standin"
	"learnloop.dev/kv"
)

// A generator asks the reader before every prompt it builds; the injector, here
// played by a writer, keeps the bucket up to date.
func Example() {
	nc, stop := standin.Serve()
	defer stop()
	ctx := context.Background()

	contexts, err := kv.NewReader(ctx, nc, kv.ReaderOptions{})
	if err != nil {
		log.Print(err)
		return
	}
	defer contexts.Close()
	injector, err := kv.NewWriter(ctx, contexts)
	if err != nil {
		log.Print(err)
		return
	}

	changes := contexts.Changes(ctx, "rule.")
	_, err = injector.Put(ctx, []kv.Entry{{
		Key:     kv.Key("rule", "passive-voice"),
		Value:   []byte(`{"id":"passive-voice","kind":"rule","prompt":"Writers keep passive voice in methods sections."}`),
		Insight: 1,
	}})
	if err != nil {
		log.Print(err)
		return
	}
	for c := range changes {
		fmt.Println(c.Key, "changed")
		break
	}
	fmt.Println("You edit a paper.", contexts.Prompt("rule", "passive-voice"))
	// Output:
	// rule.passive-voice changed
	// You edit a paper. Writers keep passive voice in methods sections.
}
