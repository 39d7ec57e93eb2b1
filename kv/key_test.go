package kv_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"learnloop.dev/kv"
)

func TestAKeyNamesItsKindAndId(t *testing.T) {
	for _, c := range []struct{ kind, id, key string }{
		{"rule", "passive", "rule.passive"},
		{"rule", "st:no.dots *", "rule.st=3Ano=2Edots=20=2A"},
		{"category", "Ä", "category.=C3=84"},
		{"task", "", "task.="},
		{kv.Summary, "", "summary"},
	} {
		if got := kv.Key(c.kind, c.id); got != c.key {
			t.Errorf("Key(%q, %q) = %q, want %q", c.kind, c.id, got, c.key)
		}
	}
}

func TestEveryKeyCanBeReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := string(rapid.SliceOfN(rapid.Byte(), 0, 60).Draw(t, "id"))
		kind, back, ok := kv.ParseKey(kv.Key("rule", id))
		if !ok || kind != "rule" || back != id {
			t.Fatalf("%q became %q %q %t", id, kind, back, ok)
		}
	})
}

func TestALongIdLeavesOnlyItsHash(t *testing.T) {
	key := kv.Key("rule", strings.Repeat("x", 300))
	if _, _, ok := kv.ParseKey(key); ok || len(key) > 60 {
		t.Fatalf("%q was read back", key)
	}
}

func TestWhatIsNoKeyIsNotParsed(t *testing.T) {
	for _, key := range []string{"", "rule", "rule.", ".x", "rule.a b", "rule.a.b", "rule.=4", "summary.x"} {
		if kind, id, ok := kv.ParseKey(key); ok {
			t.Errorf("%q was read as %q %q", key, kind, id)
		}
	}
}

func TestABucketTakesEveryKey(t *testing.T) {
	b := start(t)
	values := bucket(t, b.connect(), false)
	for _, id := range []string{"", "*", ">", "a b", "\x00", "\r\n", "ü", strings.Repeat("ß", 5000)} {
		if _, err := values.Put(t.Context(), kv.Key("rule", id), nil); err != nil {
			t.Errorf("%.20q: %v", id, err)
		}
	}
}
