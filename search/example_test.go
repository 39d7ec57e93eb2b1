package search_test

import (
	"fmt"

	"learnloop.dev/search"
)

// A task meets what was learned from earlier ones.
func Example() {
	learnings := map[string]search.Doc{}
	index := search.New(search.Options{})
	for _, d := range []search.Doc{
		{ID: "learn_1", Title: "Raise the pool size before load tests", Action: "Set maxOpenConns in db/pool.go.", Posterior: .7},
		{ID: "learn_2", Title: "CI caches break after a Go upgrade", Action: "Change the key of the cache.", Posterior: .6},
		{ID: "learn_3", Title: "Retry uploads with a pause", Action: "Wait longer after each failed upload.", Posterior: .3},
	} {
		learnings[d.ID] = d
		index.Put(d)
	}

	found := index.Snapshot().Search(search.Query{Text: "The load test in CI says: pool exhausted (db/pool.go)", Limit: 2})
	for _, hit := range found.Hits {
		match := found.Match(learnings[hit.ID])
		fmt.Printf("%s %.2f %.2f %v\n", hit.ID, hit.Score, hit.Relevance, match.Fields)
	}
	fmt.Println(index.Snapshot().Search(search.Query{Text: "what is it?"}).Note)
	// Output:
	// learn_1 6.80 1.00 [title action]
	// learn_2 1.79 0.27 [title]
	// the query has only words that say nothing by themselves
}
