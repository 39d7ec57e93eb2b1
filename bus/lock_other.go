//go:build !unix

package bus

import "os"

// flock does nothing where the system has no advisory locks; the address in use is then the only guard.
func flock(*os.File) error { return nil }
