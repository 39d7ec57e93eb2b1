package api

import (
	"bytes"
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/learn"
)

// registrar gives out and takes tokens, as one of several processes at a bucket.
func registrar(h *house, now *time.Time) *pledges {
	return &pledges{func() time.Time { return *now }, bus.NewBucket(h.js, learn.Settings)}
}

func TestATokenOfOneProcessIsGoodAtAnotherOnce(t *testing.T) {
	h, now := build(t), time.Now()
	one, two := registrar(h, &now), registrar(h, &now)
	request := Subject{User: "anna@example.com"}
	made, err := one.issue(t.Context(), request)
	if err != nil || !made.Expires.Equal(now.Add(confirmTime)) {
		t.Fatalf("%v %+v", err, made)
	}
	refused := map[string]func() error{
		"another request": func() error { return two.redeem(t.Context(), made.Token, Subject{User: "bob"}) },
		"another kind":    func() error { return two.redeem(t.Context(), made.Token, Erasure{All: true}) },
		"another token":   func() error { return two.redeem(t.Context(), "AAAA", request) },
	}
	for name, redeem := range refused {
		if redeem() == nil {
			t.Errorf("%s was taken", name)
		}
	}
	if err := two.redeem(t.Context(), made.Token, request); err != nil {
		t.Fatal(err)
	}
	if one.redeem(t.Context(), made.Token, request) == nil || two.redeem(t.Context(), made.Token, request) == nil {
		t.Error("a token was taken twice")
	}
}

func TestATokenIsTooOldAfterFiveMinutes(t *testing.T) {
	h, now := build(t), time.Now()
	p := registrar(h, &now)
	made, err := p.issue(t.Context(), Erasure{All: true})
	if err != nil {
		t.Fatal(err)
	}
	if now = now.Add(confirmTime); p.redeem(t.Context(), made.Token, Erasure{All: true}) == nil {
		t.Error("it was taken")
	}
}

func TestOfManyWhoRedeemATokenAtATimeOneSucceeds(t *testing.T) {
	h, now := build(t), time.Now()
	made, err := registrar(h, &now).issue(t.Context(), Erasure{All: true})
	if err != nil {
		t.Fatal(err)
	}
	var taken atomic.Int32
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if registrar(h, &now).redeem(context.WithoutCancel(t.Context()), made.Token, Erasure{All: true}) == nil {
				taken.Add(1)
			}
		})
	}
	all.Wait()
	if taken.Load() != 1 {
		t.Errorf("%d succeeded", taken.Load())
	}
}

func TestWhatStandsOfATokenTellsNothing(t *testing.T) {
	h, now := build(t), time.Now()
	p := registrar(h, &now)
	made, err := p.issue(t.Context(), Subject{User: "anna"})
	if err != nil {
		t.Fatal(err)
	}
	cells, err := p.bucket.Find(t.Context(), pledged+"*")
	if err != nil || len(cells) != 1 {
		t.Fatalf("%v %d", err, len(cells))
	}
	kept := append([]byte(cells[0].Key), cells[0].Value...)
	if bytes.Contains(kept, []byte(made.Token)) || bytes.Contains(kept, []byte("anna")) {
		t.Errorf("%s", kept)
	}
	again, err := p.issue(t.Context(), Subject{User: "anna"})
	if err != nil {
		t.Fatal(err)
	}
	first, _ := sealOf(made.Token, Subject{User: "anna"})
	second, _ := sealOf(again.Token, Subject{User: "anna"})
	if bytes.Equal(first, second) {
		t.Error("the same request looks the same")
	}
}
