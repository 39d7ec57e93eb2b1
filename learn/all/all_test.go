package all_test

import (
	"testing"

	"learnloop.dev/events"
	"learnloop.dev/learn/all"
)

func TestModelsHaveNamesOfTheirOwnAndHearKindsThatExist(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range all.Models() {
		if seen[m.Name] {
			t.Errorf("two models are called %s", m.Name)
		}
		seen[m.Name] = true
		for _, kind := range m.Hears() {
			if _, ok := events.Lookup(kind); !ok {
				t.Errorf("%s hears %s, which is no kind", m.Name, kind)
			}
		}
	}
}
