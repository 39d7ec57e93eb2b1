// Command ingest runs the first stage: it validates and protects what agents
// publish and appends it to the log.
package main

import (
	"os"

	"learnloop.dev/app"
)

func main() {
	os.Exit(app.Main(app.Ingest, "Validate, protect and append what agents publish", os.Args[1:], os.Stderr))
}
