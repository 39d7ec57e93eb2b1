package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"learnloop.dev/agent"
	"learnloop.dev/events"
	"learnloop.dev/events/capture"
	"learnloop.dev/kv"
)

// model does what its prompt says; where it says nothing of the length, every other
// answer is long.
func model(_ context.Context, prompt string, t agent.Turn) (agent.Answer, error) {
	text := "They do what their name says."
	if t.Position%2 == 0 && !strings.Contains(prompt, "concise") {
		text += strings.Repeat(" There is a good deal more to say about that, and here it is said at length.", 12)
	}
	return agent.Answer{Text: text, Model: "invented"}, nil
}

// conversation is somebody who likes short answers, and says so.
type conversation struct {
	agent    *agent.Middleware
	events   *capture.Publisher
	contexts *kv.Reader
	user     string
	position int64
}

// things are what is asked about.
var things = []string{"maps", "slices", "channels", "interfaces", "closures", "modules", "generics"}

// What is asked, and how much.
const (
	base      = "You explain programming."
	rounds    = 3
	questions = 12 // in each round
	short     = 60 // characters
)

func (c *conversation) run(ctx context.Context) error {
	for round := range rounds {
		liked, err := c.round(ctx)
		if err != nil {
			return err
		}
		_, _ = fmt.Fprintf(os.Stdout, "round %d: %d of %d answers are liked\n", round+1, liked, questions)
	}
	tuned := c.agent.Before(ctx, agent.Turn{UserID: c.user, Base: base})
	_, _ = fmt.Fprintf(os.Stdout, "\nThe prompt is now:\n%s\n\n%s\n", tuned.Prompt, tuned.Reason)
	for _, change := range tuned.Changes {
		_, _ = fmt.Fprintf(os.Stdout, "%s: %s\n", change.What, change.Why)
	}
	return nil
}

// round asks some questions, and waits until what was said about the answers is known.
func (c *conversation) round(ctx context.Context) (liked int, err error) {
	ask := c.agent.Wrap(model)
	for range questions {
		c.position++
		turn := agent.Turn{
			SessionID: c.user, UserID: c.user, Position: c.position,
			Base: base, Question: "How do " + things[int(c.position)%len(things)] + " work?",
		}
		reply, err := ask(ctx, turn)
		if err != nil {
			return liked, err
		}
		turn.ExchangeID = reply.ExchangeID
		sign := events.ThumbsDown
		if len(reply.Text) < short {
			sign = events.ThumbsUp
			liked++
		}
		if err := c.agent.React(turn, sign); err != nil {
			return liked, err
		}
	}
	return liked, c.settle(ctx)
}

// settle waits until no context has changed for a while.
func (c *conversation) settle(ctx context.Context) error {
	const quiet = 2 * time.Second
	if err := c.events.Flush(ctx); err != nil {
		return err
	}
	for {
		still, cancel := context.WithTimeout(ctx, quiet)
		changed := false
		for range c.contexts.Changes(still, "user.") {
			changed = true
			break
		}
		cancel()
		if !changed {
			return ctx.Err()
		}
	}
}
