// Package support helps tests and may look anywhere.
package support

import (
	_ "os"

	_ "planted.example/high"
	_ "vendor.tests/check"
)
