//go:build unix

package app

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestOnlyAFolderThatAnotherHoldsIsCalledHeld(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	f, err := os.Create(path)
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := lock(f); err == nil || errors.Is(err, ErrHeld) { // a file that is closed
		t.Errorf("locking fails with %v", err)
	}
	a, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	b, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if err := lock(a); err != nil {
		t.Fatal(err)
	}
	if err := lock(b); !errors.Is(err, ErrHeld) {
		t.Errorf("another holds it: %v", err)
	}
}
