package store

import (
	"fmt"
	"hash/maphash"
	"testing"
)

func TestAnIdentityThatWasMetIsAlwaysLookedForAndAnotherRarely(t *testing.T) {
	const some = 100_000
	m, vain := &met{seed: maphash.MakeSeed()}, 0
	for i := range some {
		m.add(fmt.Sprint("met", i))
	}
	for i := range some {
		if !m.maybe(fmt.Sprint("met", i)) {
			t.Fatalf("identity %d was met and is not looked for", i)
		}
		if m.maybe(fmt.Sprint("new", i)) {
			vain++
		}
	}
	if vain > some/50 {
		t.Errorf("%d of %d new identities are looked for, want about %d", vain, some, some/100)
	}
}

func TestAPartitionThatHadRecordsIsAlwaysLookedInto(t *testing.T) {
	var unknown *met
	if unknown.add("a"); !unknown.maybe("b") {
		t.Error("without a filter an identity is not looked for")
	}
}
