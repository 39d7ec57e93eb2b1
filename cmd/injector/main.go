// Command injector runs the third stage: it turns insights into contexts and
// answers calls.
package main

import (
	"os"

	"learnloop.dev/app"
)

func main() {
	os.Exit(app.Main(app.Injector, "Render contexts and answer calls", os.Args[1:], os.Stderr))
}
