package events

import (
	"fmt"
	"strings"
	"testing"
)

func TestTokensKeepIdsReadable(t *testing.T) {
	for id, want := range map[string]string{
		"": "=", "passive-voice": "passive-voice", "F/Style_2": "F/Style_2", "a b": "a=20b", "a.b": "a=2Eb",
		"*": "=2A", ">": "=3E", "=": "=3D", "é": "=C3=A9", "\r\n\x00": "=0D=0A=00",
	} {
		if got := Token(id); got != want {
			t.Errorf("%q: %s, want %s", id, got, want)
		}
		if back, ok := Untoken(want); !ok || back != id {
			t.Errorf("%s reads back as %q, %v", want, back, ok)
		}
	}
}

func TestLongIdsBecomeHashes(t *testing.T) {
	a, b := Token(strings.Repeat("x", 5000)), Token(strings.Repeat("x", 5001))
	if a == b || len(a) > tokenLimit || !strings.HasPrefix(a, "=h") {
		t.Errorf("%s and %s", a, b)
	}
	if id, ok := Untoken(a); ok {
		t.Errorf("a hash reads back as %q", id)
	}
	if got := Token(strings.Repeat("x", tokenLimit)); len(got) != tokenLimit || strings.HasPrefix(got, "=") {
		t.Errorf("an id of %d bytes becomes %s", tokenLimit, got)
	}
}

func TestMalformedTokensAreNoIds(t *testing.T) {
	for _, token := range []string{"a b", "=2", "=2g", "=2a", "a.b", "é", "=hq"} {
		if id, ok := Untoken(token); ok {
			t.Errorf("%s reads as %q", token, id)
		}
	}
}

func TestPartitionsAreFilledEvenly(t *testing.T) {
	const n, keys = 32, 32_000
	var count [n]int
	for i := range keys {
		count[Partition(fmt.Sprintf("key%06d", i), n)]++
	}
	for p, got := range count {
		if got < keys/n*8/10 || got > keys/n*12/10 {
			t.Errorf("partition %d has %d of %d keys", p, got, keys)
		}
	}
}

func FuzzToken(f *testing.F) {
	f.Add("passive voice")
	f.Fuzz(func(t *testing.T, id string) {
		token := Token(id)
		if len(token) > tokenLimit || strings.ContainsAny(token, ". *>\r\n") {
			t.Fatalf("%q becomes %q", id, token)
		}
		if back, ok := Untoken(token); ok && back != id {
			t.Fatalf("%q reads back as %q", id, back)
		}
	})
}
