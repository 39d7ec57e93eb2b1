package events_test

import (
	"fmt"
	"strings"
	"testing"

	"learnloop.dev/events"

	"github.com/go-json-experiment/json"
)

func TestAnErrorAboutDataQuotesNoneOfIt(t *testing.T) {
	for _, data := range []string{
		`{"id":{"secret":1}}`, `{"helpful":"secret"}`, `{"id":"secret`, `{"secret":tru}`, `{"helpful":true,"secret":1,"secret":2}`,
		`{"task_id":5.5,"id":"secret"}`, `{"timestamp":"secret"}`, `secret`, ``,
	} {
		var v events.Vote
		err := json.Unmarshal([]byte(data), &v, json.RejectUnknownMembers(true))
		if err == nil {
			t.Fatalf("%s is taken for a vote", data)
		}
		if told := fmt.Errorf("read vote: %w", events.Unquoted(err)); strings.Contains(fmt.Sprintf("%v %+v", told, told), "secret") {
			t.Errorf("%s: %v", data, told)
		}
	}
}

func ExampleUnquoted() {
	var v struct{ Helpful bool }
	err := json.Unmarshal([]byte(`{"Helpful":"ask Jane"}`), &v)
	fmt.Println(events.Unquoted(err))
	// Output: not a bool at byte 11
}
