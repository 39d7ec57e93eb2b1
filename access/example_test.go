package access_test

import (
	"fmt"
	"time"

	"learnloop.dev/access"
)

func Example() {
	var book access.Book
	secret, kept := access.Mint(access.Token{Name: "reviewers", Roles: access.Roles{access.Review}})
	book.Enter(kept)
	t, err := book.Open(secret, time.Now())
	fmt.Println(t.Name, t.Roles.May(access.Read), t.Roles.May(access.Admin), err)
	// Output: reviewers true false <nil>
}
