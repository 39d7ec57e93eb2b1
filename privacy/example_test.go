package privacy_test

import (
	"fmt"
	"strings"
	"time"

	"learnloop.dev/privacy"
)

func Example() {
	keys, err := privacy.NewKeys([]byte(strings.Repeat("k", 32)))
	if err != nil {
		panic(err)
	}
	guard, err := privacy.NewGuard(keys, privacy.Defaults())
	if err != nil {
		panic(err)
	}
	fix := struct {
		Original  string
		Suggested string
		Rule      string `privacy:"id"`
		User      string `privacy:"person"`
	}{
		Original:  "Please utilize bob@example.com or BOB@example.com for this.",
		Suggested: "Please use bob@example.com or BOB@example.com for this.",
		Rule:      "plain-words",
		User:      "bob",
	}
	report, err := guard.Protect(&fix)
	if err != nil {
		panic(err)
	}
	masked := privacy.Pattern.Mask(privacy.Fix{Original: fix.Original, Suggested: fix.Suggested})
	fmt.Println(fix.Original)
	fmt.Println(masked.Original, "→", masked.Suggested)
	fmt.Println(fix.Rule, len(fix.User), report.Found[privacy.Email])
	// Output:
	// Please utilize [EMAIL_1] or [EMAIL_1] for this.
	// [...] utilize [...] → [...] use [...]
	// plain-words 32 4
}

func ExampleKeys_NewLabels() {
	keys, err := privacy.NewKeys([]byte(strings.Repeat("k", 32)))
	if err != nil {
		panic(err)
	}
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	first := privacy.Generation{Secret: []byte(strings.Repeat("1", 32))}
	stored := keys.Pseudonym(privacy.Users, "bob")
	before, err := keys.NewLabels(first)
	if err != nil {
		panic(err)
	}
	first.Until = noon.Add(time.Hour) // rotated: its labels find people for an hour
	after, err := keys.NewLabels(privacy.Generation{Secret: []byte(strings.Repeat("2", 32))}, first)
	if err != nil {
		panic(err)
	}
	old := before.Show(stored)
	found, _ := after.Find(old, noon)
	_, late := after.Find(old, noon.Add(time.Hour))
	fmt.Println(after.Show(stored) != old, found == stored, late)
	// Output: true true false
}
