package bus_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/nats-io/nats.go/jetstream"
	"learnloop.dev/bus"
)

func Example() {
	dir, err := os.MkdirTemp("", "bus")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	server, err := bus.Serve(bus.Options{Dir: dir, StoreKey: "from the installation's master key"})
	if err != nil {
		log.Print(err)
		return
	}
	defer server.Shutdown()
	nc, err := server.ConnectStage("example")
	if err != nil {
		log.Print(err)
		return
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		log.Print(err)
		return
	}
	ctx := context.Background()
	layout, err := bus.Ensure(ctx, js, bus.Layout{InboxBytes: 1 << 20})
	if err != nil {
		log.Print(err)
		return
	}
	fmt.Println("partitions:", layout.Partitions)

	last, err := bus.NewAppender(nc, bus.EventsStream).Append(ctx, []bus.Message{
		{Subject: "learn.ev.7.feedback.fix", Data: []byte("kept")},
		{Subject: "learn.ev.9.feedback.fix", Data: []byte("undone")},
	})
	if err != nil {
		log.Print(err)
		return
	}
	fmt.Println("on disk up to:", last)

	reader := bus.ReadLog(js, bus.EventsStream, 1, "learn.ev.9.>")
	defer reader.Close()
	entries, err := reader.Next(ctx)
	if err != nil {
		log.Print(err)
		return
	}
	fmt.Printf("%d %s %s\n", entries[0].Seq, entries[0].Subject, entries[0].Data)
	// Output:
	// partitions: 32
	// on disk up to: 2
	// 2 learn.ev.9.feedback.fix undone
}
