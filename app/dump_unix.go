//go:build unix

package app

import (
	"fmt"
	"syscall"
)

// forbidDumps keeps the system from writing this process's memory to disk when it
// crashes: there are keys in it, and events that are not protected yet.
func forbidDumps() error {
	if err := syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{}); err != nil {
		return fmt.Errorf("forbid core dumps: %w", err)
	}
	return hideMemory()
}
