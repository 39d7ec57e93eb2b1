package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/store"

	"go.uber.org/goleak"
)

// inOtherProcess makes the test binary open a store and say how that went.
const inOtherProcess = "LEARNLOOP_TEST_OPEN"

func TestMain(m *testing.M) {
	if dir := os.Getenv(inOtherProcess); dir != "" {
		_, err := store.Open(store.Options{Dir: dir, Key: seven})
		fmt.Fprintln(os.Stdout, err, errors.Is(err, store.ErrLocked))
		return
	}
	os.Exit(m.Run())
}

func TestClosingLeavesNoGoroutineBehind(t *testing.T) {
	before := goleak.IgnoreCurrent()
	s, dir := openStore(t)
	foldSome(t, s, 1, 5)
	closeStore(t, s)
	if _, err := store.Open(store.Options{Dir: dir, Key: bytes.Repeat([]byte{8}, 32)}); err == nil {
		t.Error("another key was accepted")
	}
	goleak.VerifyNone(t, before)
}

func TestASecondProcessIsToldWhoHasTheStore(t *testing.T) {
	_, dir := openStore(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append(os.Environ(), inOtherProcess+"="+dir)
	out, err := cmd.CombinedOutput()
	want := fmt.Sprintf("open state %s: locked by another process (pid %d) true\n", dir, os.Getpid())
	if err != nil || string(out) != want {
		t.Errorf("got %q, %v; want %q", out, err, want)
	}
}

func TestAnotherKeyIsRefused(t *testing.T) {
	s, dir := openStore(t)
	closeStore(t, s)
	_, err := store.Open(store.Options{Dir: dir, Key: bytes.Repeat([]byte{8}, 32)})
	if !errors.Is(err, store.ErrWrongKey) {
		t.Errorf("got %v, want ErrWrongKey", err)
	}
	if _, err := store.Open(store.Options{Dir: dir, Key: []byte("short")}); err == nil {
		t.Error("a short key was accepted")
	}
	foldSome(t, openDir(t, dir), 1, 2) // the refusals did no harm
}

func TestAFolderThatCannotBeWrittenIsSaidSo(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere")
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Open(store.Options{Dir: filepath.Join(dir, "state"), Key: seven}); !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("got %v, want ErrReadOnly", err)
	}
}

func TestAFolderThatIsAFileIsNotDamage(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := store.Open(store.Options{Dir: filepath.Join(file, "state"), Key: seven})
	if !errors.Is(err, syscall.ENOTDIR) || errors.Is(err, store.ErrDamaged) {
		t.Errorf("got %v", err)
	}
}

func TestNothingCanBeReadOffTheDisk(t *testing.T) {
	const secret = "planted-7f3a9c"
	s, dir := openStore(t)
	b := s.Begin()
	p := b.Partition(1)
	rec, raw := fact(t, events.Head{Record: secret, Seq: 1, Key: secret, Person: secret})
	p.Put(rec, raw)
	learn.At[tally](rows(p, secret), learn.Key{Kind: secret, ID: secret}, secret).Text = secret
	learn.At[tally](rows(p, secret), learn.Key{Kind: secret, ID: secret}, "long").Text = strings.Repeat(secret, 100_000) // a value of its own file
	p.SetMeta(secret, []byte(secret))
	p.Emit(derived(secret, false))
	commit(t, b)
	flush(t, s)
	if err := s.SetMeta(secret, []byte(secret)); err != nil {
		t.Fatal(err)
	}
	search := func(when string) {
		files, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			data, err := os.ReadFile(filepath.Join(dir, f.Name()))
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Contains(data, []byte(secret)) {
				t.Errorf("%s: %s holds the planted text", when, f.Name())
			}
		}
	}
	search("while open")
	closeStore(t, s)
	search("after closing")
}

func TestWarningsDoNotQuoteKeys(t *testing.T) {
	var lines []string
	store.Warn(func(line string) { lines = append(lines, line) })
	equal(t, "logged", lines, []string{"badger: Unable to read: Key: %v, Version: %v", "badger: compaction took 3"})
}

func TestGarbageCollectionDisturbsNobody(t *testing.T) {
	s, _ := openStore(t)
	foldSome(t, s, 1, 5)
	if err := s.Collect(); err != nil {
		t.Fatal(err)
	}
	if got := folded(t, s); got != 4 {
		t.Errorf("%d batches, want 4", got)
	}
}

func TestAFolderOfAnyNameIsLookedThrough(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a[b")
	s := openDir(t, dir)
	foldSome(t, s, 1, 5)
	closeStore(t, s)
	if err := os.WriteFile(filepath.Join(dir, "000007.vlog"), nil, 0o600); err != nil { // as a death leaves it
		t.Fatal(err)
	}
	s = openDir(t, dir)
	if got := folded(t, s); got != 4 {
		t.Errorf("%d batches, want 4", got)
	}
	closeStore(t, s)
	if err := os.Remove(filepath.Join(dir, "KEYREGISTRY")); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Open(store.Options{Dir: dir, Key: seven}); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("got %v, want ErrDamaged", err)
	}
}

func TestADeathWhileMakingAFileLosesNothing(t *testing.T) {
	for _, size := range []int64{0, 4 << 20} { // no size yet, no head yet
		for _, name := range []string{"00007.mem", "000007.vlog"} {
			t.Run(fmt.Sprintf("%s of %d bytes", name, size), func(t *testing.T) {
				s, dir := openStore(t)
				foldSome(t, s, 1, 5)
				closeStore(t, s)
				stub := filepath.Join(dir, name)
				if err := errors.Join(os.WriteFile(stub, nil, 0o600), os.Truncate(stub, size)); err != nil {
					t.Fatal(err)
				}
				s = openDir(t, dir)
				if got := folded(t, s); got != 4 {
					t.Errorf("%d batches, want 4", got)
				}
				foldSome(t, s, 5, 8)
				closeStore(t, s)
				if got := folded(t, openDir(t, dir)); got != 7 {
					t.Errorf("later: %d batches, want 7", got)
				}
			})
		}
	}
}
