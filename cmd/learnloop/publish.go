package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"learnloop.dev/api"
	"learnloop.dev/app"
	"learnloop.dev/bus"
	"learnloop.dev/events"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"
)

// draft is one event as its author gave it.
type draft struct {
	kind, data, source, id string
}

func (sh *shell) publishCommand() *cobra.Command {
	var d draft
	c := &cobra.Command{
		Use: "publish", Short: "Publish one event",
		Long: "Publishes one event and says at once where it is wrong. The same id counts once.",
		Example: "  learnloop publish --type feedback.fix --data @feedback.json\n" +
			"  learnloop publish --type task.finished --id task-7 --data - < task.json",
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			env, err := d.envelope(sh.in)
			if err != nil {
				return misused(cmd, err)
			}
			return sh.publish(cmd.Context(), env)
		},
	}
	f := c.Flags()
	f.StringVar(&d.kind, "type", "", "the `kind` of event, such as feedback.fix")
	f.StringVar(&d.data, "data", "", "its data: `JSON`, @file, or - for the standard input")
	f.StringVar(&d.source, "source", "/learnloop/command", "who reports it, as a `URI reference` such as /my/agent")
	f.StringVar(&d.id, "id", "", "its `id`, unique within the source; made up when left out")
	return c
}

// envelope is the event of a draft.
func (d draft) envelope(in io.Reader) (events.Envelope, error) {
	kind := events.Kind(strings.TrimSuffix(strings.TrimPrefix(d.kind, events.TypePrefix), events.TypeSuffix))
	if _, ok := events.Lookup(kind); !ok {
		return events.Envelope{}, fmt.Errorf("--type %q is no kind of event: want one of %s", d.kind, kinds())
	}
	if d.data == "" {
		return events.Envelope{}, errors.New("--data is missing")
	}
	data, err := d.read(in)
	if err != nil {
		return events.Envelope{}, fmt.Errorf("--data: %w", err)
	}
	env := events.Envelope{Kind: kind, ID: d.id, Source: d.source, Time: time.Now().UTC(), Data: data}
	if env.ID == "" {
		env.ID = rand.Text()
	}
	return env, nil
}

// read returns the data, from wherever it is.
func (d draft) read(in io.Reader) ([]byte, error) {
	if d.data == stdin {
		return io.ReadAll(io.LimitReader(in, longestLine))
	}
	if name, ok := strings.CutPrefix(d.data, "@"); ok {
		return os.ReadFile(name)
	}
	return []byte(d.data), nil
}

// kinds lists what anybody may publish.
func kinds() string {
	var names []string
	for spec := range events.All() {
		if !spec.Name().Control() {
			names = append(names, string(spec.Name()))
		}
	}
	return strings.Join(names, ", ")
}

// publish hands one event over and says what became of it. Kinds that operators
// reserve are for those who are logged in.
func (sh *shell) publish(ctx context.Context, env events.Envelope) error {
	l, err := sh.connect()
	if err != nil {
		return err
	}
	defer l.close()
	if (env.Kind.Control() || env.Kind.Reviewed()) && !l.operator {
		return app.WithHint(fmt.Errorf("publish %s: only an operator may", env.Kind),
			l.hint)
	}
	body, err := events.EncodeStructured(env)
	if err != nil {
		return fmt.Errorf("publish %s: %w", env.Kind, err)
	}
	var taken api.Taken
	err = l.client.Call(ctx, "events.publish", jsontext.Value(body), &taken)
	switch {
	case errors.Is(err, api.ErrUnanswered):
		return sh.send(ctx, l, env, body)
	case err != nil:
		return err
	}
	return sh.sayPublished(env, taken)
}

// send leaves an event in the inbox. Where stages run apart nobody says at once
// what becomes of it.
func (sh *shell) send(ctx context.Context, l *loop, env events.Envelope, body []byte) error {
	m := message(env.Kind.Subject(), events.ContentStructured, body)
	if _, err := l.inbox.Append(ctx, []bus.Message{m}); err != nil {
		return fmt.Errorf("publish %s: %w", env.Kind, err)
	}
	if sh.json {
		return sh.answerWith(map[string]any{"id": env.ID, "sent": 1})
	}
	sh.sayf("%s %s sent; if it is refused, learnloop dlq list says why", string(env.Kind), env.ID)
	return nil
}

func (sh *shell) sayPublished(env events.Envelope, taken api.Taken) error {
	if sh.json {
		return sh.answerWith(map[string]any{"id": env.ID, "accepted": taken.Accepted, "declined": taken.Declined})
	}
	for _, why := range slices.Sorted(maps.Keys(taken.Declined)) {
		sh.sayf("%s %s declined: %s", string(env.Kind), env.ID, reasonOf(why))
		return nil
	}
	sh.sayf("%s %s accepted", string(env.Kind), env.ID)
	return nil
}

// reasonOf says why an event was declined, for people.
func reasonOf(why string) string {
	if why == "opt_out" {
		return "not kept, because its sender or its person does not want it, or the privacy settings leave its kind out (opt_out)"
	}
	return why
}
