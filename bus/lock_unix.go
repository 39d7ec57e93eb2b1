//go:build unix

package bus

import (
	"errors"
	"os"
	"syscall"
)

// flock holds the file until it is closed or the process ends.
func flock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrStoreLocked
	}
	return err
}
