package main

import (
	"context"
	"testing"

	"learnloop.dev/app"
	"learnloop.dev/stats"

	"github.com/nats-io/nats.go"
	"go.uber.org/zap"
)

func TestTheAgentWithTheLoopGetsBetterThanTheOneWithout(t *testing.T) {
	nc := loop(t)
	var first, last, other stats.Share // the other: without the loop, in the last rounds
	err := compare(t.Context(), nc, func(round, with, without int) {
		t.Logf("round %d: %d and %d of %d", round, with, without, perRound)
		if round == 1 {
			first = stats.Share{X: int64(with), N: perRound}
		}
		if round > rounds/2 {
			last = stats.Share{X: last.X + int64(with), N: last.N + perRound}
			other = stats.Share{X: other.X + int64(without), N: other.N + perRound}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if gain := stats.Newcombe(last, first, 0.95); gain.Lower <= 0 {
		t.Errorf("better than at first by %+v", gain)
	}
	if gain := stats.Newcombe(last, other, 0.95); gain.Lower < 0.2 {
		t.Errorf("better than without by %+v", gain)
	}
}

// loop starts a loop that ends with the test, and connects to it as anybody may.
func loop(t *testing.T) *nats.Conn {
	t.Helper()
	config, err := app.Load("", nil, []string{"data=" + t.TempDir(), "http=127.0.0.1:0", "nats=127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	l, err := app.Open(t.Context(), config, zap.NewNop())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- l.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	select {
	case <-l.Ready():
	case err := <-ended:
		t.Fatalf("loop ended before it was ready: %v", err)
	}
	nc, err := nats.Connect(l.Addresses().NATS)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return nc
}

func TestTheModelDoesWhatThePromptSays(t *testing.T) {
	p := phrases[0]
	prompt := "Fixes that people turn down; avoid them:\n" +
		"- \"utilize\" to \"use\": usually turned down\n- \"utilize\" to \"apply\": usually turned down\n\nNote: none."
	for range 20 {
		if got := newAgent().model.suggest(p, prompt); got != "employ" {
			t.Fatalf("suggests %s", got)
		}
	}
	if got := newAgent().model.suggest(p, "Fixes that people keep; prefer them:\n- \"utilize\" to \"apply\": kept so far (tentative)"); got != "apply" {
		t.Errorf("suggests %s", got)
	}
}
