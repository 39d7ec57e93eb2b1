// Command analyzer runs the second stage: it folds the log and publishes what
// it then knows.
package main

import (
	"os"

	"learnloop.dev/app"
)

func main() {
	os.Exit(app.Main(app.Analyzer, "Fold the log and publish what is known", os.Args[1:], os.Stderr))
}
