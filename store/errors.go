package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/dgraph-io/badger/v4"
)

// What a caller can react to.
var (
	// ErrLocked means that another process has the store open.
	ErrLocked = errors.New("locked by another process")
	// ErrWrongKey means that the store was written under another key.
	ErrWrongKey = errors.New("the key does not fit")
	// ErrFormat means that another version of the product wrote the store.
	ErrFormat = errors.New("unknown format")
	// ErrDamaged means that the store cannot be trusted: remove it, and it is
	// folded again from the log.
	ErrDamaged = errors.New("damaged")
	// ErrReadOnly means that the folder cannot be written.
	ErrReadOnly = errors.New("no permission to write")
	// ErrDiskFull means that too little space is left to write safely.
	ErrDiskFull = errors.New("disk full")
)

var errBatchOpen = errors.New("another batch is open")

// plain strips an engine error down to its cause: what the engine wraps around it
// can quote keys, and keys hold identifiers.
func plain(err error) error {
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return known(path)
	}
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(err) {
		err = inner
	}
	return known(err)
}

// known puts the error that callers know in front of the engine's.
func known(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, badger.ErrEncryptionKeyMismatch):
		return ErrWrongKey
	case errors.Is(err, syscall.ENOSPC):
		return fmt.Errorf("%w: %w", ErrDiskFull, err)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return fmt.Errorf("%w: %w", ErrReadOnly, err)
	case strings.Contains(err.Error(), "CHECKSUM_MISMATCH"):
		return fmt.Errorf("%w: a checksum does not match", ErrDamaged)
	}
	return err
}

// opening explains why the engine did not open.
func opening(dir string, err error) error {
	if strings.Contains(err.Error(), "Another process is using") {
		return lockedBy(dir)
	}
	cause := plain(err)
	var errno syscall.Errno
	switch {
	case errors.As(cause, &errno), // the system's trouble, not the files'
		errors.Is(cause, ErrWrongKey), errors.Is(cause, ErrDamaged), errors.Is(cause, badger.ErrInvalidEncryptionKey):
		return cause
	}
	return fmt.Errorf("%w: %w", ErrDamaged, cause)
}

// lockedBy names the process that holds the lock where the system lets us read it.
func lockedBy(dir string) error {
	data, err := os.ReadFile(filepath.Join(dir, "LOCK"))
	pid := strings.TrimSpace(string(data))
	if err != nil || pid == "" {
		return ErrLocked
	}
	return fmt.Errorf("%w (pid %s)", ErrLocked, pid)
}
