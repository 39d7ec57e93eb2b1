package app

import (
	"fmt"
	"syscall"
)

// hideMemory keeps other processes of the same user from reading our memory, and
// programs that collect crashes, which the limit on core files does not bind, from
// getting it.
func hideMemory() error {
	if _, _, failed := syscall.RawSyscall(syscall.SYS_PRCTL, syscall.PR_SET_DUMPABLE, 0, 0); failed != 0 {
		return fmt.Errorf("forbid core dumps: %w", failed)
	}
	return nil
}
