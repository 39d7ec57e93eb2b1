// Command go is an agent whose answers come to suit the person who asks: a model that
// does what its prompt says, with learnloop's middleware around it.
package main

import (
	"cmp"
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"learnloop.dev/agent"
	"learnloop.dev/events/capture"
	"learnloop.dev/kv"

	"github.com/nats-io/nats.go"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	err := work(ctx)
	cancel()
	if err != nil {
		log.Fatal(err)
	}
}

// work connects to a running loop and lets somebody ask.
func work(ctx context.Context) error {
	data := cmp.Or(os.Getenv("LEARNLOOP_DATA"), "learnloop-data")
	nc, err := nats.Connect(cmp.Or(os.Getenv("LEARNLOOP_SERVER"), nats.DefaultURL),
		nats.UserCredentials(filepath.Join(data, "admin.creds")), nats.MaxReconnects(-1))
	if err != nil {
		return fmt.Errorf("connect (is learnloop serve running?): %w", err)
	}
	defer nc.Close()
	contexts, err := kv.NewReader(ctx, nc, kv.ReaderOptions{Keys: []string{"user.>"}})
	if err != nil {
		return err
	}
	defer contexts.Close()
	publisher := capture.New(nc, capture.Options{Source: "/examples/go", Redact: true})
	key := func(ctx context.Context, user string) (string, error) { return kv.KeyOfUser(ctx, nc, user) }
	m := agent.New(agent.Options{Contexts: contexts, Events: publisher, Key: key})
	defer m.Close()
	c := conversation{agent: m, events: publisher, contexts: contexts, user: fmt.Sprint("ada-", time.Now().UnixNano())}
	if err := c.run(ctx); err != nil {
		return err
	}
	return publisher.Close(ctx)
}
