package kv_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"learnloop.dev/kv"
)

// A generator asks the reader before every prompt it builds; the injector, here
// played by a writer, keeps the bucket up to date.
func Example() {
	nc, stop := demo()
	defer stop()
	ctx := context.Background()

	contexts, err := kv.NewReader(ctx, nc, kv.ReaderOptions{})
	if err != nil {
		log.Print(err)
		return
	}
	defer contexts.Close()
	injector, err := kv.NewWriter(ctx, contexts)
	if err != nil {
		log.Print(err)
		return
	}

	changes := contexts.Changes(ctx, "rule.")
	_, err = injector.Put(ctx, []kv.Entry{{
		Key:     kv.Key("rule", "passive-voice"),
		Value:   []byte(`{"id":"passive-voice","kind":"rule","prompt":"Writers keep passive voice in methods sections."}`),
		Insight: 1,
	}})
	if err != nil {
		log.Print(err)
		return
	}
	for c := range changes {
		fmt.Println(c.Key, "changed")
		break
	}
	fmt.Println("You edit a paper.", contexts.Prompt("rule", "passive-voice"))
	// Output:
	// rule.passive-voice changed
	// You edit a paper. Writers keep passive voice in methods sections.
}

// demo starts a server with the contexts bucket and connects to it.
func demo() (*nats.Conn, func()) {
	dir, err := os.MkdirTemp("", "kv")
	if err != nil {
		log.Fatal(err)
	}
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: dir, NoLog: true, NoSigs: true,
	})
	if err != nil {
		log.Fatal(err)
	}
	s.Start()
	nc, err := nats.Connect(s.ClientURL())
	if err != nil {
		log.Fatal(err)
	}
	js, err := jetstream.New(nc)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := js.CreateKeyValue(context.Background(), jetstream.KeyValueConfig{
		Bucket: kv.Contexts,
	}); err != nil {
		log.Fatal(err)
	}
	return nc, func() {
		nc.Close()
		s.Shutdown()
		s.WaitForShutdown()
		if err := os.RemoveAll(dir); err != nil {
			log.Print(err)
		}
	}
}
