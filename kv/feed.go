package kv

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const (
	heartbeat = 5 * time.Second // the server says this often that it has nothing to say
	silence   = 2*heartbeat + heartbeat/2
)

var (
	errGap     = errors.New("messages are missing")
	errSilent  = errors.New("the server fell silent")
	errStalled = errors.New("the server waits for flow control: publishing to $JS.FC is not permitted")
)

// feed delivers a bucket: the last value of every key first, then each change.
type feed struct {
	nc     *nats.Conn
	js     jetstream.JetStream
	bucket string
	keys   []string // patterns; none means every key
}

// incarnation tells whether a bucket is still the one seen before.
type incarnation struct {
	created time.Time
	last    uint64 // its latest revision
}

// look asks the server for the bucket.
func (f *feed) look(ctx context.Context) (jetstream.Stream, error) {
	stream, err := f.js.Stream(ctx, streamOf(f.bucket))
	if err != nil {
		return nil, fmt.Errorf("open bucket %s: %w", f.bucket, err)
	}
	return stream, nil
}

// last is the latest revision among the keys, 0 when there is none.
func (f *feed) last(ctx context.Context) (last uint64, err error) {
	stream, err := f.look(ctx)
	if err != nil {
		return 0, err
	}
	for _, key := range f.filters() {
		m, err := stream.GetLastMsgForSubject(ctx, subject(f.bucket, key))
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			continue
		}
		if err != nil {
			return 0, fmt.Errorf("read the last entry of bucket %s: %w", f.bucket, err)
		}
		last = max(last, m.Sequence)
	}
	return last, nil
}

// sink takes what a feed delivers.
type sink interface {
	// begin comes before the first entry.
	begin(now incarnation)
	// take comes for each entry.
	take(s stored)
	// loaded comes when every key has been seen once.
	loaded()
}

// follow delivers the bucket until the context ends or continuity is lost, and
// says why.
func (f *feed) follow(ctx context.Context, to sink) error {
	stream, err := f.look(ctx)
	if err != nil {
		return err
	}
	sub, err := f.nc.SubscribeSync(f.nc.NewInbox())
	if err != nil {
		return fmt.Errorf("follow bucket %s: %w", f.bucket, err)
	}
	defer func() { _ = sub.Unsubscribe() }() // the server drops a consumer nobody listens to
	if err := sub.SetPendingLimits(-1, -1); err != nil {
		return fmt.Errorf("follow bucket %s: %w", f.bucket, err)
	}
	consumer, err := stream.CreatePushConsumer(ctx, f.consumer(sub.Subject))
	if err != nil {
		return fmt.Errorf("follow bucket %s: %w", f.bucket, err)
	}
	info := stream.CachedInfo()
	to.begin(incarnation{info.Created, info.State.LastSeq})
	state := consumer.CachedInfo()
	d := &delivery{bucket: f.bucket, to: to, pending: state.NumPending + state.Delivered.Consumer}
	d.answer = func(request string) error { return f.nc.Publish(request, nil) }
	return fmt.Errorf("follow bucket %s: %w", f.bucket, d.run(ctx, sub))
}

func (f *feed) consumer(inbox string) jetstream.ConsumerConfig {
	cfg := jetstream.ConsumerConfig{
		DeliverSubject: inbox,
		DeliverPolicy:  jetstream.DeliverLastPerSubjectPolicy,
		AckPolicy:      jetstream.AckNonePolicy,
		MaxDeliver:     1,
		FlowControl:    true,
		IdleHeartbeat:  heartbeat,
		MemoryStorage:  true,
		Replicas:       1,
	}
	keys := f.filters()
	if len(keys) == 1 {
		cfg.FilterSubject = subject(f.bucket, keys[0])
		return cfg
	}
	for _, key := range keys {
		cfg.FilterSubjects = append(cfg.FilterSubjects, subject(f.bucket, key))
	}
	return cfg
}

// filters are the patterns of the keys that are delivered.
func (f *feed) filters() []string {
	if len(f.keys) == 0 {
		return []string{">"}
	}
	return f.keys
}

// delivery is one consumer's stream of messages, checked for continuity.
type delivery struct {
	bucket  string
	to      sink
	answer  func(request string) error // tells the server that the delivery keeps up
	pending uint64                     // keys to come before the bucket is loaded
	seen    uint64                     // consumer sequence of the last message
	done    bool                       // loaded
	stalled bool                       // the last message was a stalled heartbeat
}

func (d *delivery) run(ctx context.Context, sub *nats.Subscription) error {
	if d.pending == 0 {
		d.load()
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	alarm := time.AfterFunc(silence, func() { cancel(errSilent) })
	defer alarm.Stop()
	for {
		m, err := sub.NextMsgWithContext(ctx)
		if err != nil {
			return cause(ctx, err)
		}
		alarm.Reset(silence)
		if err := d.handle(m); err != nil {
			return err
		}
	}
}

// cause says why the context ended, or else what the error says.
func cause(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

func (d *delivery) handle(m *nats.Msg) error {
	if status := m.Header.Get("Status"); status != "" {
		return d.control(m, status)
	}
	d.stalled = false
	meta, err := m.Metadata()
	if err != nil {
		return fmt.Errorf("read metadata: %w", err)
	}
	if meta.Sequence.Consumer != d.seen+1 {
		return errGap
	}
	d.seen++
	d.to.take(delivered(d.bucket, m, meta))
	if d.seen >= d.pending || meta.NumPending == 0 {
		d.load()
	}
	return nil
}

// control answers what the server says about the delivery itself.
func (d *delivery) control(m *nats.Msg, status string) error {
	if status != "100" {
		return fmt.Errorf("the server ended the delivery: %s", m.Header.Get("Description"))
	}
	if m.Reply != "" {
		return d.answer(m.Reply)
	}
	if last, err := strconv.ParseUint(m.Header.Get("Nats-Last-Consumer"), 10, 64); err == nil && last != d.seen {
		return errGap
	}
	if again := m.Header.Get("Nats-Consumer-Stalled"); again != "" {
		if d.stalled {
			return errStalled
		}
		d.stalled = true
		return d.answer(again)
	}
	d.load() // an idle server has delivered everything
	return nil
}

func (d *delivery) load() {
	if !d.done {
		d.done = true
		d.to.loaded()
	}
}
