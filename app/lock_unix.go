//go:build unix

package app

import (
	"errors"
	"os"
	"syscall"
)

// lock takes the file for this process; it fails at once, with ErrHeld when another
// has it.
func lock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrHeld
	}
	return err
}
