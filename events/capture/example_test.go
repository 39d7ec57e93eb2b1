package capture_test

import (
	"context"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"learnloop.dev/events"
	"learnloop.dev/events/capture"
	"learnloop.dev/internal/standin"
)

// An editor's agent reports what became of its suggestions. It goes on at once,
// whatever the state of the server.
func Example() {
	nc, stop := standin.Serve()
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

// With Redact nothing personal in a text leaves the process. The loop finds
// nothing more in it, and keeps it as it is.
func ExampleOptions_redact() {
	nc, stop := standin.Serve()
	defer stop()
	ctx := context.Background()

	agent := capture.New(nc, capture.Options{Source: "/agents/editor", Redact: true})
	err := capture.Publish(agent, events.FeedbackFix, events.FixFeedback{
		SuggestionID: "s-1", DeviationID: "d-1", RuleID: "passive-voice", Category: "style",
		Decision: events.Rejected, OriginalText: "It was sent to bob@example.com.", SuggestedText: "We sent it to bob@example.com.",
	})
	if err != nil {
		fmt.Println("not captured:", err)
	}
	if err := agent.Close(ctx); err != nil {
		fmt.Println(err)
	}
	fmt.Println(inInbox(ctx, nc))
	// Output:
	// It was sent to [EMAIL_1]. → We sent it to [EMAIL_1].
}

// A planner reports what its user made of plans. The loop keeps these as samples to
// train on: learnloop samples export hands them out.
func ExamplePlanApproved() {
	nc, stop := standin.Serve()
	defer stop()

	agent := capture.New(nc, capture.Options{Source: "/agents/planner"})
	plan := capture.Plan{Intent: "Book a flight to Rome", Steps: []string{"search", "compare", "book"}}
	if err := capture.PlanApproved(agent, plan); err != nil {
		fmt.Println("not captured:", err)
	}
	delta := capture.Delta{Changes: map[string]any{"seats": 2}, Feedback: "There are two of us.", Fields: []string{"seats"}}
	if err := capture.DeltaIntent(agent, plan, delta); err != nil {
		fmt.Println("not captured:", err)
	}
	if err := agent.Close(context.Background()); err != nil {
		fmt.Println(err)
	}
	fmt.Println(agent.Stats().Sent, "sent")
	// Output:
	// 2 sent
}

// inInbox returns the texts of the first fix as they arrived.
func inInbox(ctx context.Context, nc *nats.Conn) string {
	js, err := jetstream.New(nc)
	if err != nil {
		return err.Error()
	}
	inbox, err := js.Stream(ctx, "LEARN_INBOX")
	if err != nil {
		return err.Error()
	}
	message, err := inbox.GetMsg(ctx, 1)
	if err != nil {
		return err.Error()
	}
	var batch []struct{ Data events.FixFeedback }
	if err := json.Unmarshal(message.Data, &batch, json.MatchCaseInsensitiveNames(true)); err != nil {
		return err.Error()
	}
	return batch[0].Data.OriginalText + " → " + batch[0].Data.SuggestedText
}
