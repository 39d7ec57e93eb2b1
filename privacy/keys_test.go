package privacy

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"strings"
	"testing"
)

func TestShortMasterKeysAreRefused(t *testing.T) {
	if _, err := NewKeys(make([]byte, 31)); err == nil {
		t.Fatal("31 bytes were enough")
	}
}

func TestPseudonymsAreStableAndSeparate(t *testing.T) {
	k := newTestKeys(t)
	bob := k.Pseudonym(Users, "bob")
	if again := newTestKeys(t).Pseudonym(Users, "bob"); again != bob {
		t.Errorf("the same key made %s and %s", bob, again)
	}
	if want := len("p") + 4 + len("_") + 26; len(bob) != want || !strings.HasPrefix(bob, "p"+k.ID()+"_") {
		t.Errorf("pseudonym %q, want p%s_ and 26 characters", bob, k.ID())
	}
	if strings.Trim(bob, "abcdefghijklmnopqrstuvwxyz234567_") != "" {
		t.Errorf("pseudonym %q is not lower-case base32", bob)
	}
	other, err := NewKeys(bytes.Repeat([]byte{7}, 32))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]string{bob: "bob"}
	for name, p := range map[string]string{
		"another user": k.Pseudonym(Users, "Bob"), "a session": k.Pseudonym(Sessions, "bob"), "a unit": k.Pseudonym(Units, "bob"),
		"another key": other.Pseudonym(Users, "bob"), "a shield": k.Shield("bob"),
	} {
		if seen[p] != "" {
			t.Errorf("%s and %s are both %s", name, seen[p], p)
		}
		seen[p] = name
	}
	if got := k.Pseudonym(Users, ""); got != "" {
		t.Errorf("nobody became %q", got)
	}
}

func TestBlindKeepsItsPartsApart(t *testing.T) {
	k := newTestKeys(t)
	if k.Blind("x", "a", "bc") == k.Blind("x", "ab", "c") || k.Blind("x", "a") == k.Blind("xa") || k.Blind("x") == k.Blind("x", "") {
		t.Error("different parts have the same hash")
	}
	long := strings.Repeat("long", 1000)
	if got := k.Blind("x", long); len(got) != 26 || got != k.BlindData("x", []byte(long)) {
		t.Errorf("hash %q, want 26 characters, the same for data", got)
	}
	if k.BlindData("x", []byte("a"), "b") != k.Blind("x", "a", "b") {
		t.Error("data is hashed unlike a text")
	}
}

func TestABlindHashIsAnHMACOfItsFramedParts(t *testing.T) {
	k := newTestKeys(t)
	mac := hmac.New(sha256.New, k.Derive("fixed", sha256.Size))
	mac.Write([]byte("\x06record\x01a\x00\x02bc"))
	if got, want := k.Blind("record", "a", "", "bc"), base32Lower.EncodeToString(mac.Sum(nil)[:16]); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestDerivedKeysBelongToTheirLabel(t *testing.T) {
	k := newTestKeys(t)
	if a, b := k.Derive("a", 32), k.Derive("b", 32); len(a) != 32 || bytes.Equal(a, b) {
		t.Errorf("derived %x and %x", a, b)
	}
}

func TestKeysServeManyAtOnce(t *testing.T) {
	k := newTestKeys(t)
	want := k.Pseudonym(Users, "bob")
	done := make(chan string)
	for range 8 {
		go func() {
			got := want
			for range 200 {
				if p := k.Pseudonym(Users, "bob"); p != want {
					got = p
				}
				k.Blind("x", "y")
			}
			done <- got
		}()
	}
	for range 8 {
		if got := <-done; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
