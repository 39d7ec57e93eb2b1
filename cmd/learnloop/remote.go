package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"learnloop.dev/api"
	"learnloop.dev/app"
	"learnloop.dev/bus"
	"learnloop.dev/kv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// loop is a loop that somebody runs, seen from here.
type loop struct {
	client   *api.Client
	inbox    *bus.Appender
	operator bool   // logged in with a credential
	hint     string // what to give to become one
	watch    func(ctx context.Context, keys ...string) (*kv.Reader, error)
	close    func()
}

// connect opens a connection to the loop; whoever connects closes.
func (sh *shell) connect() (*loop, error) {
	creds := sh.credentials()
	nc, err := bus.Connect(sh.server, creds, "learnloop command")
	if err != nil {
		return nil, app.WithHint(err, sh.connectHint(err))
	}
	nc.SetErrorHandler(nil) // what is not permitted is told once, by who asked for it
	return &loop{
		client:   api.NewClient(nc),
		inbox:    bus.NewAppender(nc, bus.InboxStream),
		operator: creds != "",
		hint:     sh.credentialHint(),
		watch: func(ctx context.Context, keys ...string) (*kv.Reader, error) {
			return kv.NewReader(ctx, nc, kv.ReaderOptions{Keys: keys})
		},
		close: nc.Close,
	}, nil
}

// reach connects for work that somebody may interrupt; whoever reaches ends.
func (sh *shell) reach(ctx context.Context) (_ context.Context, l *loop, end func(), err error) {
	l, err = sh.connect()
	if err != nil {
		return nil, nil, nil, err
	}
	ctx, stop := app.Interruptible(ctx)
	return ctx, l, func() { l.close(); stop() }, nil
}

// advise says what to give to who may not do something.
func (l *loop) advise(err error) error {
	if p, ok := errors.AsType[*api.Problem](err); ok && p.Code == api.NotAllowed {
		return app.WithHint(err, l.hint)
	}
	return err
}

// connectHint says what to do when a loop cannot be reached.
func (sh *shell) connectHint(err error) string {
	switch text := err.Error(); {
	case strings.HasPrefix(sh.server, "http"):
		return "commands ask over NATS: --server wants an address such as " + defaultServer
	case errors.Is(err, bus.ErrServerTooOld):
		return "point --server at a loop, or at NATS 2.12 or newer"
	case strings.Contains(text, "Authorization Violation"):
		return "the credentials are those of another loop: give its folder with --data, or its admin.creds with --creds"
	case strings.Contains(text, "no servers available"):
		return "start a loop with: learnloop serve, or say where one is with --server"
	}
	return "check --server and --creds"
}

// call asks the loop one operation and prints its JSON, or hands it to show.
func (sh *shell) call(ctx context.Context, operation string, in any, show func(jsontext.Value) error) error {
	l, err := sh.connect()
	if err != nil {
		return err
	}
	defer l.close()
	var out jsontext.Value
	if err := l.client.Call(ctx, operation, in, &out); err != nil {
		return l.advise(err)
	}
	if sh.json {
		return sh.answer(out)
	}
	return show(out)
}

// reading decodes an answer for the function that shows it. Unknown members are
// fine: a newer loop may say more.
func reading[T any](show func(T) error) func(jsontext.Value) error {
	return func(v jsontext.Value) error {
		var out T
		if err := json.Unmarshal(v, &out); err != nil {
			return fmt.Errorf("read answer: %w", err)
		}
		return show(out)
	}
}
