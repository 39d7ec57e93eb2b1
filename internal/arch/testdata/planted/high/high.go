// Package high owns vendor.one and its goroutines.
package high

import (
	_ "planted.example/low"
	_ "planted.example/mid"
	_ "vendor.one/v2/part"
)

func start() {
	go start()
}
