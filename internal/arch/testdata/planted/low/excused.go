package low

import _ "log" // excused: see the test

type lost interface { // excused by name
	One()
	Two()
	Three()
}
