package capture_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"learnloop.dev/events"
	"learnloop.dev/events/capture"
)

// An editor's agent reports what became of its suggestions. It goes on at once,
// whatever the state of the server.
func Example() {
	nc, stop := demo()
	defer stop()
	ctx := context.Background()

	agent := capture.New(nc, capture.Options{Source: "/agents/editor"})
	err := capture.Publish(agent, events.FeedbackFix, events.FixFeedback{
		SuggestionID: "s-1", DeviationID: "d-1", RuleID: "passive-voice", Category: "style",
		Decision: events.Rejected, OriginalText: "it was shown", SuggestedText: "we showed",
	})
	if err != nil {
		fmt.Println("not captured:", err)
	}
	if err := agent.Close(ctx); err != nil {
		fmt.Println(err)
	}
	stats := agent.Stats()
	fmt.Println(stats.Sent, "sent,", stats.Dropped, "dropped")
	// Output:
	// 1 sent, 0 dropped
}

// demo starts a server with an inbox and connects to it.
func demo() (*nats.Conn, func()) {
	dir, err := os.MkdirTemp("", "capture")
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
	inbox := jetstream.StreamConfig{Name: "LEARN_INBOX", Subjects: []string{"learn.in.>"}}
	if _, err := js.CreateStream(context.Background(), inbox); err != nil {
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
