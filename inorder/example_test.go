package inorder_test

import (
	"cmp"
	"fmt"

	"learnloop.dev/inorder"
)

func Example() {
	words := []string{"pear", "fig", "apple", "kiwi"}
	inorder.Sort(words, func(a, b string) int { return cmp.Compare(len(a), len(b)) })
	fmt.Println(words)
	// Output: [fig pear kiwi apple]
}
