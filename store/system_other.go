//go:build !linux && !darwin && !freebsd

package store

// inUse cannot tell here.
func inUse(string) bool { return false }

// enoughSpace cannot tell here.
func enoughSpace(string) error { return nil }
