//go:build linux || darwin || freebsd

package app

import (
	"fmt"
	"syscall"
)

// freeBytes is how much a folder's disk has left for this user.
func freeBytes(dir string) (uint64, error) {
	var disk syscall.Statfs_t
	if err := syscall.Statfs(dir, &disk); err != nil {
		return 0, fmt.Errorf("ask how much of the disk is free: %w", err)
	}
	return uint64(disk.Bavail) * uint64(disk.Bsize), nil //nolint:unconvert // the types differ between systems
}
