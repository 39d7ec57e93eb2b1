package bus

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

const (
	ackWait       = 10 * time.Second // counts from delivery into our window, not from Next; or from Hold
	maxAckPending = 20 * window      // over all processes; less than twice the window of one stalls it
)

// Delivery is one message of a queue, to be acknowledged by whoever got it.
type Delivery struct {
	Seq     uint64
	Subject string
	Header  map[string][]string
	Data    []byte
	Stored  time.Time
	Tries   uint64 // 1 for the first delivery

	reply string
	q     *Queue
}

// Ack takes the message off the queue. An acknowledgement that gets lost means another delivery.
func (d Delivery) Ack() error {
	if err := d.q.js.Conn().Publish(d.reply, nil); err != nil {
		return fmt.Errorf("acknowledge %s %d: %w", d.q.stream, d.Seq, err)
	}
	if d.q.acked != nil {
		d.q.acked(d.Seq)
	}
	return nil
}

// Nak asks for another delivery after the delay.
func (d Delivery) Nak(delay time.Duration) error {
	body := `-NAK {"delay":` + strconv.FormatInt(delay.Nanoseconds(), 10) + `}`
	if err := d.q.js.Conn().Publish(d.reply, []byte(body)); err != nil {
		return fmt.Errorf("hand back %s %d: %w", d.q.stream, d.Seq, err)
	}
	return nil
}

// Extend says that the message is being worked on: the wait for its acknowledgement
// begins anew.
func (d Delivery) Extend() error {
	if err := d.q.js.Conn().Publish(d.reply, []byte("+WPI")); err != nil {
		return fmt.Errorf("hold %s %d: %w", d.q.stream, d.Seq, err)
	}
	return nil
}

// Queue is a consumer that several processes share: each message goes to one of them, again and again
// until it is acknowledged. One goroutine calls Next; any may acknowledge.
type Queue struct {
	js     jetstream.JetStream
	stream string
	config jetstream.ConsumerConfig
	pull   puller
	acked  func(seq uint64) // told about every acknowledgement, may be nil
}

func newQueue(js jetstream.JetStream, stream, durable string, filters ...string) *Queue {
	q := &Queue{js: js, stream: stream, config: jetstream.ConsumerConfig{
		Durable:        durable,
		FilterSubjects: filters,
		AckPolicy:      jetstream.AckExplicitPolicy,
		AckWait:        ackWait,
		MaxDeliver:     -1, // a limit would skip every message in flight in a crash loop
		MaxAckPending:  maxAckPending,
	}}
	q.pull = puller{nc: js.Conn(), stream: stream, bytes: windowBytes, batch: windowBytes, open: q.open}
	return q
}

// NewInsights is the queue of insights and markers that the injectors share.
func NewInsights(js jetstream.JetStream) *Queue {
	return newQueue(js, InsightsStream, "injector")
}

// Sharing says how processes share the facts of some subjects of the log.
type Sharing struct {
	Name   string // of the consumer, the same in all processes
	Filter string
	// Wait is how long a delivered fact may stay without a sign of life before
	// another process gets it.
	Wait time.Duration
	// AtOnce is how many are delivered and not acknowledged, over all processes.
	AtOnce int
}

// NewFacts is a queue of facts, from the first that the log holds on.
func NewFacts(js jetstream.JetStream, s Sharing) *Queue {
	q := newQueue(js, EventsStream, s.Name, s.Filter)
	q.config.AckWait, q.config.MaxAckPending = s.Wait, s.AtOnce
	return q
}

func (q *Queue) open(ctx context.Context) (string, error) {
	_, err := q.js.CreateOrUpdateConsumer(ctx, q.stream, q.config)
	if err != nil {
		return "", fmt.Errorf("open consumer %s of %s: %w", q.config.Durable, q.stream, err)
	}
	return q.config.Durable, nil
}

// Restart forgets what was acknowledged: everything that the stream holds comes again.
func (q *Queue) Restart(ctx context.Context) error {
	err := q.js.DeleteConsumer(ctx, q.stream, q.config.Durable)
	if err != nil && !errors.Is(err, jetstream.ErrConsumerNotFound) {
		return fmt.Errorf("delete consumer %s of %s: %w", q.config.Durable, q.stream, err)
	}
	return nil
}

// Next blocks until there are messages and returns what is there, at most 1000. It waits out
// disconnects; it fails when ctx is done, the stream is gone, or the connection is closed.
func (q *Queue) Next(ctx context.Context) ([]Delivery, error) {
	for {
		msgs, err := q.pull.next(ctx)
		if err != nil {
			return nil, err
		}
		batch := make([]Delivery, 0, len(msgs))
		for _, m := range msgs {
			meta, err := m.Metadata()
			if err != nil {
				continue // not from this consumer
			}
			batch = append(batch, Delivery{
				Seq: meta.Sequence.Stream, Subject: m.Subject, Header: m.Header, Data: m.Data,
				Stored: meta.Timestamp, Tries: meta.NumDelivered, reply: m.Reply, q: q,
			})
		}
		if len(batch) > 0 {
			return batch, nil
		}
	}
}

// HoldEvery is how often who works for long holds what it has.
const HoldEvery = ackWait / 3

// Hold keeps the server from delivering again what has come here and Next has yet to return. It is for
// the goroutine that calls Next, while it waits for something else.
func (q *Queue) Hold() error {
	for _, m := range q.pull.ahead() {
		if !isData(m) {
			continue
		}
		if err := q.js.Conn().Publish(m.Reply, []byte("+WPI")); err != nil {
			return fmt.Errorf("hold what came from %s: %w", q.stream, err)
		}
	}
	return nil
}

// Close stops receiving and hands back what Next did not return. What it returned and nobody acknowledged
// is delivered again after ten seconds.
func (q *Queue) Close() {
	for _, m := range q.pull.stop() {
		_ = q.js.Conn().Publish(m.Reply, []byte("-NAK")) // or AckWait does it
	}
}

// Floor tells how far a queue has come.
type Floor struct {
	Acked   uint64 // every message up to this sequence is acknowledged or gone
	Sent    uint64 // the last sequence delivered to anybody
	Unacked int    // delivered and not acknowledged
	Waiting uint64 // not yet delivered
}

// Floor asks the server how far the queue has come, all processes together.
func (q *Queue) Floor(ctx context.Context) (Floor, error) {
	c, err := q.js.Consumer(ctx, q.stream, q.config.Durable)
	if err != nil {
		return Floor{}, fmt.Errorf("look up consumer %s of %s: %w", q.config.Durable, q.stream, err)
	}
	i := c.CachedInfo()
	return Floor{Acked: i.AckFloor.Stream, Sent: i.Delivered.Stream, Unacked: i.NumAckPending, Waiting: i.NumPending}, nil
}
