package extract_test

import (
	"fmt"

	"learnloop.dev/events"
	"learnloop.dev/learn/extract"
)

func Example() {
	d := &events.Discovery{Type: events.FoundConstraint, TaskTitle: "Import the price list",
		Content: "The supplier's API allows 10 requests per second. Batch the requests and back off on HTTP 429."}
	l := extract.Rules(d)
	fmt.Println(l.Title)
	fmt.Println(l.Context)
	fmt.Println(l.Action)
	fmt.Println(l.Domain, l.Tags)
	// Output:
	// The supplier's API allows 10 requests per second
	// Import the price list.
	// Batch the requests and back off on HTTP 429.
	// api-integration [api requests http supplier's allows]
}
