//go:build unix

package app

import (
	"os"
	"syscall"
)

// lock takes the file for this process; it fails at once when another has it.
func lock(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}
