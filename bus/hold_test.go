package bus

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"
)

func TestWhatHasComeAndIsNotReadIsHeldAndComesInOrder(t *testing.T) {
	js := ensured(t, serve(t))
	held := map[string]bool{} // stream sequences
	signs := make(chan *nats.Msg, 1<<16)
	sub, err := js.Conn().ChanSubscribe("$JS.ACK."+InboxStream+".ingest.>", signs)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = sub.Unsubscribe() }()
	in := NewInbox(js)
	defer in.Close()
	const n = 40
	publishInbox(t, js, n)
	first := receiveAll(t, in.Queue, 1)
	eventually(t, func() bool { // the others are on their way
		if err := in.Hold(); err != nil {
			t.Fatal(err)
		}
		for len(signs) > 0 {
			if m := <-signs; string(m.Data) == "+WPI" {
				held[strings.Split(m.Subject, ".")[5]] = true
			}
		}
		return len(held) == n-len(first)
	})
	for i, d := range slices.Concat(first, receiveAll(t, in.Queue, n-len(first))) {
		if d.Seq != uint64(i+1) || d.Tries != 1 || held[strconv.FormatUint(d.Seq, 10)] == (i < len(first)) {
			t.Errorf("delivery %d is message %d, try %d", i, d.Seq, d.Tries)
		}
	}
}

func TestWhatIsHeldIsHandedBackWhenTheQueueCloses(t *testing.T) {
	js := ensured(t, serve(t))
	publishInbox(t, js, 5)
	first := NewInbox(js)
	taken := len(receiveAll(t, first.Queue, 1))
	eventually(t, func() bool { return taken+len(first.pull.ahead()) == 5 })
	first.Close()
	second := NewInbox(js)
	defer second.Close()
	for _, d := range receiveAll(t, second.Queue, 5-taken) {
		if d.Tries != 2 {
			t.Errorf("%+v", d)
		}
	}
}
