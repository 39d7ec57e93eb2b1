//go:build !linux && !darwin && !freebsd

package app

import "errors"

// freeBytes is not known here.
func freeBytes(string) (uint64, error) {
	return 0, errors.New("how much of the disk is free cannot be asked on this system")
}
