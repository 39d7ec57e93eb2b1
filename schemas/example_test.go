package schemas_test

import (
	"fmt"

	"learnloop.dev/schemas"
)

func Example() {
	found, _ := schemas.Check("feedback.learning", []byte(`{"learning_id":"learn_7f31","helpful":"yes"}`))
	for _, v := range found {
		fmt.Printf("%s wants %s\n", v.Pointer, v.Expected)
	}
	// Output:
	// /helpful wants boolean
	// /task_id wants a value: the field is required
}
