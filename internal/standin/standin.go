// Package standin starts a NATS server that stands in for a loop, so that examples run
// without one.
package standin

import (
	"context"
	"errors"
	"log"
	"os"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// start is how long the server may take to listen.
const start = 30 * time.Second

// Serve starts a server that has what agents and generators use of a loop, an inbox and
// the bucket of contexts, and connects to it. Whoever calls it calls stop; what goes
// wrong ends the process.
func Serve() (nc *nats.Conn, stop func()) {
	dir, err := os.MkdirTemp("", "standin")
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
	if !s.ReadyForConnections(start) {
		log.Fatal("the server does not listen")
	}
	if nc, err = nats.Connect(s.ClientURL()); err == nil {
		err = furnish(nc)
	}
	if err != nil {
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

// furnish creates the inbox and the bucket.
func furnish(nc *nats.Conn) error {
	js, err := jetstream.New(nc)
	if err != nil {
		return err
	}
	_, inbox := js.CreateStream(context.Background(), jetstream.StreamConfig{Name: "LEARN_INBOX", Subjects: []string{"learn.in.>"}})
	_, bucket := js.CreateKeyValue(context.Background(), jetstream.KeyValueConfig{Bucket: "learn_contexts"})
	return errors.Join(inbox, bucket)
}
