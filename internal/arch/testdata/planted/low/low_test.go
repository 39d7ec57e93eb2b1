package low

import (
	_ "os" // allowed in tests
	"testing"
	"time"

	_ "planted.example/high" // allowed in tests
	_ "vendor.one/v2"        // allowed in tests
	_ "vendor.tests/check"   // allowed in tests
	_ "vendor.unknown"       // breaks: owners
)

func init() {} // breaks: startup

func TestWaiting(t *testing.T) {
	go now()
	time.Sleep(1) // breaks: sleep
}
