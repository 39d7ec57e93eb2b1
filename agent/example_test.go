package agent_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"learnloop.dev/agent"
	"learnloop.dev/events"
	"learnloop.dev/events/capture"
	"learnloop.dev/internal/standin"
	"learnloop.dev/kv"
)

// A model that does what its prompt says is told, between two questions, how Anna likes
// her answers. The injector is played by a writer.
func Example() {
	nc, stop := standin.Serve()
	defer stop()
	ctx := context.Background()

	contexts, err := kv.NewReader(ctx, nc, kv.ReaderOptions{})
	if err != nil {
		log.Print(err)
		return
	}
	defer contexts.Close()
	publisher := capture.New(nc, capture.Options{Source: "/agents/tutor", Redact: true})

	// Names are public here; where they are not, Key is kv.KeyOfUser.
	m := agent.New(agent.Options{Contexts: contexts, Events: publisher})
	defer m.Close()
	ask := m.Wrap(model)

	turn := agent.Turn{SessionID: "s-1", UserID: "anna", Base: "You are a tutor.", Question: "What is a closure?"}
	first, err := ask(ctx, turn)
	if err != nil {
		log.Print(err)
		return
	}
	fmt.Println("first:", first.Text)
	turn.ExchangeID = first.ExchangeID
	if err := m.React(turn, events.ThumbsDown); err != nil {
		fmt.Println("not captured:", err)
	}

	if err := learned(ctx, contexts, brief("anna")); err != nil {
		log.Print(err)
		return
	}
	turn.ExchangeID = ""
	second, err := ask(ctx, turn)
	if err != nil {
		log.Print(err)
		return
	}
	fmt.Println("then:", second.Text)
	for _, c := range second.Tuned.Changes {
		fmt.Println("because:", c.Why)
	}
	if err := publisher.Close(ctx); err != nil {
		fmt.Println(err)
	}
	fmt.Println(publisher.Stats().Sent, "events sent")
	// Output:
	// first: A closure is a function together with the variables that it was made among, which live on.
	// then: A function with its surroundings.
	// because: length_preference 0.10, learned from 45 answers; those that went well have about 80 words
	// 3 events sent
}

// model does what its prompt says.
func model(_ context.Context, prompt string, _ agent.Turn) (agent.Answer, error) {
	if strings.Contains(prompt, "concise") {
		return agent.Answer{Text: "A function with its surroundings.", Model: "tiny-1"}, nil
	}
	return agent.Answer{Text: "A closure is a function together with the variables that it was made among, which live on.", Model: "tiny-1"}, nil
}

// learned plays the injector, and waits until the reader has seen it.
func learned(ctx context.Context, contexts *kv.Reader, value string) error {
	changes := contexts.Changes(ctx, "user.")
	injector, err := kv.NewWriter(ctx, contexts)
	if err != nil {
		return err
	}
	if _, err := injector.Put(ctx, []kv.Entry{{Key: kv.Key("user", "anna"), Value: []byte(value), Insight: 1}}); err != nil {
		return err
	}
	for range changes {
		break
	}
	return nil
}
