package store

import (
	"os"

	"github.com/dgraph-io/badger/v4"
)

// clearStubs removes the empty files that a process leaves when it dies between making
// a file and giving it its size. They hold nothing; the engine takes such a file for
// one that it made itself just now, and does not open.
func clearStubs(opts badger.Options) error {
	if inUse(opts.Dir) { // a running process may be making one
		return nil
	}
	for _, made := range []string{"*.mem", "*.vlog"} {
		names, err := filesIn(opts.Dir, made)
		if err != nil {
			return err
		}
		for _, name := range names {
			if err := clearStub(name); err != nil {
				return known(err)
			}
		}
	}
	return nil
}

func clearStub(name string) error {
	info, err := os.Stat(name)
	if err != nil || info.Size() > 0 {
		return err
	}
	return os.Remove(name)
}
