// Package mid looks where it must not.
package mid

import (
	_ "planted.example"         // breaks: floors
	_ "planted.example/beside"  // breaks: floors
	_ "planted.example/high"    // breaks: floors
	_ "planted.example/lost"    // breaks: floors
	_ "planted.example/low"     // allowed: down
	_ "planted.example/support" // breaks: floors
	_ "vendor.one/v2/part"      // breaks: owners
	_ "vendor.tests/check"      // breaks: owners
)

func (s thing) init() {} // allowed: a method

type thing struct{}
