// Command agent is an agent that gets better while you watch: it suggests plainer words
// to somebody who never says which ones they like, and reads before each suggestion what
// became of the earlier ones.
package main

import (
	"cmp"
	"context"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/nats-io/nats.go"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	err := work(ctx, cmp.Or(os.Getenv("LEARNLOOP_SERVER"), nats.DefaultURL))
	cancel()
	if err != nil {
		log.Fatal(err)
	}
}

// work plays all rounds and shows how many suggestions were kept in each.
func work(ctx context.Context, server string) error {
	nc, err := nats.Connect(server, nats.MaxReconnects(-1))
	if err != nil {
		return fmt.Errorf("connect (is learnloop serve running?): %w", err)
	}
	defer nc.Close()
	_, _ = fmt.Fprintf(os.Stdout, "of %d suggestions are kept\n\nround  with the loop  without\n", perRound)
	return compare(ctx, nc, func(round, with, without int) {
		_, _ = fmt.Fprintf(os.Stdout, "%-7d%-15d%d\n", round, with, without)
	})
}
