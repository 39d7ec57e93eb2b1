package store_test

import (
	"fmt"
	"os"

	"learnloop.dev/learn"
	"learnloop.dev/store"
)

// A batch changes rows and moves the cursor in one transaction, and what it
// changed is listed until it has been published.
func Example() {
	dir, err := os.MkdirTemp("", "state")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	s, err := store.Open(store.Options{Dir: dir, Key: make([]byte, 32)})
	if err != nil {
		panic(err)
	}
	defer func() { _ = s.Close() }()

	b := s.Begin()
	p := b.Partition(5)
	accepted := learn.At[int](learn.Model{Name: "rules"}.Open(p), learn.Key{Kind: "rule", ID: "passive"}, "accepted")
	*accepted++
	p.SetCursor(17)
	if err := b.Commit(); err != nil {
		panic(err)
	}

	for _, mark := range s.Dirty() {
		fmt.Println(mark.Partition, mark.Model, mark.Key)
	}
	s.Published(s.Dirty())
	fmt.Println(len(s.Dirty()), s.Flush())
	// Output:
	// 5 rules rule.passive
	// 0 <nil>
}
