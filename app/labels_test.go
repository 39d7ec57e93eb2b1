package app

import (
	"bytes"
	"context"
	"encoding/base64"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"learnloop.dev/privacy"
)

// registry is a folder with labels, and a clock that the test moves.
type registry struct {
	dir  string
	keys *privacy.Keys
	time time.Time
}

func newRegistry(t *testing.T) *registry {
	t.Helper()
	return &registry{t.TempDir(), keysOf(t, 1), time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
}

func keysOf(t *testing.T, n byte) *privacy.Keys {
	t.Helper()
	keys, err := privacy.NewKeys(bytes.Repeat([]byte{n}, keySize))
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

func (r *registry) open(t *testing.T) *labels {
	t.Helper()
	l, _, err := openLabels(r.dir, r.keys, func() time.Time { return r.time })
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// file is what stands on disk.
func (r *registry) file(t *testing.T) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(r.dir, labelsFile))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestLabelsStayTheSameUntilTheyAreRotated(t *testing.T) {
	r := newRegistry(t)
	name := r.keys.Pseudonym(privacy.Users, "bob")
	first := r.open(t).shown.Load().Show(name)
	l := r.open(t)
	if again := l.shown.Load().Show(name); again != first || again == name {
		t.Fatalf("%s is shown as %s and then as %s", name, first, again)
	}
	if _, err := l.rotate("anna", time.Hour); err != nil {
		t.Fatal(err)
	}
	second := l.shown.Load().Show(name)
	if second == first || r.open(t).shown.Load().Show(name) != second {
		t.Errorf("after a rotation %s is shown as %s", name, second)
	}
	if info, err := os.Stat(l.path); err != nil || info.Mode().Perm() != secret {
		t.Errorf("the file: %v, %v", info.Mode(), err)
	}
}

func TestWhenTheWindowIsOverTheOldKeyIsNowhereAnyMore(t *testing.T) {
	r := newRegistry(t)
	name := r.keys.Pseudonym(privacy.Users, "bob")
	l := r.open(t)
	first, old := l.shown.Load().Show(name), l.generations()[0].Secret
	before, err := os.Open(l.path)
	if err != nil {
		t.Fatal(err)
	}
	defer before.Close()
	if _, err := l.rotate("anna", time.Hour); err != nil {
		t.Fatal(err)
	}
	r.time = r.time.Add(time.Hour - 1)
	if found, ok := l.shown.Load().Find(first, r.time); !ok || found != name {
		t.Errorf("within the window %s leads to %q", first, found)
	}
	r.time = r.time.Add(1)
	again := r.open(t) // destroys what has run out
	if found, ok := again.shown.Load().Find(first, r.time.Add(-time.Hour)); ok {
		t.Errorf("after the window %s leads to %s, whatever the time", first, found)
	}
	for _, text := range [][]byte{r.file(t), unsealed(t, again, r.file(t)), contents(t, before)} {
		for _, trace := range [][]byte{old, []byte(base64.StdEncoding.EncodeToString(old))} {
			if bytes.Contains(text, trace) {
				t.Errorf("the old secret stands in %q", text)
			}
		}
	}
	if text := contents(t, before); len(bytes.Trim(text, "\x00")) > 0 {
		t.Errorf("the file before was not overwritten: %q", text)
	}
	if n := len(again.generations()); n != 1 {
		t.Errorf("%d generations are left", n)
	}
}

// unsealed is what a file of labels says to who has the master key.
func unsealed(t *testing.T, l *labels, file []byte) []byte {
	t.Helper()
	sealed, err := base64.StdEncoding.DecodeString(strings.TrimSpace(string(file)))
	if err != nil {
		t.Fatal(err)
	}
	seal, err := l.seal()
	if err != nil {
		t.Fatal(err)
	}
	text, err := seal.Open(nil, sealed[:seal.NonceSize()], sealed[seal.NonceSize():], []byte(labelsFile))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func contents(t *testing.T, f *os.File) []byte {
	t.Helper()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	text := make([]byte, info.Size())
	if _, err := f.ReadAt(text, 0); err != nil {
		t.Fatal(err)
	}
	return text
}

func TestAWindowOfNothingForgetsTheOldLabelAtOnceAndManyAreBounded(t *testing.T) {
	r := newRegistry(t)
	l := r.open(t)
	first := l.shown.Load().Show(r.keys.Pseudonym(privacy.Users, "bob"))
	if ring, err := l.rotate("anna", 0); err != nil || len(ring) != 1 {
		t.Fatalf("%d generations, %v", len(ring), err)
	}
	if found, ok := l.shown.Load().Find(first, r.time); ok {
		t.Errorf("%s leads to %s", first, found)
	}
	for range mostFormer + 3 {
		if _, err := l.rotate("anna", time.Hour); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(l.generations()); n != mostFormer+1 {
		t.Errorf("%d generations are kept", n)
	}
}

func TestAFileOfLabelsThatCannotBeReadIsToldAndNotReplaced(t *testing.T) {
	r := newRegistry(t)
	r.open(t)
	whole := r.file(t)
	for name, c := range map[string]struct {
		keys *privacy.Keys
		text string
	}{
		"another master key":           {keysOf(t, 2), string(whole)},
		"garbage":                      {r.keys, "garbage"},
		"nothing":                      {r.keys, ""},
		"a file of which some is lost": {r.keys, string(whole[:len(whole)-9])},
	} {
		if err := os.WriteFile(filepath.Join(r.dir, labelsFile), []byte(c.text), secret); err != nil {
			t.Fatal(err)
		}
		_, _, err := openLabels(r.dir, c.keys, time.Now)
		if err == nil || !strings.Contains(err.Error(), labelsFile) || HintOf(err) == "" {
			t.Errorf("%s: %v, hint %q", name, err, HintOf(err))
		}
		if got := r.file(t); string(got) != c.text {
			t.Errorf("%s: the file was changed", name)
		}
	}
}

func TestARotationThatCannotBeWrittenChangesNothing(t *testing.T) {
	r := newRegistry(t)
	l := r.open(t)
	name := r.keys.Pseudonym(privacy.Users, "bob")
	before := l.shown.Load().Show(name)
	l.path = filepath.Join(r.dir, "gone", labelsFile)
	if _, err := l.rotate("anna", time.Hour); err == nil {
		t.Fatal("rotated without a file")
	}
	if now := l.shown.Load().Show(name); now != before || len(l.generations()) != 1 {
		t.Errorf("%s is shown as %s", name, now)
	}
}

func TestAFormerKeyIsDestroyedWhileTheLoopRuns(t *testing.T) {
	dir, keys := t.TempDir(), keysOf(t, 1)
	l, _, err := openLabels(dir, keys, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- l.run(ctx, func(error) {}) }()
	if _, err := l.rotate("anna", time.Millisecond); err != nil {
		t.Fatal(err)
	}
	for len(l.generations()) > 1 {
		select {
		case <-ended:
			t.Fatal("it ended")
		default:
			runtime.Gosched()
		}
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	r := &registry{dir: dir, keys: keys, time: time.Now().Add(-time.Hour)} // when the old one would still have been good
	if n := len(r.open(t).generations()); n != 1 {
		t.Errorf("%d generations are on disk", n)
	}
}
