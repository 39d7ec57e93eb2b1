package privacy

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func generation(n byte, until time.Time) Generation {
	return Generation{Secret: bytes.Repeat([]byte{n}, 32), Until: until}
}

func newTestLabels(tb testing.TB, generations ...Generation) *Labels {
	tb.Helper()
	l, err := newTestKeys(tb).NewLabels(generations...)
	if err != nil {
		tb.Fatal(err)
	}
	return l
}

func TestALabelLeadsBackToOneStoredNameAndLooksLikeIt(t *testing.T) {
	k, l := newTestKeys(t), newTestLabels(t, generation(1, time.Time{}))
	seen := map[string]bool{}
	for _, user := range []string{"bob", "Bob", "eve", strings.Repeat("x", 1000)} {
		stored := k.Pseudonym(Users, user)
		label := l.Show(stored)
		if label == stored || len(label) != len(stored) || seen[label] || !strings.HasPrefix(label, "p"+k.LabelID(bytes.Repeat([]byte{1}, 32))+"_") {
			t.Errorf("%s is shown as %s", stored, label)
		}
		seen[label] = true
		if name, ok := l.Find(label, noon); !ok || name != stored {
			t.Errorf("%s leads to %q", label, name)
		}
		if l.Show(label) != label {
			t.Errorf("a label is labelled once more: %s", l.Show(label))
		}
	}
}

func TestAfterARotationTheOldLabelFindsThePersonUntilItsTimeRunsOut(t *testing.T) {
	k := newTestKeys(t)
	before := newTestLabels(t, generation(1, time.Time{}))
	after := newTestLabels(t, generation(2, time.Time{}), generation(1, noon))
	later := newTestLabels(t, generation(2, time.Time{}))
	stored := k.Pseudonym(Users, "bob")
	old := before.Show(stored)
	if now := after.Show(stored); now == old || now != later.Show(stored) {
		t.Errorf("shown as %s, then as %s", old, now)
	}
	if name, ok := after.Find(old, noon.Add(-1)); !ok || name != stored {
		t.Errorf("the old label leads to %q", name)
	}
	if name, ok := after.Find(old, noon); ok {
		t.Errorf("when its time has run out the old label leads to %q", name)
	}
	if name, ok := later.Find(old, noon); ok {
		t.Errorf("without its key the old label leads to %q", name)
	}
}

func TestWhatIsNoStoredNameIsShownAsItIs(t *testing.T) {
	k, l := newTestKeys(t), newTestLabels(t, generation(1, time.Time{}))
	stored := k.Pseudonym(Users, "bob")
	loose := stored[:len(stored)-1] + string(stored[len(stored)-1]+1) // decodes to the same bytes
	for _, name := range []string{"", "bob", "p" + k.ID() + "_", stored + "a", strings.ToUpper(stored), "q" + stored[1:], k.Shield("x"), loose} {
		if got := l.Show(name); got != name {
			t.Errorf("%q is shown as %q", name, got)
		}
	}
	for _, label := range []string{"", "bob", stored, "p_x", k.Shield("x")} {
		if name, ok := l.Find(label, noon); ok {
			t.Errorf("%q leads to %q", label, name)
		}
	}
}

func TestLabelsOfAnotherInstallationLeadNowhere(t *testing.T) {
	other, err := NewKeys(bytes.Repeat([]byte{7}, 32))
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := other.NewLabels(generation(1, time.Time{}))
	if err != nil {
		t.Fatal(err)
	}
	ours, label := newTestLabels(t, generation(1, time.Time{})), theirs.Show(other.Pseudonym(Users, "bob"))
	if name, ok := ours.Find(label, noon); ok {
		t.Errorf("%s leads to %s", label, name)
	}
	if other.Distinct(bytes.Repeat([]byte{1}, 32), []Generation{generation(1, noon)}) {
		t.Error("one secret counts as two generations")
	}
}

func TestLabelsNeedWholeSecrets(t *testing.T) {
	k := newTestKeys(t)
	if _, err := k.NewLabels(); err == nil {
		t.Error("labels of no generation")
	}
	if _, err := k.NewLabels(Generation{Secret: []byte("short")}); err == nil || strings.Contains(err.Error(), "short") {
		t.Errorf("labels of a short secret: %v", err)
	}
}
