package privacy_test

import (
	"fmt"
	"strings"

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
