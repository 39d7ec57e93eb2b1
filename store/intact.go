package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/table"
)

// fits refuses a key under which the store was not written. The engine would too,
// but leave goroutines behind.
func fits(opts badger.Options) error {
	_, err := badger.OpenKeyRegistry(badger.KeyRegistryOptions{
		Dir: opts.Dir, ReadOnly: true, EncryptionKey: opts.EncryptionKey,
		EncryptionKeyRotationDuration: opts.EncryptionKeyRotationDuration,
	})
	if errors.Is(err, badger.ErrEncryptionKeyMismatch) {
		return ErrWrongKey
	}
	return nil // other trouble comes up again when the engine opens
}

// intact refuses a store with a table that ends too early: the engine would not
// fail on opening it but take the process down.
func intact(opts badger.Options) error {
	if err := keyed(opts.Dir); err != nil {
		return err
	}
	manifest, err := os.Open(filepath.Join(opts.Dir, badger.ManifestFilename))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return known(err)
	}
	defer func() { _ = manifest.Close() }() // only read
	m, _, err := badger.ReplayManifestFile(manifest, 0, opts)
	if err != nil {
		return nil // the engine fails on this in an orderly way
	}
	for id := range m.Tables {
		if !endsWell(table.NewFilename(id, opts.Dir)) {
			if inUse(opts.Dir) { // what a running process replaces may look like it
				return lockedBy(opts.Dir)
			}
			return fmt.Errorf("%w: table %d is missing or incomplete", ErrDamaged, id)
		}
	}
	return nil
}

// keyed refuses a store that lacks the file of the engine's keys: the engine would make
// another one, and go down on what it then cannot read.
func keyed(dir string) error {
	if _, err := os.Stat(filepath.Join(dir, badger.KeyRegistryFileName)); !errors.Is(err, fs.ErrNotExist) {
		return known(err)
	}
	for _, written := range []string{"*.mem", "*.sst"} {
		if files, err := filesIn(dir, written); err != nil || len(files) > 0 {
			return fmt.Errorf("%w: %s is missing", ErrDamaged, badger.KeyRegistryFileName)
		}
	}
	return nil
}

// endsWell reports whether a table's end is where it says: the index, its size (4
// bytes), the checksum, its size (4 bytes).
func endsWell(name string) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }() // only read
	info, err := f.Stat()
	if err != nil {
		return false
	}
	end := info.Size()
	for range 2 {
		var size [4]byte
		if _, err := f.ReadAt(size[:], end-4); err != nil {
			return false
		}
		end -= 4 + int64(binary.BigEndian.Uint32(size[:]))
		if end < 4 {
			return false
		}
	}
	return true
}
