package recall_test

import (
	"context"
	"fmt"
	"iter"

	"learnloop.dev/kv"
	"learnloop.dev/learn/learnings"
	"learnloop.dev/pipeline/recall"
	"learnloop.dev/search"
)

// bucket holds one learning, and nothing changes.
type bucket struct{ entry kv.Context }

func (b bucket) Get(key string) (kv.Context, bool) { return b.entry, key == b.entry.Key }

func (b bucket) All(string) iter.Seq[kv.Context] {
	return func(yield func(kv.Context) bool) { yield(b.entry) }
}

func (bucket) Changes(context.Context, string) iter.Seq[kv.Context] {
	return func(func(kv.Context) bool) {}
}

func ExampleShelf() {
	shelf := recall.NewShelf(bucket{kv.Context{Key: "learn_a", Value: []byte(`{"id":"learn_a","title":"Sign the body","context":"Testing webhooks",
		"observation":"Unsigned calls are dropped","implication":"Silence proves nothing","action":"Sign it in the helper",
		"status":"active","confidence":0.7,"evidence":{"prior":0.7}}`)}}, nil)
	if err := shelf.Run(context.Background(), func() {}); err != nil { // returns, because nothing changes
		fmt.Println(err)
	}
	for _, found := range shelf.Search(context.Background(), recall.Query{Query: search.Query{Text: "webhook bodies"}}).All {
		fmt.Println(found.Learning.Title, found.Match.Fields)
	}
	terms := recall.Terms{Trial: learnings.Trial{Selection: learnings.ByPosterior, Most: 5}, Tokens: 2000}
	given := shelf.Inject(recall.Task{ID: "task-119", Title: "Send the refund webhook"}, terms)
	fmt.Println(given.Arm, len(given.Given()), "learning")
	fmt.Println(shelf.Inject(recall.Task{ID: "task-120", Title: "Paint the fence"}, terms).Note)
	// Output:
	// Sign the body [title context]
	// treatment 1 learning
	// no document has any word of the query
}
