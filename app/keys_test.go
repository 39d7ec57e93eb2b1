package app

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"learnloop.dev/learn"
)

func TestBesideALogNoMasterKeyIsMade(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, natsDir, "jetstream"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := openKeys(dir); err == nil || HintOf(err) != masterHint || exists(filepath.Join(dir, masterFile)) {
		t.Errorf("%v, hint %q", err, HintOf(err))
	}
}

func TestAnAnalyzerOnItsOwnKeepsItsStateKeyAndAddressesNothing(t *testing.T) {
	dir := t.TempDir()
	l := &Loop{config: Config{Data: dir}}
	first, err := l.stateKey()
	if err != nil || len(first) != 32 {
		t.Fatalf("%d bytes, %v", len(first), err)
	}
	if again, err := l.stateKey(); err != nil || string(again) != string(first) {
		t.Errorf("another key the second time, %v", err)
	}
	if info, err := os.Stat(filepath.Join(dir, stateFile)); err != nil || info.Mode().Perm() != secret {
		t.Errorf("the file: %v %v", info, err)
	}
	if _, _, err := l.address(learn.Derived{}); !errors.Is(err, errNoMaster) {
		t.Errorf("a derived fact: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, stateFile), []byte("AAAA\n"), secret); err != nil {
		t.Fatal(err)
	}
	if _, err := l.stateKey(); err == nil || HintOf(err) == "" {
		t.Errorf("a key that is too short: %v, hint %q", err, HintOf(err))
	}
}
