package kv_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"

	"learnloop.dev/kv"
)

// answering plays the loop's service of contexts.
func answering(t *testing.T, nc *nats.Conn, answer func(asked string) *nats.Msg) {
	t.Helper()
	sub, err := nc.Subscribe("learn.svc.contexts.get", func(m *nats.Msg) { _ = m.RespondMsg(answer(string(m.Data))) })
	if err == nil {
		err = nc.Flush()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = sub.Unsubscribe() })
}

func TestTheLoopTellsWhereAPersonsContextStands(t *testing.T) {
	nc := start(t).connect()
	answering(t, nc, func(asked string) *nats.Msg {
		if asked != `{"user":"anna@example.org"}` {
			t.Errorf("asked %s", asked)
		}
		return &nats.Msg{Data: []byte(`{"key":"user.p1_abc","prompt":""}`)}
	})
	if key, err := kv.KeyOfUser(t.Context(), nc, "anna@example.org"); key != "user.p1_abc" || err != nil {
		t.Errorf("%s, %v", key, err)
	}
}

func TestWhoMayNotAskIsTold(t *testing.T) {
	nc := start(t).connect()
	if _, err := kv.KeyOfUser(t.Context(), nc, "anna"); !errors.Is(err, nats.ErrNoResponders) {
		t.Errorf("nobody there: %v", err)
	}
	answering(t, nc, func(string) *nats.Msg {
		return &nats.Msg{Header: nats.Header{micro.ErrorCodeHeader: {"not_allowed"}, micro.ErrorHeader: {"no anna"}}}
	})
	_, err := kv.KeyOfUser(t.Context(), nc, "anna")
	if !errors.Is(err, kv.ErrRefused) || strings.Contains(err.Error(), "anna") {
		t.Error(err)
	}
}
