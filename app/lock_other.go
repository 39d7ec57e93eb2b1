//go:build !unix

package app

import "os"

// lock leaves it to the stores' own locks where there is no flock.
func lock(*os.File) error { return nil }
