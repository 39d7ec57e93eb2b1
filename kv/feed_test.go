package kv

import (
	"errors"
	"fmt"
	"testing"

	"github.com/nats-io/nats.go"
)

// trace is a sink that notes what it takes.
type trace struct{ notes []string }

func (t *trace) begin(incarnation) {}
func (t *trace) take(s stored)     { t.notes = append(t.notes, s.key) }
func (t *trace) answer(request string) error {
	t.notes = append(t.notes, "answered "+request)
	return nil
}
func (t *trace) loaded() { t.notes = append(t.notes, "loaded") }

// message is the n-th message of a delivery, with left more to come.
func message(n, left int) *nats.Msg {
	return &nats.Msg{
		Subject: subject(Contexts, fmt.Sprint("rule.", n)),
		Reply:   fmt.Sprintf("$JS.ACK.KV_%s.c.1.%d.%d.1700000000000000000.%d", Contexts, 10*n, n, left),
		Sub:     &nats.Subscription{},
	}
}

func control(status, name, value string) *nats.Msg {
	return &nats.Msg{Header: nats.Header{"Status": {status}, name: {value}}}
}

func deliver(d *delivery, messages ...*nats.Msg) error {
	for _, m := range messages {
		if err := d.handle(m); err != nil {
			return err
		}
	}
	return nil
}

func (t *trace) delivery(pending uint64) *delivery {
	return &delivery{bucket: Contexts, to: t, pending: pending, answer: t.answer}
}

func TestABucketIsLoadedWhenEveryKeyHasCome(t *testing.T) {
	var got trace
	if err := deliver(got.delivery(2), message(1, 1), message(2, 1), message(3, 0)); err != nil {
		t.Fatal(err)
	}
	if s := fmt.Sprint(got.notes); s != "[rule.1 rule.2 loaded rule.3]" {
		t.Fatal(s)
	}
}

func TestABucketIsLoadedWhenTheServerHasNothingMore(t *testing.T) {
	for name, last := range map[string]*nats.Msg{
		"nothing pending": message(2, 0),
		"heartbeat":       control("100", "Nats-Last-Consumer", "1"),
	} {
		var got trace
		if err := deliver(got.delivery(3), message(1, 1), last); err != nil {
			t.Fatal(name, err)
		}
		if got.notes[len(got.notes)-1] != "loaded" {
			t.Errorf("%s: %v", name, got.notes)
		}
	}
}

func TestAMissingMessageEndsTheDelivery(t *testing.T) {
	for name, m := range map[string]*nats.Msg{
		"between":    message(3, 0),
		"at the end": control("100", "Nats-Last-Consumer", "2"),
	} {
		var got trace
		if err := deliver(got.delivery(5), message(1, 4), m); !errors.Is(err, errGap) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAServerThatEndsTheDeliveryIsBelieved(t *testing.T) {
	var got trace
	if err := deliver(got.delivery(5), control("409", "Description", "Consumer Deleted")); err == nil {
		t.Fatal("nothing happened")
	}
}

func TestFlowControlIsAnswered(t *testing.T) {
	var got trace
	request := control("100", "Description", "FlowControl Request")
	request.Reply = "$JS.FC.x"
	if err := deliver(got.delivery(2), message(1, 1), request, message(2, 0)); err != nil {
		t.Fatal(err)
	}
	if s := fmt.Sprint(got.notes); s != "[rule.1 answered $JS.FC.x rule.2 loaded]" {
		t.Fatal(s)
	}
}

func TestAStalledServerIsAnsweredOnceAndThenExplained(t *testing.T) {
	var got trace
	d := got.delivery(5)
	stalled := control("100", "Nats-Consumer-Stalled", "$JS.FC.x")
	if err := deliver(d, stalled); err != nil {
		t.Fatal(err)
	}
	if err := deliver(d, stalled); !errors.Is(err, errStalled) {
		t.Fatalf("got %v", err)
	}
	if s := fmt.Sprint(got.notes); s != "[answered $JS.FC.x]" {
		t.Fatal(s)
	}
}
