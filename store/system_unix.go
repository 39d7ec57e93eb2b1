//go:build linux || darwin || freebsd

package store

import (
	"fmt"
	"os"
	"syscall"
)

// reserve is the free space below which nothing is written, in bytes. The engine
// writes through memory maps: on a full disk it would not fail, it would crash.
const reserve = 64 << 20

// inUse reports whether a process has the folder locked.
func inUse(dir string) bool {
	f, err := os.Open(dir)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }() // gives the lock free
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil
}

func enoughSpace(dir string) error {
	var fs syscall.Statfs_t
	if err := syscall.Statfs(dir, &fs); err != nil {
		return known(fmt.Errorf("ask for free space: %w", err))
	}
	free := uint64(fs.Bavail) * uint64(fs.Bsize) //nolint:unconvert // their types differ between systems
	if free < reserve {
		return fmt.Errorf("%w: %d MB left, %d MB needed", ErrDiskFull, free>>20, reserve>>20)
	}
	return nil
}
