package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// tail watches over the end of what was written. The engine writes each memtable
// to a file of its own, starts the next one without forcing the last to disk, and
// after a power cut takes what it finds: if the end of one file were lost and the
// beginning of the next kept, commits would be missing in the middle. So the last
// file is forced to disk before a second commit goes into the next; and the number
// of the commit before the newest must be there on opening, or there is a hole.
type tail struct {
	number uint64 // of the last commit
	file   int    // the memtable file being written
}

func tailKey(number uint64) []byte { return append(keyOf(whole, tableTail), byte(number&1)) }

// findTail finds the last commit and refuses a hole before it.
func (s *Store) findTail() error {
	even, err := s.value(tailKey(0))
	if err != nil {
		return err
	}
	odd, err := s.value(tailKey(1))
	if err != nil {
		return err
	}
	last, before := max(number(even), number(odd)), min(number(even), number(odd))
	if last > 0 && before != last-1 {
		return fmt.Errorf("%w: commits before number %d are missing", ErrDamaged, last)
	}
	s.tail.number = last
	return s.tail.start(s.dir)
}

// start forces the files of earlier memtables to disk.
func (t *tail) start(dir string) error {
	files, err := filesIn(dir, "*.mem")
	if err != nil {
		return fmt.Errorf("list memtables: %w", err)
	}
	for i, name := range files { // in the order of their numbers
		if _, err := fmt.Sscanf(filepath.Base(name), "%d.mem", &t.file); err != nil {
			return fmt.Errorf("memtable file %s: %w", name, err)
		}
		if i < len(files)-1 {
			if err := force(name); err != nil {
				return err
			}
		}
	}
	return nil
}

// settle forces a file to disk once the next has begun.
func (t *tail) settle(dir string) error {
	for {
		if _, err := os.Lstat(memtableFile(dir, t.file+1)); err != nil {
			return nil //nolint:nilerr // not begun
		}
		if err := force(memtableFile(dir, t.file)); err != nil {
			return err
		}
		if err := force(dir); err != nil {
			return err
		}
		t.file++
	}
}

func memtableFile(dir string, n int) string { return filepath.Join(dir, fmt.Sprintf("%05d.mem", n)) }

// force writes a file through to disk; one that is gone was written out already.
func force(name string) error {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return known(err)
	}
	err = f.Sync()
	return known(errors.Join(err, f.Close()))
}
