// Command learnloop runs the learning loop on one machine, and is how its
// operator looks inside.
package main

import (
	"context"
	"os"
)

func main() {
	sh := &shell{in: os.Stdin, out: os.Stdout, err: os.Stderr, environ: os.Environ()}
	os.Exit(sh.run(context.Background(), os.Args[1:]))
}
